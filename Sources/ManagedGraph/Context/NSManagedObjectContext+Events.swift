// The end of an event: deletions spread, and observers are notified of what has changed. Called at the end of each turn
// and before a save.
import Foundation

extension NSManagedObjectContext {
    /// Spreads deletions along relationships and posts what has changed since the last call.
    ///
    /// O(objects changed since the last call).
    public func processPendingChanges() {
        checkQueue("processPendingChanges()")
        guard !isProcessing else { return }
        isProcessing = true
        defer { isProcessing = false }
        // Observers may change objects in turn; a few rounds settle that, more are the next event's.
        for _ in 0..<100 {
            guard hasPending else { return }
            orderedViews.removeAll()
            if propagatesDeletesAtEndOfEvent { propagateDeletes() }
            postEvent()
        }
    }

    /// Whether anything was changed since the last event.
    final var hasPending: Bool {
        !(pendingInserted.isEmpty && pendingUpdated.isEmpty && pendingDeleted.isEmpty && pendingRefreshed.isEmpty
            && pendingMerged.isEmpty)
    }

    /// Applies the delete rules of everything deleted.
    ///
    /// Cascades may delete more. O(objects reached).
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
            // Whoever took the object out has applied its rules.
            guard object.state.contains(.pendingDelete),
                object.state.isDisjoint(with: [.takenOut, .takenBack, .inaccessible])
            else { continue }
            applyDeleteRules(object)
        }
        for object in earlier where object.state.contains(.inserted) { forget(object) }
    }

    /// Applies the delete rules before a fetch, so that it does not return what they delete.
    ///
    /// The event goes on: an object that is being set up is not reported before it is complete.
    final func propagateDeletesForFetch() {
        guard !pendingDeleted.isEmpty, propagatesDeletesAtEndOfEvent, !isProcessing else { return }
        propagateDeletes()
    }

    /// Ends the event as a save does, which applies the delete rules whatever `propagatesDeletesAtEndOfEvent` says.
    final func processForSave() {
        if !propagatesDeletesAtEndOfEvent || !unspreadDeletes.isEmpty || !halfSpreadDeletes.isEmpty {
            propagateDeletes()
        }
        processPendingChanges()
        for object in unspreadDeletes where object.state.contains([.inserted, .deleted]) { forget(object) }
        unspreadDeletes = []
    }

    private func applyDeleteRules(_ object: NSManagedObject) {
        let failed = registry.failedReads.count
        defer { if registry.failedReads.count != failed { halfSpreadDeletes.append(object) } }
        let layout = object.layout
        for slot in layout.toOneSlots {
            guard let destination = object.toOneObject(slot), !destination.state.contains(.gone) else { continue }
            let description = layout.slots[slot]
            apply(description, to: destination, of: object)
            // The relationship ends on both sides, unless both go.
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
            // Checked by validateForDelete; until then the relationship stays whole. An object that was never saved
            // is not validated: it just goes.
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

    /// Posts one notification for what is pending and begins a new event.
    private func postEvent() {
        let inserted = pendingInserted
        let updated = pendingUpdated
        let deleted = pendingDeleted
        let refreshed = pendingRefreshed
        pendingInserted = []
        pendingUpdated = []
        pendingDeleted = []
        pendingRefreshed = []
        let merged = pendingMerged
        pendingMerged = []

        var insertedSet = Set<NSManagedObject>(minimumCapacity: inserted.count)
        for object in inserted where object.state.contains(.pendingInsert) {
            // An object that was inserted and deleted in one event is reported as deleted.
            if object.state.contains(.deleted) { continue }
            object.state.remove(.pendingInsert)
            insertedSet.insert(object)
        }
        var updatedSet = Set<NSManagedObject>(minimumCapacity: updated.count)
        for object in updated
        where object.state.contains(.pendingUpdate) && object.state.isDisjoint(with: [.deleted, .gone]) {
            if !insertedSet.contains(object) { updatedSet.insert(object) }
        }
        var deletedSet = Set<NSManagedObject>()
        for object in deleted where object.state.contains(.pendingDelete) { deletedSet.insert(object) }
        var refreshedSet = Set<NSManagedObject>()
        for object in refreshed where object.state.contains(.pendingRefresh) {
            if updatedSet.contains(object) {
                rereadUpdates.insert(ObjectIdentifier(object))
            } else {
                refreshedSet.insert(object)
            }
        }
        if undoManager != nil {
            recordForUndo(
                inserted: inserted.filter(insertedSet.contains),
                updated: updated.filter(updatedSet.contains),
                deleted: deleted.filter {
                    $0.state.contains(.pendingDelete)
                        && $0.state.isDisjoint(with: [.pendingInsert, .takenOut, .inaccessible])
                }
            )
        }
        // Valid for the save only as long as nothing else was inserted before or has gone since.
        let isAll = insertedSet.count == insertedList.count
        if !inserted.isEmpty || !deleted.isEmpty { lastInserted = isAll ? insertedSet : [] }
        for object in updated { object.state.remove(.pendingUpdate) }
        for object in refreshed { object.state.remove(.pendingRefresh) }
        insertedSet.formUnion(merged)
        for object in deleted {
            let isTakenBack = object.state.contains(.takenBack)
            object.state.subtract([.pendingDelete, .pendingInsert, .takenBack])
            if !propagatesDeletesAtEndOfEvent, !isTakenBack,
                object.state.isDisjoint(with: [.takenOut, .inaccessible, .gone])
            {
                // Its relationships are whole until the save, which lets go of a new one too.
                unspreadDeletes.append(object)
                continue
            }
            if object.state.contains([.inserted, .deleted]) { forget(object) }
        }
        if !(insertedSet.isEmpty && updatedSet.isEmpty && deletedSet.isEmpty && refreshedSet.isEmpty) {
            postDidChange(inserted: insertedSet, updated: updatedSet, deleted: deletedSet, refreshed: refreshedSet)
        }
        if !rereadUpdates.isEmpty { rereadUpdates = [] }
        eventNumber += 1
    }

    /// A new object that was deleted before it was saved leaves the context, and so does one that has lost its row.
    final func forget(_ object: NSManagedObject) {
        _ = object.objectID
        if object.state.contains(.takenOut) { deletedList.removeAll { $0 === object } }
        registry.remove(object)
        object.state.subtract([.inserted, .updated, .takenOut])
        object.state.formUnion([.gone, .deleted])
        object.registry = nil
    }

    private func postDidChange(
        inserted: Set<NSManagedObject>,
        updated: Set<NSManagedObject>,
        deleted: Set<NSManagedObject>,
        refreshed: Set<NSManagedObject>
    ) {
        var info: [AnyHashable: Any] = ["managedObjectContext": self]
        if !inserted.isEmpty { info[NSInsertedObjectsKey] = inserted }
        if !updated.isEmpty { info[NSUpdatedObjectsKey] = updated }
        if !deleted.isEmpty { info[NSDeletedObjectsKey] = deleted }
        if !refreshed.isEmpty { info[NSRefreshedObjectsKey] = refreshed }
        if isMerging {
            // Apple's key, which has no public constant: by it programs tell what others have changed.
            info["NSObjectsChangedByMergeChangesKey"] = inserted.union(updated).union(deleted).union(refreshed)
        }
        NotificationCenter.default.post(
            name: .NSManagedObjectContextObjectsDidChange,
            object: self,
            userInfo: info
        )
    }

    // MARK: Taking changes back

    /// Drops all changes that were not saved; values return to those last read or saved.
    public func rollback() {
        checkQueue("rollback()")
        processPendingChanges()
        undoManager?.removeAllActions(withTarget: self)
        let inserted = insertedList.filter { $0.state.contains(.inserted) }
        let updated = updatedList.filter { $0.state.contains(.updated) && !$0.state.contains(.deleted) }
        let deleted = deletedList.filter { $0.state.contains(.deleted) && $0.state.isDisjoint(with: .withoutRow) }
        let withoutRow = deletedList.filter { !$0.state.isDisjoint(with: .withoutRow) }
        insertedList = []
        clearUpdatedList()
        unspreadDeletes = []
        halfSpreadDeletes = []
        deletedList = []
        assignedStores = [:]
        for object in updated { object.rollBack() }
        for object in deleted {
            object.rollBack()
            object.state.remove(.deleted)
        }
        for object in withoutRow {
            if object.state.contains(.inaccessible) {
                // Reading it finds again that there is no row.
                object.state.subtract([.deleted, .inaccessible])
                object.state.insert(.fault)
            } else {
                forget(object)
                object.becomeShell()
            }
        }
        for object in inserted {
            registry.remove(object)
            object.state.subtract([.inserted, .updated])
            object.state.insert(.gone)
            object.registry = nil
        }
        pendingInserted = []
        pendingUpdated = []
        pendingDeleted = []
        for object in updated + deleted { object.awake(fromSnapshotEvents: .rollback) }
        let updatedSet = Set(updated.filter { !$0.state.contains(.gone) })
        if !(inserted.isEmpty && updated.isEmpty && deleted.isEmpty) {
            // What was deleted comes back as inserted; what was inserted goes.
            postDidChange(
                inserted: Set(deleted),
                updated: updatedSet.subtracting(deleted),
                deleted: Set(inserted),
                refreshed: []
            )
        }
        eventNumber += 1
    }

    /// Forgets all objects; those still held become shells without a context.
    public func reset() {
        checkQueue("reset()")
        undoManager?.removeAllActions(withTarget: self)
        advanceGeneration()
        renewSnapshots()
        // New objects that were deleted in this event are neither registered nor counted as inserted.
        let all = Array(registeredObjects.union(insertedList.filter { $0.registry === registry }))
        let identifiers = all.map(\.objectID)
        for object in all {
            registry.remove(object)
            object.becomeShell()
        }
        insertedList = []
        updatedList = []
        deletedList = []
        pendingInserted = []
        pendingUpdated = []
        pendingDeleted = []
        pendingRefreshed = []
        pendingMerged = []
        unspreadDeletes = []
        halfSpreadDeletes = []
        assignedStores = [:]
        turnObjects = []
        recentObjects = RecentObjects()
        orderedViews.removeAll()
        forgetRetained()
        resetCount += 1
        NotificationCenter.default.post(
            name: .NSManagedObjectContextObjectsDidChange,
            object: self,
            userInfo: ["managedObjectContext": self, NSInvalidatedAllObjectsKey: identifiers]
        )
    }

    /// Has an object's values read anew when they are next asked for.
    ///
    /// A new object whose changes are dropped is inserted no longer: it becomes a fault without a row.
    ///
    /// - Parameters:
    ///   - object: An object of this context.
    ///   - flag: True keeps an object that has unsaved changes, over fresh values; false drops them. In all other cases
    ///     the object becomes a fault.
    public func refresh(_ object: NSManagedObject, mergeChanges flag: Bool) {
        checkQueue("refresh(\(object.describeForMessages), mergeChanges: \(flag))")
        guard object.registry === registry, !object.state.contains(.gone) else { return }
        renewSnapshots()
        if flag {
            if object.state.isDisjoint(with: [.inserted, .takenOut]) { refreshKeepingChanges([object]) }
            return
        }
        if object.state.contains(.inserted) { dropInsertion(of: object) }
        if object.state.contains(.pendingUpdate) { pendingUpdated.removeAll { $0 === object } }
        if object.state.contains(.deleted) { undelete(object) }
        object.state.subtract([.updated, .pendingUpdate])
        object.turnIntoFault()
        noteRefresh(object)
    }

    /// Takes a new object out of those to be saved.
    private func dropInsertion(of object: NSManagedObject) {
        // Known by its identifier from now on, as it is no longer in the list of inserted objects.
        _ = object.objectID
        detach(object)
        insertedList.removeAll { $0 === object }
        if object.state.contains(.pendingInsert) { pendingInserted.removeAll { $0 === object } }
        assignedStores[ObjectIdentifier(object)] = nil
        object.state.subtract([.inserted, .pendingInsert])
    }

    /// The object is told of as refreshed at the end of the event.
    final func noteRefresh(_ object: NSManagedObject) {
        guard !object.state.contains(.pendingRefresh) else { return }
        object.state.insert(.pendingRefresh)
        pendingRefreshed.append(object)
        noteEvent()
    }

    /// Has the values of all objects read anew when they are next asked for; unsaved changes are kept.
    public func refreshAllObjects() {
        renewSnapshots()
        refreshKeepingChanges(
            registry.allObjects().filter { $0.state.isDisjoint(with: [.inserted, .takenOut, .gone]) }
        )
    }
}
