// Adding, finding and removing stores. Called by containers and by users.
import Foundation
import GraphEngine

extension NSPersistentStoreCoordinator {
    /// Implements `addPersistentStore(ofType:configurationName:at:options:)`.
    final func openStore(
        ofType storeType: String,
        configurationName configuration: String?,
        at storeURL: URL?,
        options: [AnyHashable: Any]?
    ) throws -> NSPersistentStore {
        do {
            return try observed(.opening) { try add(storeType, configuration, storeURL, options) }
        } catch {
            throw CoreDataError.adding(storeURL, error)
        }
    }

    private func add(
        _ storeType: String,
        _ configuration: String?,
        _ storeURL: URL?,
        _ options: [AnyHashable: Any]?
    ) throws -> NSPersistentStore {
        do {
            try managedObjectModel.checkConsistency()
        } catch let defect as ModelDefect {
            throw CoreDataError.unusableModel(defect)
        }
        if let configuration, managedObjectModel.entities(forConfigurationName: configuration) == nil {
            throw CoreDataError.make(
                NSPersistentStoreIncompatibleSchemaError,
                "The model has no configuration named \(configuration).",
                remedy:
                    "Use one of \(managedObjectModel.configurations.joined(separator: ", ")), or nil for all entities."
            )
        }
        let store = try makeStore(storeType, configuration, storeURL, options)
        try changingStores {
            if !store.isInMemory, let url = store.url, let open = persistentStore(for: url) ?? linkedStore(at: url) {
                throw CoreDataError.cannotOpen(
                    open.url,
                    reason: "this coordinator has it open already",
                    remedy: "Use the store that persistentStore(for:) returns."
                )
            }
            try store.open(compiledModel)
            append(store)
            store.didAdd(to: self)
        }
        // A migration may have used other versions of the model.
        compiledModel.noteClasses()
        post(.NSPersistentStoreCoordinatorStoresDidChange, NSAddedPersistentStoresKey, [store])
        return store
    }

    /// The store whose file another path leads to, too: its objects would be there twice with the same identifiers.
    private func linkedStore(at url: URL) -> NSPersistentStore? {
        guard url.isFileURL, !url.isDevNull else { return nil }
        return persistentStores.first { store in
            guard let openURL = store.url, openURL.isFileURL, (store as? any RowStore)?.isInMemory == false else {
                return false
            }
            return openURL.isSamePlace(as: url)
        }
    }

    /// The store of a type, not open yet.
    func makeStore(
        _ storeType: String,
        _ configuration: String?,
        _ storeURL: URL?,
        _ options: [AnyHashable: Any]?
    ) throws -> any RowStore {
        guard let storeClass = StoreClasses.all[storeType] else { throw CoreDataError.unknownType(storeType) }
        // Stores of the program's own classes may be anywhere, such as in a service.
        let isPlaceless = storeType == NSInMemoryStoreType || storeClass.place == nil
        let place = storeURL ?? (isPlaceless ? URL(filePath: "/dev/null") : nil)
        guard let url = place else { throw CoreDataError.noLocation(storeType) }
        try Self.requireFile(url, storeType, storeClass)
        if storeClass.place != nil { try StoreOptions.check(options, of: url) }
        let newStore = storeClass.make(
            NSPersistentStore.Addition(
                type: storeType,
                coordinator: self,
                configurationName: configuration,
                url: url,
                options: options
            )
        )
        newStore.addedType = storeType
        if storeURL == nil, storeClass.place == nil { newStore.url = nil }
        if let store = newStore.engineStore ?? newStore as? any RowStore { return store }
        throw CoreDataError.make(
            NSPersistentStoreInvalidTypeError,
            "The class \(storeClass), registered for stores of the type \(storeType), is neither an NSAtomicStore nor "
                + "an NSIncrementalStore.",
            remedy: "Register a subclass of one of these."
        )
    }

    /// Adds a store, made on disk if there is none.
    ///
    /// - Parameters:
    ///   - type: The kind of store.
    ///   - configuration: The model's configuration for the store, or nil for all entities.
    ///   - storeURL: The location of the store.
    ///   - options: Options by Apple's keys.
    /// - Returns: The store.
    /// - Throws: As `addPersistentStore(ofType:configurationName:at:options:)`.
    @discardableResult
    public func addPersistentStore(
        type: NSPersistentStore.StoreType,
        configuration: String? = nil,
        at storeURL: URL,
        options: [AnyHashable: Any]? = nil
    ) throws -> NSPersistentStore {
        try addPersistentStore(
            ofType: type.rawValue,
            configurationName: configuration,
            at: storeURL,
            options: options
        )
    }

