// Applies the delete rules of relationships. Called at the end of an event, before fetches and before saves.

extension NSManagedObjectContext {
    /// Applies the delete rules of all deleted objects.
    ///
    /// Cascades can delete more objects. O(objects reached).
    final func propagateDeletes() {
        let earlier = (halfSpreadDeletes + unspreadDeletes).filter {
            $0.state.contains(.deleted) && !$0.state.contains(.gone)
        }
        unspreadDeletes = []
        halfSpreadDeletes = []
        for object in earlier { applyDeleteRules(object) }
        var next = 0
        while next < pendingDeleted.count {
            let object = pendingDeleted[next]
            next += 1
            // Objects removed by a merge or an undo, or without a row, need no delete rules.
            guard object.state.contains(.pendingDelete),
                object.state.isDisjoint(with: [.deletedElsewhere, .takenBack, .inaccessible])
            else { continue }
            applyDeleteRules(object)
        }
        for object in earlier where object.state.contains(.inserted) { forget(object) }
    }

    /// Applies the delete rules before a fetch, so that it does not return objects they delete.
    ///
    /// The event continues: an object that is being set up is not reported before it is complete.
    final func propagateDeletesForFetch() {
        guard !pendingDeleted.isEmpty, propagatesDeletesAtEndOfEvent, !isProcessing else { return }
        propagateDeletes()
    }

    private func applyDeleteRules(_ object: NSManagedObject) {
        let failed = registry.failedReads.count
        defer { if registry.failedReads.count != failed { halfSpreadDeletes.append(object) } }
        let layout = object.layout
        for slot in layout.toOneSlots {
            guard let destination = object.toOneObject(slot), !destination.state.contains(.gone) else { continue }
            let description = layout.slots[slot]
            apply(description, to: destination, of: object)
            // Clear both sides of the relationship, unless both objects are deleted.
            let isKept =
                description.deleteRule == .noActionDeleteRule || destination.state.contains(.deleted)
                || (description.deleteRule == .denyDeleteRule && !object.state.contains(.inserted))
            if !isKept { object.assignToOne(slot, nil) }
        }
        for slot in layout.toManySlots {
            let description = layout.slots[slot]
            if description.deleteRule == .noActionDeleteRule { continue }
            for destination in object.toManyMembers(slot) where !destination.state.contains(.gone) {
                apply(description, to: destination, of: object)
            }
        }
    }

    private func apply(_ slot: Slot, to destination: NSManagedObject, of object: NSManagedObject) {
        switch slot.deleteRule {
        case .noActionDeleteRule:
            break
        case .denyDeleteRule:
            // validateForDelete checks the rule; until then the relationship stays intact. An object that was never
            // saved is not validated, so it is detached.
            if object.state.contains(.inserted) { cut(slot, destination, object) }
        case .cascadeDeleteRule:
            delete(destination)
        case .nullifyDeleteRule:
            cut(slot, destination, object)
        }
    }

    private func cut(_ slot: Slot, _ destination: NSManagedObject, _ object: NSManagedObject) {
        guard slot.inverseSlot >= 0, !destination.state.contains(.deleted) else { return }
        destination.removeInverse(slot.inverseSlot, object)
    }
}
