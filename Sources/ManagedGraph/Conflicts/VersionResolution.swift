// Resolves a version conflict. Created by NSMergePolicy.
import Foundation
import GraphEngine

/// Brings one object in line with its stored row.
struct VersionResolution {
    private let object: NSManagedObject
    private let committed: CommittedRow
    private let type: NSMergePolicyType

    init(_ conflict: NSMergeConflict, _ type: NSMergePolicyType) throws {
        object = conflict.sourceObject
        self.type = type
        committed = try conflict.committed ?? (conflict.newVersionNumber == 0 ? .gone : Self.storedRow(of: object))
    }

    /// The stored row of the object of a conflict that a program has created.
    private static func storedRow(of object: NSManagedObject) throws -> CommittedRow {
        guard let coordinator = object.registry?.coordinator, let store = coordinator.rowStore(at: object.key.store)
        else { return .gone }
        let rows = try store.reading(for: object.registry?.context) {
            try $0.rows(tree: object.layout.tree, keys: [object.key.primaryKey])
        }
        return rows.count == 0 ? .gone : .row(rows, 0)
    }

    private var objectCounts: Bool {
        type == .overwriteMergePolicyType || type == .mergeByPropertyObjectTrumpMergePolicyType
    }

    func run() {
        guard let context = object.registry?.context else { return }
        if case .gone = committed {
            // By property, there is nothing left to merge with, so the deletion wins unless the whole object does.
            if type == .overwriteMergePolicyType, !object.state.contains(.deleted) {
                context.insertAgain(object)
            } else {
                context.detachDeletedElsewhere(object)
            }
            return
        }
        if object.state.contains(.deleted) {
            if objectCounts {
                // Its deletion has already removed it from the relationships that it had then.
                context.prepareToReread(deleted: object)
                object.rebase(onto: committed, keeping: changedRelationships)
            } else {
                context.restore(object)
                object.rebase(onto: committed, keeping: SlotSet())
                clean()
            }
        } else {
            object.rebase(onto: committed, keeping: keptSlots)
            clean()
        }
        object.awake(fromSnapshotEvents: .mergePolicy)
    }

    /// The slots whose values in memory are kept.
    private var keptSlots: SlotSet {
        var result = SlotSet()
        guard let edits = object.edits else { return result }
        switch type {
        case .overwriteMergePolicyType:
            for (slot, description) in object.layout.slots.enumerated() where description.isStored {
                guard description.kind == .attribute || description.kind == .toOne else {
                    if edits.changed.contains(slot) { result.insert(slot) }
                    continue
                }
                if edits.values[slot].isAbsent { edits.values[slot] = object.committedValue(slot) }
                edits.changed.insert(slot)
                result.insert(slot)
            }
        case .mergeByPropertyObjectTrumpMergePolicyType:
            result = edits.changed
        case .mergeByPropertyStoreTrumpMergePolicyType:
            edits.changed.forEach { slot in
                let isToMany = object.layout.slots[slot].kind == .toMany
                let readValue = object.committedValue(slot)
                if isToMany || committed.value(slot, of: object).isSame(as: readValue) { result.insert(slot) }
            }
        case .rollbackMergePolicyType, .errorMergePolicyType:
            break
        }
        return result
    }

    private var changedRelationships: SlotSet {
        var result = SlotSet()
        object.edits?.changed.forEach { if object.layout.slots[$0].kind != .attribute { result.insert($0) } }
        return result
    }

    /// Unmarks an object without remaining changes as updated.
    private func clean() {
        guard object.edits?.changed.isEmpty ?? true else { return }
        object.state.subtract([.updated])
    }
}

extension NSManagedObjectContext {
    /// Reinserts an object whose row was deleted elsewhere, under its former key.
    final func insertAgain(_ object: NSManagedObject) {
        let edits = object.ensureEdits()
        for slot in object.layout.slots.indices {
            if case .toMany(let members) = edits.values[slot] {
                // The rows on the other sides no longer refer to the object.
                members.stored = members.stored ?? []
            } else if edits.values[slot].isAbsent {
                edits.values[slot] = object.committedValue(slot)
            }
            edits.changed.insert(slot)
        }
        edits.isWholeRow = true
        edits.version = 0
        edits.committed = nil
        object.snapshot = nil
        // It stays in the list of updated objects, but its state excludes it.
        object.state.remove(.updated)
        dropDeparted()
        object.state.insert(.inserted)
        insertedList.append(object)
        // No event reports the insertion: the set of the latest event is not that of the save.
        eventSets = .init()
    }

    /// Brings back an object whose deletion was not saved; if observers were notified of it, they are now of an insertion.
    final func restore(_ object: NSManagedObject) {
        let isReported = !object.state.contains(.pendingDelete)
        undelete(object)
        if isReported { noteInsertion(of: object) }
    }

    /// Reports an object as inserted at the end of the event.
    final func noteInsertion(of object: NSManagedObject) {
        object.state.insert(.pendingInsert)
        pending.inserted.append(object)
        noteEvent()
    }

    /// Reverts a deletion that was not saved.
    final func undelete(_ object: NSManagedObject) {
        // It stays in the lists, but its state excludes it.
        object.state.subtract([.deleted, .pendingDelete])
    }
}
