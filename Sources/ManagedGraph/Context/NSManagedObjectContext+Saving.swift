// Saving: the named steps, in order. The steps that touch stores are in UnitOfWork/SaveOperation.swift.
import Foundation
import GraphEngine

extension NSManagedObjectContext {
    /// The default implementation of `save()`.
    final func saveChanges() throws {
        checkQueue("save()")
        try collectingFailedReads { try observedSave { try saveInSteps() } }
    }

    private func saveInSteps() throws {
        pendingIndex = nil
        let coordinator = hasListedChanges ? try requireCoordinator() : registry.coordinator
        var changes = try prepareForSave()
        post(.NSManagedObjectContextWillSave, nil)
        // An observer may have made changes, perhaps the first ones.
        if !pending.isEmpty { changes = try prepareForSave() }
        guard let coordinator = coordinator ?? registry.coordinator, !changes.isEmpty else { return try saveNothing() }
        changes = try validated(changes)
        try throwFailedRead()
        guard !changes.isEmpty else { return try saveNothing() }
        // More conflicts can appear after each retry; each round resolves those the previous attempt found.
        for _ in 0..<100 {
            do {
                try changes.checkReferences()
                try observedWrite(of: changes) { try write(changes, coordinator) }
                return
            } catch let conflicts as SaveConflicts {
                guard let policy = mergePolicy as? NSMergePolicy else { throw CoreDataError.unsettled(conflicts.list) }
                try resolvingConflicts {
                    try policy.resolve(mergeConflicts: conflicts.list)
                    processForSave()
                }
                changes = try callWillSave(exceptOn: changes)
                try throwFailedRead()
                changes = try validated(changes)
                try throwFailedRead()
            }
        }
        throw CoreDataError.make(
            NSManagedObjectMergeError,
            "The merge policy has settled conflicts a hundred times, and there were others each time.",
            remedy:
                "Let resolve(mergeConflicts:) bring the objects in line with the store, for example by calling super."
        )
    }

    /// Ends the event, then calls `willSave` on the objects.
    private func prepareForSave() throws -> SaveChanges {
        readChangedFaults()
        processForSave()
        let changes = try callWillSave()
        try throwFailedRead()
        return changes
    }

    /// Reads objects that were changed while their rows could not be read: values not set come from the store.
    private func readChangedFaults() {
        for object in updatedList where object.state.contains([.updated, .fault]) { object.fire() }
    }

    /// The origin that the history records for changes that bypass objects: the root context, as for saves.
    final var rootOrigin: SaveOrigin {
        guard let parentContext else { return SaveOrigin(author: transactionAuthor, contextName: name) }
        return parentContext.onQueue { parentContext.rootOrigin }
    }

    /// Performs a save without changes of objects; observers are notified as for any other.
    private func saveNothing() throws {
        if parentContext == nil { try registry.coordinator?.saveMetadata(context: self) }
        postDidSave(SaveChanges(inserted: [], updated: [], deleted: []))
    }

    /// Attempts to write all changes, to the parent or to the stores.
    private func write(_ allChanges: SaveChanges, _ coordinator: NSPersistentStoreCoordinator) throws {
        let changes = allChanges.withRows
        if changes.isEmpty, checkedObjects.isEmpty {
            if parentContext == nil { try coordinator.saveMetadata(context: self) }
            return finish(allChanges) { $0.version }
        }
        if let parentContext {
            let operation = ParentSave(changes, context: self, parent: parentContext)
            try parentContext.onQueue { () throws in try operation.run() }
            finish(allChanges, announcing: changes) { $0.version }
        } else {
            let operation = SaveOperation(changes, context: self, coordinator: coordinator)
            do {
                try operation.run()
            } catch let incomplete as IncompleteSave {
                let part = changes.part(of: incomplete.committed)
                _ = take(operation.derived)
                finish(part, announcing: part, operation.changeToken) { operation.newVersion(of: $0) }
                throw incomplete.cocoaError
            }
            let touched = operation.derived.isEmpty ? [] : take(operation.derived)
            finish(allChanges, announcing: changes, refreshed: touched, operation.changeToken) {
                operation.newVersion(of: $0)
            }
        }
    }

