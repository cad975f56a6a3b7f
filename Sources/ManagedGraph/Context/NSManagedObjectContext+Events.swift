// The end of an event: delete rules are applied, and observers are notified of the changes. Called at the end of each
// turn and before a save.
import Foundation

extension NSManagedObjectContext {
    /// Ends the event, regardless of an override of `processPendingChanges()`.
    final func endEvent() {
        checkQueue("processPendingChanges()")
        guard !isProcessing else { return }
        isProcessing = true
        defer { isProcessing = false }
        // Observers may change objects in turn. A few rounds settle that; further changes belong to the next event.
        remainingEvents = 100
        postEvents()
    }

    /// Posts events until there are no changes.
    private func postEvents() {
        while remainingEvents > 0, !pending.isEmpty {
            remainingEvents -= 1
            endEventAnswers()
            if propagatesDeletesAtEndOfEvent { propagateDeletes() }
            postEvent()
        }
    }

    /// Ends the event for a save; for one by an observer of an event, within the notification of that event.
    ///
    /// An observer that changes and saves objects at each notification is stopped by the limits, and its save fails.
    private func endEventToSave() {
        guard isProcessing else { return endEvent() }
        guard isPosting, !pending.isEmpty, nestedSaves < 10, remainingEvents > 0 else { return }
        let wasMerging = isMerging
        (isPosting, isMerging) = (false, false)
        nestedSaves += 1
        // The changes of observers were noted under this number.
        eventNumber = Edits.event(after: eventNumber)
        postEvents()
        nestedSaves -= 1
        (isPosting, isMerging) = (true, wasMerging)
        isOvertaken = true
    }

    /// Ends the event for a save, which applies delete rules regardless of `propagatesDeletesAtEndOfEvent`.
    final func processForSave() {
        if !propagatesDeletesAtEndOfEvent || !openDeletions.isEmpty { propagateDeletes() }
        endEventToSave()
        for object in openDeletions.unspread where object.state.contains([.inserted, .deleted]) { forget(object) }
        openDeletions.unspread = []
    }

    /// Posts one notification for the pending changes and begins a new event.
    private func postEvent() {
        let event = pending
        pending = PendingEvent()
        let isRecorded = recordsEvent(isOfRereads: event.isOfRereads)

        let insertions = reportedInsertions(event.inserted, isRecorded: isRecorded)
        let updatedSet = reportedUpdates(event.updated, apartFrom: insertions.set)
        var deletedSet = EventSets.makeSet(for: event.deleted)
        event.deleted.forEachUncounted { if $0.state.contains(.pendingDelete) { deletedSet.insert($0) } }
        let deleted = event.deleted.distinct(in: deletedSet)
        let refreshedSet = reportedRefreshes(event.refreshed, apartFrom: updatedSet)
        if isRecorded {
            recordForUndo(
                inserted: insertions.recorded,
                updated: event.updated.distinct(in: updatedSet),
                deleted: deleted.filter {
                    $0.state.contains(.pendingDelete)
                        && $0.state.isDisjoint(with: [.pendingInsert, .deletedElsewhere, .inaccessible])
                }
            )
        }
        eventSets.note(
            inserted: insertions.set,
            updated: updatedSet,
            deleted: deletedSet,
            areNew: insertions.areNew,
            hasDeleted: !deleted.isEmpty,
            listed: (insertedList.count, updatedList.count, deletedList.count)
        )
        event.updated.forEachUncounted { $0.state.remove(.pendingUpdate) }
        for object in event.refreshed { object.state.remove(.pendingRefresh) }
        endDeletions(deleted)
        let insertedSet = event.merged.isEmpty ? insertions.set : insertions.set.union(event.merged)
        if !(insertedSet.isEmpty && updatedSet.isEmpty && deletedSet.isEmpty && refreshedSet.isEmpty) {
            isPosting = true
            postDidChange(inserted: insertedSet, updated: updatedSet, deleted: deletedSet, refreshed: refreshedSet)
            isPosting = false
            isOvertaken = false
        }
        if !rereadUpdates.isEmpty { rereadUpdates = [] }
        eventNumber = Edits.event(after: eventNumber)
    }

    /// The new objects that an event reports.
    ///
    /// - Returns: The objects; whether a save inserts all of them; those that are recorded for undo, in order.
    private func reportedInsertions(
        _ inserted: ContiguousArray<NSManagedObject>,
        isRecorded: Bool
    ) -> (set: Set<NSManagedObject>, areNew: Bool, recorded: [NSManagedObject]) {
        var set = EventSets.makeSet(for: inserted)
        var areNew = true
        var recorded: [NSManagedObject] = []
        inserted.forEachUncounted { object in
            // An object that was inserted and deleted in one event is reported as deleted.
            guard object.state.contains(.pendingInsert), !object.state.contains(.deleted) else { return }
            object.state.remove(.pendingInsert)
            // An object whose deletion was undone is reported as inserted, but a save does not insert it.
            if !object.state.contains(.inserted) { areNew = false }
            if set.insert(object).inserted, isRecorded { recorded.append(object) }
        }
        return (set, areNew, recorded)
    }

