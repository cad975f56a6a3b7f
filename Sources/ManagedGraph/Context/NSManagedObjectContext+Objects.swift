// Finds objects by key and fills faults. Called by relationships, fetches and programs.
import Foundation
import GraphEngine
import GraphSQLite

extension NSManagedObjectContext {
    /// Implements `registeredObject(for:)`.
    final func objectInMemory(_ objectID: NSManagedObjectID) -> NSManagedObject? {
        checkQueue("registeredObject(for: \(objectID))")
        guard let key = localKey(objectID) else { return nil }
        return registered(key, objectID.layout.tree)
    }

    /// Implements `object(with:)`.
    final func objectOrFault(_ objectID: NSManagedObjectID) -> NSManagedObject {
        checkQueue("object(with: \(objectID))")
        guard let key = localKey(objectID) else {
            preconditionFailure(
                "\(objectID) does not belong to a store of this context's coordinator. "
                    + "Use existingObject(with:), which throws."
            )
        }
        if let object = registered(key, objectID.layout.tree) { return object }
        let object = newFault(key, layout(of: key))
        if registry.faultingPolicy != .allow { noteLooseFault(object) }
        return object
    }

    /// Implements `existingObject(with:)`.
    final func objectWithValues(_ objectID: NSManagedObjectID) throws -> NSManagedObject {
        checkQueue("existingObject(with: \(objectID))")
        var missing: NSError {
            CoreDataError.make(
                NSManagedObjectReferentialIntegrityError,
                "There is no \(objectID.layout.name) \(objectID).",
                remedy: "It was deleted, or never saved. Fetch again.",
                userInfo: [NSAffectedObjectsErrorKey: [objectID]]
            )
        }
        guard let key = localKey(objectID) else { throw missing }
        if let existing = registered(key, objectID.layout.tree) {
            if !existing.state.isDisjoint(with: [.gone, .inaccessible, .deletedElsewhere]) { throw missing }
            if !existing.state.contains(.fault) { return existing }
            guard try fill(existing) else { throw missing }
            existing.fire()
            return existing
        }
        if key.isTemporary, parentContext == nil { throw missing }
        let object = newFault(key, layout(of: key))
        guard try fill(object) else { throw missing }
        object.fire()
        return object
    }

    /// The identifier's key in this context's coordinator, in which the same store may have another index.
    final func localKey(_ objectID: NSManagedObjectID) -> ObjectKey? {
        if !objectID.isTemporaryID, objectID.isInStore(ofCoordinator: registry.coordinatorNumber) {
            return objectID.key
        }
        guard let coordinator = registry.coordinator else { return objectID.isTemporaryID ? objectID.key : nil }
        if objectID.isTemporaryID {
            if let permanent = objectID.permanent { return localKey(permanent) }
            let key = coordinator.promotedKeys.current(objectID.key)
            guard key.isTemporary, objectID.layout.model !== coordinator.compiledModel else { return key }
            return coordinator.compiledModel.byName[objectID.layout.name].map {
                ObjectKey(entity: Int32($0.index), store: key.store, primaryKey: key.primaryKey)
            }
        }
        guard
            let store = coordinator.persistentStores.first(where: {
                $0.identifier == objectID.storeIdentifier
            }),
            let layout = coordinator.compiledModel.byName[objectID.layout.name]
        else { return nil }
        return ObjectKey(entity: Int32(layout.index), store: store.index, primaryKey: objectID.key.primaryKey)
    }

    /// The object of a key, as a fault if it is not in memory.
    final func object(for key: ObjectKey) -> NSManagedObject {
        let layout = layout(of: key)
        let key = key.isTemporary ? registry.coordinator?.promotedKeys.current(key) ?? key : key
        return registered(key, layout.tree) ?? newFault(key, layout)
    }

    /// The layout of a key's entity.
    private func layout(of key: ObjectKey) -> ObjectLayout {
        guard let model = compiledModel else {
            preconditionFailure("The context has lost its persistent store coordinator; its objects cannot be read.")
        }
        return model.layouts[Int(key.entity)]
    }

    /// A new fault for a key that no object of the context has.
    private func newFault(_ key: ObjectKey, _ layout: ObjectLayout) -> NSManagedObject {
        let object = makeFault(layout, key: key)
        if let pages = pagesForNewFaults { object.page = pages.page(of: key, layout.tree) }
        registry.register(object)
        keep(object)
        // Hold it until the turn ends: otherwise walking a graph would read the same row repeatedly.
        if turnDepth > 0 { turnObjects.append(object) }
        return object
    }

