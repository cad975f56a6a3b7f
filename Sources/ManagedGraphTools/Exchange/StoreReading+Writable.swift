// Opens a store for changes with the model that fits it. Called by GraphUpkeep.
import Foundation
import GraphEngine
import ManagedGraph

extension StoreReading {
    /// Apple's name of the store type.
    package var storeType: String { store.type }

    /// Opens a store for changes; a store that has a history continues it.
    ///
    /// - Parameters:
    ///   - url: The store's file, or the address of a database.
    ///   - file: A model file to try first.
    /// - Returns: A coordinator with the store.
    /// - Throws: If there is no store, if it is damaged, if no model fits it, or if it cannot be written.
    package static func writable(_ url: URL, model file: URL? = nil) throws -> NSPersistentStoreCoordinator {
        let reading = try StoreReading(url, model: file)
        let isServer = reading.rows is any DatabaseEngine
        let hasHistory = try reading.isDatabase && reading.read { try $0.lastTransaction() } != nil
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: reading.coordinator.managedObjectModel)
        try coordinator.addPersistentStore(
            ofType: reading.store.type,
            configurationName: reading.store.configurationName,
            at: url,
            options: [
                NSPersistentHistoryTrackingKey: hasHistory,
                // Other processes may change a database at any time.
                NSPersistentStoreRemoteChangeNotificationPostOptionKey: isServer,
            ].filter(\.value)
        )
        return coordinator
    }
}
