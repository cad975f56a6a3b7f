// A store file opened with the model that fits it, for programs that browse any store. Called by GraphBrowsing; the
// store is neither migrated nor created.
import Foundation
import GraphEngine
import GraphSQLite
import ManagedGraph

/// A store of any type, opened from its file.
package struct OpenedStore: @unchecked Sendable {
    // Unchecked: the coordinator may be used from any thread.
    package let coordinator: NSPersistentStoreCoordinator
    /// The source of the model: `cache`, or a path.
    package let modelSource: String
    private let url: URL
    private let type: String
    /// The configuration that the store holds; nil for the whole model.
    package let configuration: String?

    /// Opens a store.
    ///
    /// - Parameters:
    ///   - url: The store's file, or the address of a database.
    ///   - model: A model file to try first.
    ///   - isWritable: Whether changes may be saved, also into the history of a store that has one; otherwise a snapshot
    ///     of the file is read, and nothing is written beside it.
    /// - Throws: If there is no store, if it is damaged, or if no model fits it.
    package init(_ url: URL, model: URL?, isWritable: Bool) throws {
        let database = try StoreLocation.databaseType(of: url)
        guard try database != nil || url.fileIsThere() else {
            throw CoreDataError.noFile(url)
        }
        let otherType = database ?? StoreCheck(url).otherType()
        let type = otherType ?? NSSQLiteStoreType
        if otherType == nil, let error = StoreFile.inspect(url.path).error(path: url.path) {
            throw CoreDataError.storeFile(error, url: url)
        }
        let values = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: type, at: url)
        let metadata = StoreMetadata(uuid: values[NSStoreUUIDKey] as? String ?? "", values: values)
        let resolved = try ResolvedModel.required(metadata, store: url, named: model)
        modelSource = resolved.source
        (self.url, self.type, configuration) = (url, type, resolved.configuration)
        if isWritable {
            coordinator = try StoreReading.writable(url, model: model)
        } else {
            coordinator = NSPersistentStoreCoordinator(managedObjectModel: resolved.model)
            try openSnapshot()
        }
    }

    private init(again former: OpenedStore) throws {
        (url, type, configuration) = (former.url, former.type, former.configuration)
        modelSource = former.modelSource
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: former.coordinator.managedObjectModel)
        try openSnapshot()
    }

    /// Whether the store is in a database, which is read as it is at each moment instead of from a snapshot.
    package var isDatabase: Bool { NSPersistentStoreCoordinator.databaseType(of: url) != nil }

    private func openSnapshot() throws {
        var options: [AnyHashable: Any] = [NSReadOnlyPersistentStoreOption: true]
        if type == NSSQLiteStoreType {
            options[StoreOptions.snapshotFile] = try CoreDataError.mapping(url) { try ImmutableSnapshotFile(url.path) }
        } else if isDatabase {
            options[NSPersistentStoreRemoteChangeNotificationPostOptionKey] = true
        }
        try coordinator.addPersistentStore(
            ofType: type,
            configurationName: configuration,
            at: url,
            options: options
        )
    }

    /// The store as it is now, read with the same model.
    ///
    /// - Returns: A new snapshot.
    /// - Throws: As the initializer; also if the model has changed.
    package func reopened() throws -> OpenedStore { try OpenedStore(again: self) }
}
