// Operations on whole stores: replacing, destroying, setting metadata. Every step leaves the old store or
// the new one, also if the process is killed.
import Foundation
import GraphEngine

extension NSPersistentStoreCoordinator {
    /// Implements `replacePersistentStore(at:destinationOptions:withPersistentStoreFrom:sourceOptions:ofType:)`.
    final func replaceStore(at destinationURL: URL, with sourceURL: URL, ofType storeType: String) throws {
        let storeClass = try Self.storeClass(storeType, at: destinationURL, sourceURL)
        try takingOut(storesAt: destinationURL, "replaced") { release in
            try storeClass.replace(at: destinationURL, withStoreAt: sourceURL, then: release)
        }
    }

    /// Puts a copy of a store in the place of another, or at an empty location.
    ///
    /// - Parameters:
    ///   - destinationURL: The store to be replaced.
    ///   - destinationOptions: Not used.
    ///   - sourceURL: The store to be copied.
    ///   - sourceOptions: Not used.
    ///   - sourceType: The kind of store.
    /// - Throws: As `replacePersistentStore(at:destinationOptions:withPersistentStoreFrom:sourceOptions:ofType:)`.
    public func replacePersistentStore(
        at destinationURL: URL,
        destinationOptions: [AnyHashable: Any]? = nil,
        withPersistentStoreFrom sourceURL: URL,
        sourceOptions: [AnyHashable: Any]? = nil,
        type sourceType: NSPersistentStore.StoreType
    ) throws {
        try replacePersistentStore(
            at: destinationURL,
            destinationOptions: destinationOptions,
            withPersistentStoreFrom: sourceURL,
            sourceOptions: sourceOptions,
            ofType: sourceType.rawValue
        )
    }

    /// Implements `destroyPersistentStore(at:ofType:options:)`.
    final func destroyStore(at url: URL, ofType storeType: String, options: [AnyHashable: Any]?) throws {
        let storeClass = try Self.storeClass(storeType, at: url)
        try takingOut(storesAt: url, "destroyed") { release in
            if storeType == NSInMemoryStoreType || url.isDevNull {
                try release()
                if let name = url.sharedMemoryName {
                    try CoreDataError.mapping(url) { try SQLiteStore.emptyShared(name) }
                }
            } else {
                try storeClass.destroy(at: url, options: options, then: release)
            }
        }
    }

    /// Destroys a store.
    ///
    /// - Parameters:
    ///   - url: The store.
    ///   - type: The kind of store.
    ///   - options: As in `destroyPersistentStore(at:ofType:options:)`.
    /// - Throws: As `destroyPersistentStore(at:ofType:options:)`.
    public func destroyPersistentStore(
        at url: URL,
        type: NSPersistentStore.StoreType,
        options: [AnyHashable: Any]? = nil
    ) throws {
        try destroyPersistentStore(at: url, ofType: type.rawValue, options: options)
    }

    /// Changes the location of a store.
    ///
    /// A SQLite store is opened at its new location, which must have a store of the same model. An XML, binary or other
    /// atomic store has its file written there by the next save, which replaces a file that is there; its former file
    /// stays.
    ///
    /// - Parameters:
    ///   - url: The new location of the store.
    ///   - store: A store of this coordinator.
    /// - Returns: Whether the store has the new location; otherwise it stays at its former one.
    @discardableResult
    public func setURL(_ url: URL, for store: NSPersistentStore) -> Bool {
        changingStores {
            guard persistentStores.contains(where: { $0 === store }) else { return false }
            if let store = store as? NSAtomicStore { return relocate(store, to: url) }
            guard let store = store as? any DatabaseFileStore, FileManager.default.fileExists(atPath: url.path) else {
                return false
            }
            // Saves wait for the store at its new location.
            return writeGate.withoutWrites { store.reopen(at: url, compiledModel) }
        }
    }

    private func relocate(_ store: NSAtomicStore, to url: URL) -> Bool {
        let present = persistentStore(for: url)
        guard present == nil || present === store,
            (try? Self.requireFile(url, store.type, type(of: store))) != nil
        else { return false }
        return writeGate.withoutWrites { store.relocate(to: url) }
    }

    /// Replaces the metadata of a store that is not open; the framework's own entries stay.
    ///
    /// - Parameters:
    ///   - metadata: Values that a property list can hold.
    ///   - storeType: The kind of store.
    ///   - url: The store.
    ///   - options: Not used.
    /// - Throws: 134000 for an unknown type, 134080 for a file that is not a store.
    public class func setMetadata(
        _ metadata: [String: Any]?,
        forPersistentStoreOfType storeType: String,
        at url: URL,
        options: [AnyHashable: Any]? = nil
    ) throws {
        try storeClass(storeType, at: url).setMetadata(metadata, forPersistentStoreAt: url)
    }

    /// Replaces the metadata of a store that is not open; the framework's own entries stay.
    ///
    /// - Parameters:
    ///   - metadata: Values that a property list can hold.
    ///   - type: The kind of store.
    ///   - url: The store.
    ///   - options: Not used.
    /// - Throws: As `setMetadata(_:forPersistentStoreOfType:at:options:)`.
    public class func setMetadata(
        _ metadata: [String: Any]?,
        type: NSPersistentStore.StoreType,
        at url: URL,
        options: [AnyHashable: Any]? = nil
    ) throws {
        try setMetadata(metadata, forPersistentStoreOfType: type.rawValue, at: url, options: options)
    }