    /// Calls `willSave` on all objects to be saved, and again on those the calls change, until nothing changes.
    ///
    /// - Parameter former: Changes whose objects were called before; a merge policy may have added others.
    /// - Returns: The changes to save.
    /// - Throws: An error after a thousand rounds.
    private func callWillSave(exceptOn former: SaveChanges? = nil) throws -> SaveChanges {
        let changes = changesToSave()
        if let former {
            var called: Set<ObjectIdentifier> = []
            former.forEach { called.insert(ObjectIdentifier($0)) }
            changes.forEach { if !called.contains(ObjectIdentifier($0)) { $0.willSave() } }
        } else {
            changes.forEach { $0.willSave() }
        }
        guard !pending.isEmpty else { return changes }
        for _ in 0..<1000 {
            // Objects reached by a deletion in willSave() are saved as well.
            propagateDeletes()
            var seen: Set<ObjectIdentifier> = []
            let changed = (pending.inserted + pending.updated + pending.deleted).filter {
                seen.insert(ObjectIdentifier($0)).inserted
            }
            if changed.isEmpty { return changesToSave() }
            processForSave()
            for object in changed where !object.state.contains(.gone) { object.willSave() }
        }
        throw CoreDataError.make(
            NSCoreDataError,
            "willSave() has changed objects 1,000 times in a row.",
            remedy: "Change an object in willSave() only if its value differs, or use primitive setters."
        )
    }

    /// The changes to save.
    ///
    /// Uses the lists themselves, without copying, if all of their objects are still in the list's state.
    private func changesToSave() -> SaveChanges {
        dropDeparted()
        return SaveChanges(
            inserted: Self.filtered(insertedList) { $0.contains(.inserted) && !$0.contains(.deleted) },
            updated: Self.filtered(updatedList) { $0.contains(.updated) && !$0.contains(.deleted) },
            deleted: Self.filtered(deletedList) { $0.contains(.deleted) && !$0.contains(.gone) }
        )
    }

    @inline(__always)
    private static func filtered(
        _ list: ContiguousArray<NSManagedObject>,
        _ isWanted: (ObjectState) -> Bool
    ) -> ContiguousArray<NSManagedObject> {
        list.allSatisfyUncounted { isWanted($0.state) } ? list : list.filter { isWanted($0.state) }
    }

    /// Validates the objects of a save; returns the changes to save, as a validation method may have made others.
    private func validated(_ changes: SaveChanges) throws -> SaveChanges {
        if !skipsValidation { try validate(changes) }
        guard !pending.isEmpty else { return changes }
        processForSave()
        return changesToSave()
    }

    /// Validates deleted objects first, then inserted, then updated ones.
    ///
    /// Throws all errors together.
    private func validate(_ changes: SaveChanges) throws {
        var errors: [any Error] = []
        func collect(_ check: () throws -> Void) {
            do {
                try check()
            } catch {
                errors.append(error)
            }
        }
        let deleted = changes.deleted
        let reader = DeleteRuleReader(context: self)
        let isToValidate = { (object: NSManagedObject) in object.state.isDisjoint(with: .withoutRow) }
        var denying: [[NSManagedObject]] = []
        var next = 0
        deleted.forEachUncounted { object in
            if next % DeleteRuleReader.limit == 0 {
                let places = next..<min(next + DeleteRuleReader.limit, deleted.count)
                let isFree = deleted.allSatisfyUncounted(places) { !$0.table.pointee.hasDenyRules }
                denying = isFree ? [] : reader.readDenying(deleted[places].filter(isToValidate)[...])
            }
            next += 1
            if isToValidate(object) { collect { try object.validateForDelete() } }
        }
        withExtendedLifetime(denying) {}
        changes.inserted.forEachUncounted { object in collect { try object.validateForInsert() } }
        changes.updated.forEachUncounted { object in collect { try object.validateForUpdate() } }
        if let error = CoreDataError.combine(errors) { throw error }
    }

