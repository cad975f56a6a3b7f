// Discards unsaved changes, or all objects. Called by programs.
import Foundation

extension NSManagedObjectContext {
    /// Implements `rollback()`.
    final func discardChanges() {
        pendingIndex = nil
        checkQueue("rollback()")
        endEvent()
        undoManager?.removeAllActions(withTarget: self)
        dropDeparted()
        let inserted = insertedList.filter { $0.state.contains(.inserted) }
        let updated = updatedList.filter { $0.state.contains(.updated) && !$0.state.contains(.deleted) }
        let deleted = deletedList.filter { $0.state.contains(.deleted) && $0.state.isDisjoint(with: .withoutRow) }
        let withoutRow = deletedList.filter { !$0.state.isDisjoint(with: .withoutRow) }
        insertedList = []
        clearUpdatedList()
        openDeletions = OpenDeletions()
        clearDeletedList()
        assignedStores = [:]
        for object in updated { object.rollBack() }
        for object in deleted {
            object.rollBack()
            object.state.remove(.deleted)
        }
        for object in withoutRow {
            if object.state.contains(.inaccessible) {
                // The next read detects the missing row again; unsaved changes that were kept over it go now.
                object.state.subtract([.deleted, .inaccessible])
                object.turnIntoFault()
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
            stopKeeping(object)
        }
        pending.inserted = []
        pending.updated = []
        pending.deleted = []
        eventSets = EventSets()
        for object in updated + deleted { object.awake(fromSnapshotEvents: .rollback) }
        let updatedSet = Set(updated.filter { !$0.state.contains(.gone) })
        // Changes that observers make belong to the next event.
        eventNumber = Edits.event(after: eventNumber)
        if !(inserted.isEmpty && updated.isEmpty && deleted.isEmpty) {
            // Deleted objects are reported as inserted, inserted ones as deleted.
            postDidChange(
                inserted: Set(deleted),
                updated: updatedSet.subtracting(deleted),
                deleted: Set(inserted),
                refreshed: []
            )
        }
    }

    /// Implements `reset()`.
    final func forgetAllObjects() {
        pendingIndex = nil
        checkQueue("reset()")
        undoManager?.removeAllActions(withTarget: self)
        advanceGeneration()
        renewSnapshots()
        // New objects that were deleted in this event are neither registered nor counted as inserted.
        let unregistered = insertedList.filter { $0.registry === registry && $0.primaryKey == 0 }
        var objects = registry.allObjects()
        if !unregistered.isEmpty { objects += Set(unregistered) }
        var links = LatestLink(registry.coordinator)
        var identifiers: [NSManagedObjectID] = []
        identifiers.reserveCapacity(objects.count)
        objects.forEachUncounted { object in
            let key = object.identifyingKey
            identifiers.append(
                key.isTemporary
                    ? object.objectID
                    : NSManagedObjectID(layout: object.layout, key: key, link: links.link(of: key.store))
            )
        }
        registry.removeAll(objects)
        objects.forEachUncounted { object in
            object.becomeShell(of: object.primaryKey > 0 ? links.link(of: object.key.store) : nil)
        }
        insertedList = []
        hasDeparted = false
        updatedList = []
        deletedList = []
        pending = PendingEvent()
        eventSets = EventSets()
        openDeletions = OpenDeletions()
        assignedStores = [:]
        checkedObjects = [:]
        turnObjects = []
        readingAhead = nil
        recentObjects = RecentObjects()
        endEventAnswers()
        forgetRetained()
        resetCount += 1
        NotificationCenter.default.post(
            name: .NSManagedObjectContextObjectsDidChange,
            object: self,
            userInfo: ["managedObjectContext": self, NSInvalidatedAllObjectsKey: identifiers]
        )
    }
}
