// Makes objects reread their values on next access. Called by programs and by merges.

extension NSManagedObjectContext {
    /// Makes an object reread its values on next access.
    ///
    /// A new object whose changes are dropped is no longer inserted: it becomes a fault without a row.
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
        if object.state.contains(.deleted) { undelete(object) }
        object.state.subtract([.updated, .pendingUpdate])
        object.turnIntoFault()
        noteRefresh(object)
    }

    /// Removes a new object from those to be saved.
    private func dropInsertion(of object: NSManagedObject) {
        // Register it by its key, as it leaves the list of inserted objects.
        _ = object.identifyingKey
        detach(object)
        assignedStores[ObjectIdentifier(object)] = nil
        object.state.subtract([.inserted, .pendingInsert])
        hasDeparted = true
    }

    /// Reports the object as refreshed at the end of the event.
    final func noteRefresh(_ object: NSManagedObject) {
        guard !object.state.contains(.pendingRefresh) else { return }
        object.state.insert(.pendingRefresh)
        pendingRefreshed.append(object)
        noteEvent()
    }

    /// Makes all objects reread their values on next access; unsaved changes are kept.
    public func refreshAllObjects() {
        renewSnapshots()
        refreshKeepingChanges(
            registry.allObjects().filter { $0.state.isDisjoint(with: [.inserted, .deletedElsewhere, .gone]) }
        )
    }
}
