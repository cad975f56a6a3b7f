// What the other side of a conflict has: a row of the store, or the values of a parent's object. Merge policies rebase
// the object in memory onto it.
import Foundation
import GraphSQLite

/// The committed side of a conflict.
enum CommittedRow {
    case row(RowBatch, Int)
    /// The values of a parent's object, and its version.
    case values(ContiguousArray<Value>, version: Int64)
    case gone

    /// 0 where there is nothing.
    var version: Int64 {
        switch self {
        case .row(let batch, let row): batch.integer(TreeLayout.versionColumn, row)
        case .values(_, let version): max(1, version)
        case .gone: 0
        }
    }

    /// The value of a slot; absent where the side does not know it.
    func value(_ slot: Int, of object: NSManagedObject) -> Value {
        switch self {
        case .row(let batch, let row):
            let column = Int(object.layout.columns[slot])
            guard column >= 0 else { return .absent }
            return Value(batch, column: column, row: row, slot: object.layout.slots[slot], object: object)
        case .values(let values, _): return values[slot]
        case .gone: return .null
        }
    }

    /// The values as conflicts show them; nil where there are none.
    func snapshot(of object: NSManagedObject) -> [String: Any]? {
        if case .gone = self { return nil }
        var result: [String: Any] = [:]
        for (slot, description) in object.layout.slots.enumerated() where description.isStored {
            switch description.kind {
            case .attribute:
                result[description.name] = value(slot, of: object).publicAttribute(description.type) ?? NSNull()
            case .toOne:
                if case .reference(let key) = value(slot, of: object), let context = object.registry?.context {
                    result[description.name] = context.object(for: key)
                } else {
                    result[description.name] = NSNull()
                }
            case .toMany, .fetched: continue
            }
        }
        return result
    }
}

extension NSManagedObject {
    /// Attributes and to-one destinations as they are in memory.
    func storedSnapshot() -> [String: Any] {
        var result: [String: Any] = [:]
        for (slot, description) in layout.slots.enumerated() where description.isStored {
            guard description.kind == .attribute || description.kind == .toOne else { continue }
            result[description.name] = publicValue(slot) ?? NSNull()
        }
        return result
    }

    /// Makes the other side's values the committed ones.
    ///
    /// Changes of the slots in `keeping` stay over them; others are taken back, on both sides of a relationship.
    func rebase(onto committed: CommittedRow, keeping: SlotSet) {
        if state.contains(.observed) { ObservedObjects.noteAllChanges(self) }
        guard let edits else { return adopt(committed) }
        var dropped: [Int] = []
        edits.changed.forEach { slot in if !keeping.contains(slot) { dropped.append(slot) } }
        for slot in dropped {
            switch layout.slots[slot].kind {
            case .toOne: takeBackToOne(slot, committed)
            case .toMany: takeBackToMany(slot)
            case .attribute, .fetched: break
            }
        }
        for slot in dropped where layout.slots[slot].isStored || layout.slots[slot].kind == .toMany {
            edits.changed.remove(slot)
        }
        for slot in layout.slots.indices where layout.slots[slot].isStored || layout.slots[slot].kind == .toMany {
            if case .toMany(let members) = edits.values[slot] {
                members.stored = nil
                if !edits.changed.contains(slot) { members.discardChanges() }
            } else if !edits.changed.contains(slot) {
                edits.values[slot] = .absent
            }
        }
        if edits.committed != nil { edits.committed = nil }
        edits.version = 0
        edits.isWholeRow = false
        adopt(committed)
    }

    private func adopt(_ committed: CommittedRow) {
        page = nil
        switch committed {
        case .row(let batch, let newRow):
            snapshot = batch
            row = Int32(truncatingIfNeeded: newRow)
        case .values(let values, let version):
            snapshot = nil
            let own = ensureEdits()
            for slot in layout.slots.indices where layout.slots[slot].isStored && layout.slots[slot].kind != .toMany {
                if own.changed.contains(slot) {
                    own.committed = (own.committed ?? [:]).merging([slot: values[slot]]) { _, new in new }
                } else {
                    own.values[slot] = values[slot]
                }
            }
            own.isWholeRow = true
            own.version = version
        case .gone:
            snapshot = nil
        }
    }

    private func takeBackToOne(_ slot: Int, _ committed: CommittedRow) {
        var destination: NSManagedObject?
        if case .reference(let key) = committed.value(slot, of: self) {
            destination = registry?.context?.object(for: key)
        }
        setToOne(slot, to: destination)
    }

    private func takeBackToMany(_ slot: Int) {
        guard case .toMany(let members)? = edits?.values[slot] else { return }
        for member in members.addedObjects { removeMember(member, slot: slot) }
        for member in members.removedObjects where !member.state.contains(.deleted) { addMember(member, slot: slot) }
    }
}
