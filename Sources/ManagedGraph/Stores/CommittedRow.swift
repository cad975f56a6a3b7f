// The committed side of a conflict: a row of the store, or no row. Merge policies rebase the in-memory object onto it.
import Foundation
import GraphEngine
import GraphSQLite

/// The committed side of a conflict.
enum CommittedRow {
    case row(RowBatch, Int)
    case gone

    /// 0 if there is no row.
    var version: Int64 {
        switch self {
        case .row(let batch, let row): batch.integer(TreeLayout.versionColumn, row)
        case .gone: 0
        }
    }

    /// The value of a slot; absent if the row does not contain it.
    func value(_ slot: Int, of object: NSManagedObject) -> Value {
        switch self {
        case .row(let batch, let row):
            let column = Int(object.layout.columns[slot])
            guard column >= 0 else { return .absent }
            return Value(batch, column: column, row: row, slot: object.layout.slots[slot], object: object)
        case .gone: return .null
        }
    }

    /// The values as conflicts show them; nil if there is no row.
    func snapshot(of object: NSManagedObject) -> ConflictSnapshot? {
        if case .gone = self { return nil }
        return ConflictSnapshot(object) { value($0, of: object) }
    }
}

extension NSManagedObject {
    /// Makes the values of `committed` the committed ones.
    ///
    /// Changes to the slots in `keeping` are kept; all others are reverted, on both sides of a relationship.
    func rebase(onto committed: CommittedRow, keeping: SlotSet) {
        if state.contains(.observed) { ObservedObjects.noteAllChanges(self) }
        noteReplacedValues()
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

    /// Reports values that a merge policy replaces in memory, of which no accessor is called.
    func noteReplacedValues() {
        noteIndexedChange()
        if state.isDisjoint(with: [.inserted, .pendingInsert, .deleted, .gone]) {
            registry?.context?.noteRefresh(self)
        }
    }

    private func adopt(_ committed: CommittedRow) {
        page = nil
        switch committed {
        case .row(let batch, let newRow):
            snapshot = batch
            row = Int32(truncatingIfNeeded: newRow)
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
