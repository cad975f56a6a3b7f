// Objects whose values are read anew when they are next asked for. Called by programs and by merges.

extension NSManagedObjectContext {
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
            if object.state.isDisjoint(with: [.inserted, .deletedElsewhere]) { refreshKeepingChanges([object]) }
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
            registry.allObjects().filter { $0.state.isDisjoint(with: [.inserted, .deletedElsewhere, .gone]) }
        )
    }
}
