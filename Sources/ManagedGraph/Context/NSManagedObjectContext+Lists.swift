// The lists of updated and deleted objects, the marks of the objects in them, and the end of the answers that are kept for
// one event. Called by changes, events, saves and merges.

extension NSManagedObjectContext {
    /// Enters an object into the list of deleted ones, unless it is still there.
    final func listDeleted(_ object: NSManagedObject) {
        guard !object.state.contains(.listedDeleted) else { return }
        object.state.insert(.listedDeleted)
        deletedList.append(object)
    }

    /// Releases the answers that are kept for one event: views of ordered relationships and sets of changed objects.
    final func endEventAnswers() {
        orderedViews.removeAll()
        listedObjects.forget()
    }

    /// Empties the list of deleted objects and updates their state.
    final func clearDeletedList() {
        deletedList.forEachUncounted { $0.state.remove(.listedDeleted) }
        deletedList = []
    }

    /// Empties the list of deleted objects, except for those to be kept, and updates the state of the others.
    final func clearDeletedList(keeping isKept: (NSManagedObject) -> Bool) {
        for object in deletedList where !isKept(object) { object.state.remove(.listedDeleted) }
        deletedList.removeAll { !$0.state.contains(.listedDeleted) }
    }

    /// Empties the list of updated objects and updates their state.
    final func clearUpdatedList() {
        updatedList.forEachUncounted { $0.state.remove(.listedUpdated) }
        updatedList = []
    }

    /// Empties the list of updated objects, except for those to be kept, and updates the state of the others.
    final func clearUpdatedList(keeping isKept: (NSManagedObject) -> Bool) {
        for object in updatedList where !isKept(object) { object.state.remove(.listedUpdated) }
        updatedList.removeAll { !$0.state.contains(.listedUpdated) }
    }
}
