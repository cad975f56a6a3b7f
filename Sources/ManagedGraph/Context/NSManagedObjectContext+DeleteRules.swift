// Applies the delete rules of relationships. Called at the end of an event, before fetches and before saves. The rules
// are applied object by object; the objects that they reach are read before, by DeleteRuleReader.

extension NSManagedObjectContext {
    /// Applies the delete rules of all deleted objects.
    ///
    /// Cascades can delete more objects. O(objects reached); one statement for each relationship and some hundred
    /// objects of one level of a cascade.
    final func propagateDeletes() {
        let earlier = (openDeletions.halfSpread + openDeletions.unspread + openDeletions.reread).filter {
            $0.state.contains(.deleted) && $0.state.isDisjoint(with: [.gone, .deletedElsewhere, .inaccessible])
        }
        if !openDeletions.reread.isEmpty {
            pending.isOfRereads = pending.hasNoChanges
        }
        let outdated = openDeletions.reread.flatMap(outdatedMembers)
        if !outdated.isEmpty { refreshKeepingChanges(outdated) }
        openDeletions = OpenDeletions()
        let reader = DeleteRuleReader(context: self)
        // Holds the objects that were read until the rules of the portion are applied.
        var reached: [[NSManagedObject]] = []
        var last: NSManagedObject?
        for (index, object) in earlier.enumerated() {
            if index % DeleteRuleReader.limit == 0 {
                reached = reader.read(earlier[index...].prefix(DeleteRuleReader.limit))
            }
            applyDeleteRules(object, &last)
        }
        var next = 0
        var end = 0
        while next < pending.deleted.count {
            if next >= end {
                let places = next..<min(next + DeleteRuleReader.limit, pending.deleted.count)
                if pending.deleted.allSatisfyUncounted(places, { !$0.table.pointee.hasDeleteRules }) {
                    next = places.upperBound
                    continue
                }
                // All of these objects are known before their rules are applied; the objects that they reach are not.
                end = places.upperBound
                let portion = pending.deleted[places]
                let isWhole = pending.deleted.allSatisfyUncounted(places, hasRulesToApply)
                reached = reader.read(isWhole ? portion : portion.filter(hasRulesToApply)[...])
            }
            let object = pending.deleted[next]
            next += 1
            if hasRulesToApply(object) { applyDeleteRules(object, &last) }
        }
        withExtendedLifetime(reached) {}
        for object in earlier where object.state.contains(.inserted) { forget(object) }
    }

    /// Whether an object was deleted here: one removed by a merge or an undo, or without a row, needs no delete rules.
    private func hasRulesToApply(_ object: NSManagedObject) -> Bool {
        object.state.contains(.pendingDelete)
            && object.state.isDisjoint(with: [.deletedElsewhere, .takenBack, .inaccessible])
    }

    /// Applies the delete rules before a fetch, so that it does not return objects they delete.
    ///
    /// The event continues: an object that is being set up is not reported before it is complete.
    final func propagateDeletesForFetch() {
        guard !(pending.deleted.isEmpty && openDeletions.reread.isEmpty), propagatesDeletesAtEndOfEvent, !isProcessing
        else {
            return
        }
        propagateDeletes()
    }

    /// Has the delete rules of a deleted object applied again at the end of the event, because its row is read again:
    /// another writer may have related it to other objects.
    ///
    /// The relationships that its deletion has cleared take the values of the row.
    final func prepareToReread(deleted object: NSManagedObject) {
        guard object.state.contains(.deleted),
            object.state.isDisjoint(with: [.inserted, .pendingDelete, .deletedElsewhere])
        else { return }
        if let edits = object.edits {
            for slot in object.layout.ruledToOneSlots where edits.changed.contains(slot) {
                guard case .null = edits.values[slot] else { continue }
                edits.values[slot] = .absent
                edits.changed.remove(slot)
            }
        }
        openDeletions.reread.append(object)
    }

    /// The members of a deleted object that another writer has added to it since they were read here: by their own rows,
    /// no delete rule concerns them.
    private func outdatedMembers(of object: NSManagedObject) -> [NSManagedObject] {
        guard object.state.contains(.deleted), object.state.isDisjoint(with: [.gone, .deletedElsewhere, .inaccessible])
        else { return [] }
        return object.layout.ruledToManySlots.flatMap { slot -> [NSManagedObject] in
            guard let inverse = object.inverse(slot) else { return [] }
            return object.toManyMembers(slot).filter { member in
                member.layout.slots[inverse].kind == .toOne
                    && member.state.isDisjoint(with: [.inserted, .deleted, .gone, .fault])
                    && member.committedDestination(inverse) != object.key
            }
        }
    }

    /// The destination of a to-one relationship; objects of one deletion often have the same one.
    private func destination(
        of object: NSManagedObject,
        _ slot: Int,
        _ last: inout NSManagedObject?
    ) -> NSManagedObject? {
        if let last, object.state.isDisjoint(with: .needsPreparation), let key = object.storedDestination(slot),
            key.primaryKey == last.primaryKey, key.store == last.table.pointee.store,
            key.entity == last.table.pointee.entity, last.registry === registry
        {
            return last
        }
        last = object.toOneObject(slot)
        return last
    }

    private func applyDeleteRules(_ object: NSManagedObject, _ last: inout NSManagedObject?) {
        let failed = registry.failedReads.count
        defer { if registry.failedReads.count != failed { openDeletions.halfSpread.append(object) } }
        let layout = object.layout
        for slot in layout.ruledToOneSlots {
            // No rule concerns objects that are deleted together.
            guard let destination = destination(of: object, slot, &last),
                destination.state.isDisjoint(with: [.gone, .deleted])
            else { continue }
            let description = layout.slots[slot]
            apply(description, to: destination, of: object)
            // Clear both sides of the relationship, unless both objects are deleted now.
            let isKept =
                destination.state.contains(.deleted)
                || (description.deleteRule == .denyDeleteRule && !object.state.contains(.inserted))
            if !isKept { object.assignToOne(slot, nil) }
        }
        for slot in layout.ruledToManySlots {
            let description = layout.slots[slot]
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