    /// The identifier that a text stands for.
    ///
    /// - Parameter string: The text of a URI, `x-coredata://<store>/<entity>/p<key>`.
    /// - Returns: As `managedObjectID(forURIRepresentation:)`.
    public func managedObjectID(for string: String) -> NSManagedObjectID? {
        URL(string: string).flatMap { managedObjectID(forURIRepresentation: $0) }
    }

    /// The newest point in the history of some stores; nil if none of them has one.
    ///
    /// - Parameter stores: Stores of this coordinator, or nil for all.
    /// - Returns: The point; `NSPersistentHistoryChangeRequest.fetchHistory(after:)` continues from there.
    public func currentPersistentHistoryToken(fromStores stores: [Any]?) -> NSPersistentHistoryToken? {
        var numbers: [String: Int64] = [:]
        for case let store as any RowStore in (stores as? [NSPersistentStore]) ?? persistentStores {
            let last = try? store.reading { try ($0 as? any HistoryReadSession)?.lastTransaction() }
            if let last { numbers[store.identifier ?? ""] = last }
        }
        return numbers.isEmpty ? nil : NSPersistentHistoryToken(numbers)
    }

    // MARK: Later work

    /// Finishes the work that lightweight migrations have deferred.
    ///
    /// A migration with `NSPersistentStoreDeferredLightweightMigrationOptionKey` leaves columns and tables in the file
    /// that the model no longer has. Each is removed in a transaction of its own, so that a killed process can
    /// continue later; the stores can be used before and after, and by other processes. O(rows) for each column.
    ///
    /// See [finishDeferredLightweightMigration()](https://developer.apple.com/documentation/coredata/nspersistentstorecoordinator/finishdeferredlightweightmigration()).
    ///
    /// - Throws: 134060 if the coordinator has no store; SQLite's errors, after which the remaining work stays
    /// deferred.
    public func finishDeferredLightweightMigration() throws {
        try requireStores()
        for case let store as any DeferringStore in persistentStores {
            // Others may write between two pieces.
            while try store.finishDeferredTask() {}
        }
    }

    /// Does one step of the work that lightweight migrations have deferred: one column or one table.
    ///
    /// While more is left, the metadata of a store have `NSPersistentStoreDeferredLightweightMigrationOptionKey`.
    ///
    /// See [finishDeferredLightweightMigrationTask()](https://developer.apple.com/documentation/coredata/nspersistentstorecoordinator/finishdeferredlightweightmigrationtask()).
    ///
    /// - Throws: As `finishDeferredLightweightMigration()`.
    public func finishDeferredLightweightMigrationTask() throws {
        try requireStores()
        let store = persistentStores.lazy.compactMap { $0 as? any DeferringStore }.first { $0.hasDeferredWork }
        _ = try store?.finishDeferredTask()
    }

    private func requireStores() throws {
        guard persistentStores.isEmpty else { return }
        throw CoreDataError.make(
            NSCoreDataError,
            "The coordinator has no stores.",
            remedy: "Add one first."
        )
    }

    // MARK: Helpers

    static let defaultConfiguration = "PF_DEFAULT_CONFIGURATION_NAME"

    /// Runs `body`, which has this coordinator's stores at a place removed when the place is about to change.
    private func takingOut(
        storesAt url: URL,
        _ fate: String,
        _ body: (_ release: () throws -> Void) throws -> Void
    ) throws {
        func storesThere() -> [any RowStore] {
            persistentStores.compactMap { $0 as? any RowStore }.filter { $0.url?.isSamePlace(as: url) == true }
        }
        for store in storesThere() { announceRemoval(of: store) }
        var removed: [any RowStore] = []
        // Also if the change fails after their removal.
        defer {
            for store in removed {
                post(.NSPersistentStoreCoordinatorStoresDidChange, NSRemovedPersistentStoresKey, [store])
            }
        }
        func change(_ stores: [any RowStore]) throws {
            for case let store as any DatabaseFileStore in stores { store.endSnapshots() }
            try body {
                for store in stores where has(store) {
                    closeAndRemove(store)
                    store.wasDestroyed = true
                    removed.append(store)
                }
            }
        }
        do {
            try changingStores {
                // An observer or another thread may have moved or removed one, or changed its location.
                let stores = storesThere()
                // A save in progress could write the file of an atomic store again. SQLite locks it out.
                guard stores.contains(where: { $0 is NSAtomicStore }) else { return try change(stores) }
                try writeGate.withoutWrites { try change(stores) }
            }
        } catch {
            throw CoreDataError.changing(url, fate, error)
        }
    }

    /// The class that opens stores of a type.
    static func storeClass(_ type: String) throws -> NSPersistentStore.Type {
        guard let storeClass = StoreClasses.all[type] else { throw CoreDataError.unknownType(type) }
        return storeClass
    }
}

extension CoreDataError {
    /// A type of store that is not registered: 134000.
    package static func unknownType(_ type: String) -> NSError {
        if type == StoreClasses.postgreSQLType {
            return make(
                NSPersistentStoreInvalidTypeError,
                "This program is built without stores of the type PostgreSQL.",
                remedy: "Add the product ManagedGraphPostgreSQL to the target's dependencies in Package.swift."
            )
        }
        return make(
            NSPersistentStoreInvalidTypeError,
            "\(type) is not a type of store that can be opened.",
            remedy:
                "Use one of \(StoreClasses.all.keys.sorted().joined(separator: ", ")), or register the type's class."
        )
    }
}