    /// Finishes a save after the stores were written: marks objects as clean, runs callbacks and notifications.
    ///
    /// Automatic merges are queued before the notification is posted: a program that reads such a context on its queue
    /// when it gets the notification finds the changes.
    private func finish(
        _ operation: SaveChanges,
        announcing announced: SaveChanges? = nil,
        refreshed: Set<NSManagedObjectID> = [],
        _ changeToken: NSPersistentHistoryToken? = nil,
        newVersion: (NSManagedObject) -> Int64
    ) {
        let isRoot = parentContext == nil
        operation.inserted.forEachUncounted { $0.commitChanges(version: isRoot ? newVersion($0) : 0) }
        operation.updated.forEachUncounted { $0.commitChanges(version: newVersion($0)) }
        registry.remove(operation.deleted)
        leave(operation.deleted)
        removeFromLists(operation)
        checkedObjects = [:]
        pendingIndex = nil
        keepUntilEventEnds(operation)
        operation.forEach { $0.didSave() }
        if let announced { announce(SavedChanges(announced, registry.coordinator, refreshed: refreshed)) }
        postDidSave(operation, changeToken)
        // Observers may have inserted one of them again.
        operation.deleted.forEachUncounted { if $0.state.contains(.gone) { $0.becomeShell() } }
    }

    /// Removes the objects of a save from the lists of changed objects.
    ///
    /// Code of the program that runs while a save writes, such as a transformer, may have changed other objects, which
    /// the next save writes. A pass over a list is needed only if it has other objects than those saved.
    private func removeFromLists(_ saved: SaveChanges) {
        listedObjects.forget()
        if insertedList.count == saved.inserted.count {
            insertedList = []
        } else {
            insertedList.removeAll { !$0.state.contains(.inserted) || $0.registry !== registry }
        }
        hasDeparted = false
        if updatedList.count == saved.updated.count {
            clearUpdatedList()
        } else {
            clearUpdatedList { $0.state.contains(.updated) }
        }
        if deletedList.count == saved.deleted.count {
            // They have new states, without the mark of the list.
            deletedList = []
        } else {
            clearDeletedList { $0.state.contains(.deleted) && !$0.state.contains(.gone) }
        }
        if insertedList.isEmpty {
            assignedStores = [:]
        } else if !assignedStores.isEmpty {
            let unsaved = Set(insertedList.map { ObjectIdentifier($0) })
            assignedStores = assignedStores.filter { unsaved.contains($0.key) }
        }
    }

    /// Takes objects whose deletion is saved out of the context.
    private func leave(_ deleted: ContiguousArray<NSManagedObject>) {
        // Most objects are of the same store as the one before.
        var (store, link): (Int32, StoreLink?) = (-1, nil)
        deleted.forEachUncounted { object in
            object.state = object.state.intersection(.observed).union([.gone, .deleted])
            if object.table.pointee.store != store {
                store = object.table.pointee.store
                link = registry.coordinator?.link(at: store)
            }
            object.home.leave(for: object.primaryKey > 0 ? link : nil)
            stopKeeping(object)
        }
    }

    private func postDidSave(_ operation: SaveChanges, _ changeToken: NSPersistentHistoryToken? = nil) {
        let sets = eventSets
        eventSets = EventSets()
        if !operation.isEmpty { advanceGeneration() }
        var info = NotificationForm.saved.filled(
            self,
            EventSets.set(of: operation.inserted, ifNot: sets.inserted),
            EventSets.set(of: operation.updated, ifNot: sets.updated),
            EventSets.set(of: operation.deleted, ifNot: sets.deleted)
        )
        if let generation { info[NSManagedObjectContextQueryGenerationKey] = generation }
        // Apple's key, which has no public constant.
        if let changeToken { info["newChangeToken"] = changeToken }
        post(.NSManagedObjectContextDidSave, info)
        guard IdentifierNotification.saved.isWanted else { return }
        post(
            IdentifierNotification.saved.name,
            [
                NotificationForm.contextKey: self,
                NSInsertedObjectIDsKey: Set(operation.inserted.identifiers(registry.coordinator)),
                NSUpdatedObjectIDsKey: Set(operation.updated.identifiers(registry.coordinator)),
                NSDeletedObjectIDsKey: Set(operation.deleted.identifiers(registry.coordinator)),
            ]
        )
    }

    private func post(_ name: NSNotification.Name, _ info: [AnyHashable: Any]?) {
        NotificationCenter.default.post(name: name, object: self, userInfo: info)
    }
}
