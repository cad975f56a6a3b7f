// A store file opened with the model that fits it, for programs that browse any store. Called by GraphBrowsing; the
// store is neither migrated nor created.
import Foundation
import GraphSQLite
import ManagedGraph

/// A store of any type, opened from its file.
package struct OpenedStore: @unchecked Sendable {
    // Unchecked: the coordinator may be used from any thread.
    package let coordinator: NSPersistentStoreCoordinator
    /// The source of the model: `cache`, or a path.
    package let modelSource: String

    /// Opens a store.
    ///
    /// - Parameters:
    ///   - url: The store's file.
    ///   - model: A model file to try first.
    ///   - isWritable: Whether changes may be saved; otherwise the file is opened for reading only.
    /// - Throws: If there is no store, if it is damaged, or if no model fits it.
    package init(_ url: URL, model: URL?, isWritable: Bool) throws {
        guard FileManager.default.fileExists(atPath: url.path) else { throw CoreDataError.noFile(url) }
        let other = StoreCheck(url).otherType()
        let type = other ?? NSSQLiteStoreType
        if other == nil, let error = StoreFile.inspect(url.path).error(path: url.path) {
            throw CoreDataError.storeFile(error, url: url)
        }
        let values = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: type, at: url)
        let metadata = StoreMetadata(uuid: values[NSStoreUUIDKey] as? String ?? "", values: values)
        let resolved = try ResolvedModel.required(metadata, store: url, named: model)
        modelSource = resolved.source
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: resolved.model)
        try coordinator.addPersistentStore(
            ofType: type,
            configurationName: resolved.configuration,
            at: url,
            options: isWritable ? nil : [NSReadOnlyPersistentStoreOption: true]
        )
    }
}