    /// Implements `addPersistentStore(with:completionHandler:)`.
    final func openStore(
        with storeDescription: NSPersistentStoreDescription,
        completionHandler block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
    ) {
        guard storeDescription.shouldAddStoreAsynchronously else {
            block(storeDescription, addStore(storeDescription))
            return
        }
        let description = UnsafeTransfer(storeDescription)
        let report = UnsafeTransfer(block)
        DispatchQueue.global().async { [self] in
            report.value(description.value, addStore(description.value))
        }
    }

    /// Adds the store of a description; returns the error instead of throwing it.
    private func addStore(_ description: NSPersistentStoreDescription) -> (any Error)? {
        do {
            try addPersistentStore(
                ofType: description.type,
                configurationName: description.configuration,
                at: description.url,
                options: description.coordinatorOptions
            )
            return nil
        } catch {
            return error
        }
    }

    /// Implements `remove(_:)`.
    final func removeStore(_ store: NSPersistentStore) throws {
        guard let rowStore = store as? any RowStore, has(store) else {
            if store.wasDestroyed { return }
            throw CoreDataError.foreignStore("Remove it from the coordinator it was added to.")
        }
        announceRemoval(of: rowStore)
        let isRemoved = try changingStores { () throws -> Bool in
            // An observer or another thread may have moved, removed or destroyed it.
            guard has(store) else {
                if store.wasDestroyed { return false }
                throw CoreDataError.foreignStore("It was moved or removed by another thread.")
            }
            closeAndRemove(rowStore)
            return true
        }
        if isRemoved { post(.NSPersistentStoreCoordinatorStoresDidChange, NSRemovedPersistentStoresKey, [store]) }
    }

    /// Notifies observers of a store that is about to be removed.
    func announceRemoval(of store: any RowStore) {
        NotificationCenter.default.post(name: .NSPersistentStoreCoordinatorWillRemoveStore, object: store)
    }

    /// Closes a store and removes it.
    func closeAndRemove(_ store: any RowStore) {
        store.willRemove(from: self)
        store.close()
        removeFromList(store)
        store.leaveCoordinator()
    }

    func post(_ name: NSNotification.Name, _ key: String, _ stores: [NSPersistentStore]) {
        NotificationCenter.default.post(name: name, object: self, userInfo: [key: stores])
    }

    /// The store at a location.
    ///
    /// - Parameter url: The location of the store.
    /// - Returns: The store, or nil if this coordinator has none there.
    public func persistentStore(for url: URL) -> NSPersistentStore? {
        if StoreClasses.type(of: url) != nil { return persistentStores.first { $0.url == url } }
        let path = url.standardizedFileURL.path
        return persistentStores.first { store in
            guard let openURL = store.url, StoreClasses.type(of: openURL) == nil else { return false }
            return openURL.standardizedFileURL.path == path
        }
    }

    /// The location of a store.
    ///
    /// - Parameter store: A store of this coordinator.
    /// - Returns: Its location.
    public func url(for store: NSPersistentStore) -> URL {
        store.url ?? URL(filePath: "/dev/null")
    }

    /// The metadata of a store.
    ///
    /// - Parameter store: A store of this coordinator.
    /// - Returns: Values by key, `NSStoreTypeKey` and `NSStoreUUIDKey` among them.
    public func metadata(for store: NSPersistentStore) -> [String: Any] {
        store.metadataLock.withLock { store.metadata ?? [:] }
    }

    /// Replaces the metadata of a store; they are written at the next save.
    ///
    /// The framework's entries, such as the store's type, its UUID and the hashes of its model, stay if the new
    /// metadata lack them.
    ///
    /// - Parameters:
    ///   - metadata: Values that a property list can hold.
    ///   - store: A store of this coordinator.
    public func setMetadata(_ metadata: [String: Any]?, for store: NSPersistentStore) {
        store.metadataLock.withLock {
            store.metadata = StoreMetadata.completing(metadata, with: store.metadata ?? [:])
            store.metadataSets += 1
        }
    }

