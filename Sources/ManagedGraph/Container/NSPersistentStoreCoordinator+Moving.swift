// Moves of open stores. Called by programs, and by migrations of single-file stores.
import Foundation

extension NSPersistentStoreCoordinator {
    /// Moves a store, and reports the number of rows copied, if rows are copied one by one.
    ///
    /// - Parameters:
    ///   - store: A store of this coordinator.
    ///   - url: The new store's location.
    ///   - options: Options of the new store; nil for those of the old one.
    ///   - storeType: The type of the new store.
    ///   - progress: If it throws, nothing is left of the new store.
    /// - Returns: The new store.
    /// - Throws: As the public method, and errors of `progress`.
    package func migratePersistentStore(
        _ store: NSPersistentStore,
        to url: URL,
        options: [AnyHashable: Any]?,
        withType storeType: String,
        progress: @escaping (Int) throws -> Void
    ) throws -> NSPersistentStore {
        let remedy = "Move a store that this coordinator has added."
        guard let old = store as? any RowStore, has(store) else { throw CoreDataError.foreignStore(remedy) }
        let new = try makeStore(
            storeType,
            old.configurationName == Self.defaultConfiguration ? nil : old.configurationName,
            url,
            options ?? old.options
        )
        var move = StoreMove(self, from: old, to: new)
        move.progress = progress
        try observed(.opening) {
            try move.checkPlace()
            // Before the copy, which then includes the saves of observers. No lock is held, as they may wait for threads.
            announceRemoval(of: old)
            try changingStores {
                // Another thread may have moved, removed or destroyed it.
                guard has(store) else { throw CoreDataError.foreignStore(remedy) }
                try move.run()
            }
        }
        NotificationCenter.default.post(
            name: .NSPersistentStoreCoordinatorStoresDidChange,
            object: self,
            userInfo: [NSAddedPersistentStoresKey: [new], NSRemovedPersistentStoresKey: [old]]
        )
        return new
    }

    /// Moves a store to another location or store type.
    ///
    /// - Parameters:
    ///   - store: A store of this coordinator.
    ///   - storeURL: The new store's location.
    ///   - options: Options of the new store, by Apple's keys.
    ///   - type: The type of the new store.
    /// - Returns: The new store.
    /// - Throws: As `migratePersistentStore(_:to:options:withType:)`.
    public func migratePersistentStore(
        _ store: NSPersistentStore,
        to storeURL: URL,
        options: [AnyHashable: Any]? = nil,
        type: NSPersistentStore.StoreType
    ) throws -> NSPersistentStore {
        try migratePersistentStore(store, to: storeURL, options: options, withType: type.rawValue)
    }
}