    /// The identity of a row: the layout of its own entity, if several share the table, and its key.
    final func identity(
        _ primaryKey: Int64,
        entity number: Int64?,
        _ layout: ObjectLayout,
        _ store: any RowStore
    ) -> (layout: ObjectLayout, key: ObjectKey) {
        let rowLayout = number.flatMap { self.layout(number: $0, store: store) } ?? layout
        let entity = Int32(truncatingIfNeeded: rowLayout.index)
        return (rowLayout, ObjectKey(entity: entity, store: store.index, primaryKey: primaryKey))
    }

    /// The layout of the entity that has a number in a store.
    final func layout(number: Int64, store: any RowStore) -> ObjectLayout? {
        store.entityIndex(number: number).flatMap { compiledModel?.layouts[$0] }
    }

    /// Runs `body`, which creates faults of these keys such that firing one reads a few hundred of them.
    final func faultingByThePage<R>(_ keys: [ObjectKey], origin: FaultOrigin? = nil, _ body: () -> R) -> R {
        guard keys.count > 1, let first = keys.first, let model = compiledModel, !first.isTemporary else {
            return body()
        }
        let layout = model.layouts[Int(first.entity)]
        let primaryKeys = keys.filter { $0.store == first.store && !$0.isTemporary }.map(\.primaryKey)
        let outer = pagesForNewFaults
        pagesForNewFaults = FaultPages(primaryKeys, layout: layout, store: first.store, origin: origin)
        defer { pagesForNewFaults = outer }
        return body()
    }

    @inline(__always)
    final func makeFault(_ layout: ObjectLayout, key: ObjectKey) -> NSManagedObject {
        var maker = FaultMaker(self, store: key.store, layout: layout)
        return maker.make(layout, primaryKey: key.primaryKey)
    }

    /// The context's own twin of an entity, created with its first fault.
    @inline(__always)
    final func entityForFaults(_ layout: ObjectLayout) -> NSEntityDescription {
        if layout.index < faultEntities.count, let cached = faultEntities[layout.index],
            cached.compiledLayout === layout
        {
            return cached
        }
        return makeEntityForFaults(layout)
    }

    @inline(never)
    private func makeEntityForFaults(_ layout: ObjectLayout) -> NSEntityDescription {
        let twin = layout.entity.makeTwin()
        while faultEntities.count <= layout.index { faultEntities.append(nil) }
        faultEntities[layout.index] = twin
        return twin
    }

    /// Reads the row of a fault; returns false if the row is gone.
    final func fill(_ object: NSManagedObject) throws -> Bool {
        // A child can request the row of a parent's fault without firing the fault.
        if object.snapshot != nil, object.state.contains(.fault) { object.refillOutdated() }
        if object.snapshot != nil { return true }
        return registry.isObserved ? try observedFill(object) : try fillUnread(object)
    }

    /// Reads the row of a fault whose row is not in memory; returns false if the row is gone.
    final func fillUnread(_ object: NSManagedObject) throws -> Bool {
        if let page = object.page {
            if let page = page.siblings { return try fill(object, among: page) }
            try page.load(in: self)
            object.page = nil
            if object.snapshot != nil { return true }
        }
        return try fillAlone(object)
    }

    /// Reads the row of one fault; returns false if the row is gone.
    final func fillAlone(_ object: NSManagedObject) throws -> Bool {
        if let parentContext {
            try fillFromParent(object, parentContext)
        } else if !object.key.isTemporary {
            try fillFromStore(object)
        }
        return object.snapshot != nil || object.edits?.isWholeRow == true
    }

    /// Reads the row of one fault from its store.
    private func fillFromStore(_ object: NSManagedObject) throws {
        let layout = object.layout
        let rowStore = try requireRowStore(object.key.store, layout)
        let batch = try reading(rowStore) { try $0.rows(tree: layout.tree, key: object.key.primaryKey) }
        registry.rowsRead.add(batch.count)
        registry.fetches.add(1)
        guard batch.count == 1, object.rows == nil, object.edits?.isWholeRow != true else { return }
        object.adopt(batch, row: 0)
    }

    private func requireRowStore(_ index: Int32, _ layout: ObjectLayout) throws -> any RowStore {
        if let store = try requireCoordinator().rowStore(at: index) { return store }
        throw CoreDataError.make(
            NSPersistentStoreOperationError,
            "The store of \(layout.name) was removed from its coordinator.",
            remedy: "Reset the context after removing a store."
        )
    }