    /// Reads the metadata of a store without opening it.
    ///
    /// - Parameters:
    ///   - storeType: The kind of store.
    ///   - url: The location of the store.
    ///   - options: Options by Apple's keys.
    /// - Returns: The metadata.
    /// - Throws: 134080 for a file that is not a store, 260 if there is none.
    public class func metadataForPersistentStore(
        ofType storeType: String,
        at url: URL,
        options: [AnyHashable: Any]? = nil
    ) throws -> [String: Any] {
        try storeClass(storeType, at: url).metadataForPersistentStore(with: url)
    }

    /// Reads the metadata of a store without opening it.
    ///
    /// - Parameters:
    ///   - type: The kind of store.
    ///   - url: The location of the store.
    ///   - options: Options by Apple's keys.
    /// - Returns: The metadata.
    /// - Throws: 134080 for a file that is not a store, 260 if there is none.
    public class func metadataForPersistentStore(
        type: NSPersistentStore.StoreType,
        at url: URL,
        options: [AnyHashable: Any]? = nil
    ) throws -> [String: Any] {
        try metadataForPersistentStore(ofType: type.rawValue, at: url, options: options)
    }

    /// Implements `managedObjectID(forURIRepresentation:)`.
    final func identifier(_ url: URL) -> NSManagedObjectID? {
        guard url.scheme == "x-coredata", let host = url.host, !host.isEmpty,
            let path = URLComponents(url: url, resolvingAgainstBaseURL: false)?.percentEncodedPath
        else { return nil }
        let parts = path.split(separator: "/").map { $0.removingPercentEncoding ?? String($0) }
        guard parts.count == 2, parts[1].first == "p", parts[1].count > 1, let layout = compiledModel.byName[parts[0]],
            let store = persistentStores.first(where: {
                $0.identifier.caseInsensitiveCompare(host) == .orderedSame
            })
        else { return nil }
        let reference = String(parts[1].dropFirst())
        let primaryKey =
            store.references?.key(text: reference, tree: layout.tree.rootName, entity: layout.name)
            ?? Int64(reference) ?? 0
        guard primaryKey > 0 else { return nil }
        let entityLayout = rowLayout(of: primaryKey, layout, store)
        let key = ObjectKey(entity: Int32(entityLayout.index), store: store.index, primaryKey: primaryKey)
        return NSManagedObjectID(layout: entityLayout, key: key, store: store)
    }

    /// The layout of a row's own entity, which may be a subentity of the one that is named; the named one's if there is
    /// no such row, or the store cannot be read.
    private func rowLayout(of primaryKey: Int64, _ base: ObjectLayout, _ store: NSPersistentStore) -> ObjectLayout {
        guard base.family.count > 1, let rows = store as? any RowStore, !(store is NSIncrementalStore) else {
            return base
        }
        do {
            let batch = try rows.reading { try $0.rows(tree: base.tree, keys: [primaryKey]) }
            guard batch.count == 1,
                let index = rows.entityIndex(number: batch.integer(TreeLayout.entityColumn, 0))
            else { return base }
            let actual = compiledModel.layouts[index]
            return actual.isKind(of: base) ? actual : base
        } catch {
            Diagnosis.log.error(
                "The row of \(base.name)/p\(primaryKey) could not be read: \((error as NSError).localizedDescription)"
            )
            return base
        }
    }
}

extension CoreDataError {
    /// The error for a store of another coordinator, or of none any more: 134060.
    static func foreignStore(_ remedy: String) -> NSError {
        make(NSCoreDataError, "The store does not belong to this coordinator.", remedy: remedy)
    }

    /// The error for a missing location of a store that needs one: 134080.
    fileprivate static func noLocation(_ type: String) -> NSError {
        cannotOpen(
            nil,
            reason: "a store of the type \(type) needs a location",
            remedy: "Pass the URL of an existing file or of the file to create."
        )
    }
}

extension NSPersistentStoreCoordinator {
    /// Writes the metadata of stores if they were set and no object has changed.
    func saveMetadata(context: NSManagedObjectContext) throws {
        guard !storesWithChangedMetadata.isEmpty else { return }
        let origin = SaveOrigin(author: context.transactionAuthor, contextName: context.name)
        // A move takes the metadata along: the stores are found after it.
        try writeGate.writing {
            for store in storesWithChangedMetadata {
                try store.writing(origin, for: context) { session in
                    guard let store = store as? any ObjectStore else { return }
                    let noChanges = SavedObjects(context: context, inserted: [], updated: [], deleted: [], locked: [])
                    try store.take(noChanges, in: session)
                }
            }
        }
    }
}