    /// The changed objects that an event reports; new ones are reported as inserted alone.
    private func reportedUpdates(
        _ updated: ContiguousArray<NSManagedObject>,
        apartFrom inserted: Set<NSManagedObject>
    ) -> Set<NSManagedObject> {
        var set = EventSets.makeSet(for: updated)
        updated.forEachUncounted { object in
            guard object.state.contains(.pendingUpdate), object.state.isDisjoint(with: [.deleted, .gone]),
                !inserted.contains(object)
            else { return }
            set.insert(object)
        }
        return set
    }

    /// The refreshed objects that an event reports; changed ones are reported as updated alone.
    private func reportedRefreshes(
        _ refreshed: ContiguousArray<NSManagedObject>,
        apartFrom updated: Set<NSManagedObject>
    ) -> Set<NSManagedObject> {
        var set = Set<NSManagedObject>(minimumCapacity: updated.isEmpty ? refreshed.count : 0)
        for object in refreshed where object.state.contains(.pendingRefresh) {
            if updated.contains(object) {
                rereadUpdates.insert(ObjectIdentifier(object))
            } else {
                set.insert(object)
            }
        }
        return set
    }

    /// Removes from the context deleted objects that need no save.
    private func endDeletions(_ deleted: ContiguousArray<NSManagedObject>) {
        let propagatesDeletes = propagatesDeletesAtEndOfEvent
        for object in deleted {
            let isTakenBack = object.state.contains(.takenBack)
            object.state.subtract([.pendingDelete, .pendingInsert, .takenBack])
            if !propagatesDeletes, !isTakenBack,
                object.state.isDisjoint(with: [.deletedElsewhere, .inaccessible, .gone])
            {
                // Its relationships stay intact until the save, which also drops a new object.
                openDeletions.unspread.append(object)
                continue
            }
            if object.state.contains([.inserted, .deleted]) { forget(object) }
        }
    }

    /// Removes from the context a new object that was deleted before it was saved, or one that has lost its row.
    final func forget(_ object: NSManagedObject) {
        _ = object.identifyingKey
        if !object.state.isDisjoint(with: .withoutRow) {
            // It has counted the objects of the list.
            pendingIndex = nil
            deletedList.removeAll { $0 === object }
            if object.state.contains(.listedUpdated) { updatedList.removeAll { $0 === object } }
            object.state.remove(.listedUpdated)
        }
        registry.remove(object)
        if object.state.contains(.inserted) { hasDeparted = true }
        object.state.subtract([.inserted, .updated, .deletedElsewhere, .listedDeleted])
        object.state.formUnion([.gone, .deleted])
        object.registry = nil
        stopKeeping(object)
    }

    final func postDidChange(
        inserted: Set<NSManagedObject>,
        updated: Set<NSManagedObject>,
        deleted: Set<NSManagedObject>,
        refreshed: Set<NSManagedObject>
    ) {
        // Most events are of one kind.
        var info: [AnyHashable: Any]
        switch (inserted.isEmpty, updated.isEmpty, deleted.isEmpty) {
        case (false, true, true): info = NotificationForm.inserted.filled(self, inserted)
        case (true, false, true): info = NotificationForm.updated.filled(self, updated)
        case (true, true, false): info = NotificationForm.deleted.filled(self, deleted)
        default:
            info = NotificationForm.context.filled(self)
            if !inserted.isEmpty { info[NSInsertedObjectsKey] = inserted }
            if !updated.isEmpty { info[NSUpdatedObjectsKey] = updated }
            if !deleted.isEmpty { info[NSDeletedObjectsKey] = deleted }
        }
        if !refreshed.isEmpty { info[NSRefreshedObjectsKey] = refreshed }
        if isMerging {
            // Apple's key, which has no public constant; programs use it to recognize changes made elsewhere.
            info["NSObjectsChangedByMergeChangesKey"] = Self.united([inserted, updated, deleted, refreshed])
        }
        NotificationCenter.default.post(
            name: .NSManagedObjectContextObjectsDidChange,
            object: self,
            userInfo: info
        )
    }
}

extension NSManagedObjectContext {
    /// The union of sets, most of which are often empty: the largest is not hashed again.
    private static func united(_ sets: [Set<NSManagedObject>]) -> Set<NSManagedObject> {
        let ordered = sets.sorted { $0.count > $1.count }
        return ordered.dropFirst().reduce(ordered.first ?? []) { $1.isEmpty ? $0 : $0.union($1) }
    }
}

extension ContiguousArray<NSManagedObject> {
    /// The elements that are in a set, which has no others, each once and in their order.
    fileprivate func distinct(in set: Set<NSManagedObject>) -> Self {
        // Mostly these are all.
        if set.count == count { return self }
        var seen: Set<ObjectIdentifier> = []
        return filter { set.contains($0) && seen.insert(ObjectIdentifier($0)).inserted }
    }
}
