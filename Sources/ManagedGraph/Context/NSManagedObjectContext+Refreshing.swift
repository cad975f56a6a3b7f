// Makes objects reread their values on next access. Called by programs and by merges.

extension NSManagedObjectContext {
    /// Implements `refresh(_:mergeChanges:)`.
    final func reread(_ object: NSManagedObject, mergeChanges flag: Bool) {
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
        pending.refreshed.append(object)
        noteEvent()
    }

    /// Implements `refreshAllObjects()`.
    final func rereadAllObjects() {
        renewSnapshots()
        refreshKeepingChanges(
            registry.allObjects().filter { $0.state.isDisjoint(with: [.inserted, .deletedElsewhere, .gone]) }
        )
    }
}