    /// Handles a fault without a row: it counts as deleted, or the program stops, as with Apple's exception.
    final func handleMissingRow(_ object: NSManagedObject, _ slot: Int) {
        let property = slot >= 0 ? object.layout.slots[slot].property : nil
        object.state.insert(.inaccessible)
        precondition(
            shouldHandleInaccessibleFault(object, for: object.objectID, triggeredByProperty: property),
            "The row of \(object.describeForMessages) is gone: it was deleted elsewhere. Set the context's "
                + "shouldDeleteInaccessibleFaults to treat such objects as deleted, or look them up with "
                + "existingObject(with:), which throws."
        )
        // There is nothing left to update or delete: the next save removes the object.
        object.state.remove(.updated)
        guard !object.state.contains(.deleted) else { return }
        object.state.formUnion([.deleted, .pendingDelete])
        listDeleted(object)
        pending.deleted.append(object)
        noteEvent()
    }

    /// Reads rows and assigns them to their objects that are faults in memory.
    final func fill(keys: [Int64], layout: ObjectLayout, store: Int32) throws {
        if let parentContext {
            return try fillFromParent(keys: keys, layout: layout, store: store, parentContext)
        }
        let rowStore = try requireRowStore(store, layout)
        let batch = try reading(rowStore) { try $0.rows(tree: layout.tree, keys: keys) }
        registry.rowsRead.add(batch.count)
        registry.fetches.add(1)
        guard batch.count > 1 else {
            if keys.count > 1 { registry.faultBatches.add(1) }
            if batch.count == 1 { adopt(batch, row: 0, layout.tree, store: store) }
            return
        }
        registry.faultBatches.add(1)
        // Objects must not be released under the lock.
        let objects = registry.objects(batch.count, store: store, tree: layout.tree.index) {
            batch.integer(TreeLayout.primaryKeyColumn, $0)
        }
        objects.forEachUncounted { row, object in
            if object.rows == nil, object.edits?.isWholeRow != true { object.adopt(batch, row: row) }
        }
    }

    /// Gives a row to its object, if it is a fault in memory.
    private func adopt(_ batch: RowBatch, row: Int, _ tree: TreeLayout, store: Int32) {
        let key = ObjectKey(entity: 0, store: store, primaryKey: batch.integer(TreeLayout.primaryKeyColumn, row))
        guard let object = registry.object(for: key, tree: tree.index), object.rows == nil,
            object.edits?.isWholeRow != true
        else { return }
        object.adopt(batch, row: row)
    }

    /// The members of a to-many relationship in the store.
    ///
    /// Throws if they cannot be read.
    final func readStoredMembers(of object: NSManagedObject, slot: Int) throws -> [ObjectKey] {
        if let parentContext { return try membersFromParent(of: object, slot: slot, parentContext) }
        guard object.key.primaryKey > 0, let coordinator = registry.coordinator,
            let store = coordinator.rowStore(at: object.key.store)
        else { return [] }
        registry.fetches.add(1)
        return try reading(store) {
            try $0.members(layout: object.layout.stored, slot: slot, primaryKey: object.key.primaryKey)
        }
    }

    /// The members of a to-many relationship in the store; nil if they cannot be read.
    final func storedMembers(of object: NSManagedObject, slot: Int) -> [ObjectKey]? {
        do {
            return try observed(.relationshipFault(of: object, slot: slot)) {
                if registry.faultingPolicy != .allow { return try membersAmongSiblings(of: object, slot: slot) }
                return try readStoredMembers(of: object, slot: slot)
            }
        } catch {
            noteFailedRead(of: "\(object.describeForMessages).\(object.layout.slots[slot].name)", error)
            return nil
        }
    }

    /// Implements `obtainPermanentIDs(for:)`.
    final func assignPermanentIDs(to objects: [NSManagedObject]) throws {
        checkQueue("obtainPermanentIDs(for:)")
        if let foreign = objects.first(where: { $0.registry != nil && $0.registry !== registry }) {
            throw CoreDataError.make(
                NSCoreDataError,
                "\(foreign.describeForMessages) belongs to another context and gets no identifier from this one.",
                remedy: "Call obtainPermanentIDs(for:) of the object's own context.",
                userInfo: [NSAffectedObjectsErrorKey: [foreign]]
            )
        }
        try adoptPermanentKeys(of: objects)
        var seen: Set<ObjectIdentifier> = []
        let new = objects.filter {
            $0.key.primaryKey <= 0 && $0.state.contains(.inserted) && seen.insert(ObjectIdentifier($0)).inserted
        }
        guard !new.isEmpty else { return }
        let coordinator = try requireCoordinator()
        var keys = KeyAssignment(context: self, coordinator: coordinator)
        // As in a save, no move can replace the stores after they are found.
        try coordinator.writeGate.writing {
            _ = try keys.prepare(ContiguousArray(new))
            try observed(.permanentIDs(count: new.count)) { try keys.assign(in: nil) }
        }
        keys.publish()
    }
}
