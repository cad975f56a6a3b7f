// The common part of stores that host an engine: the check of versions, metadata, and the notification of changes.
import Foundation
import GraphEngine

extension NSPersistentStore {
    /// Compares the version hashes of a store with the model's.
    ///
    /// - Parameters:
    ///   - metadata: The store's metadata.
    ///   - expected: Those of a new store of the model.
    /// - Throws: 134100 for other hashes, unless an option makes the store ignore them.
    package final func checkVersion(of metadata: StoreMetadata, against expected: StoreMetadata) throws {
        guard StoreOptions.flag(options, NSIgnorePersistentStoreVersioningOption) != true,
            let reason = VersionDifference.sentence(found: metadata.versionHashes, wanted: expected.versionHashes)
        else { return }
        var values = metadata.values
        values[NSStoreUUIDKey] = metadata.uuid
        throw CoreDataError.incompatibleVersionHash(metadata: values, reason: reason, url: url)
    }

    /// Takes over the metadata that an engine has read.
    package final func take(_ storeMetadata: StoreMetadata, type: String) {
        identifier = storeMetadata.uuid
        var values = storeMetadata.values
        values[NSStoreTypeKey] = type
        values[NSStoreUUIDKey] = storeMetadata.uuid
        metadata = values
        hasMetadataChanges = false
    }

    /// Marks the metadata as changed again.
    package final func markMetadataAsChanged() { metadataLock.withLock { hasMetadataChanges = true } }

    /// Notifies observers of a write to the store.
    package final func postRemoteChange(_ transaction: Int64?) {
        let storeUUID = identifier ?? ""
        var userInfo: [String: Any] = [NSStoreUUIDKey: storeUUID, NSPersistentStoreURLKey: url as Any]
        if let transaction {
            userInfo[NSPersistentHistoryTokenKey] = NSPersistentHistoryToken([storeUUID: transaction])
        }
        NotificationCenter.default.post(
            name: .NSPersistentStoreRemoteChange,
            object: persistentStoreCoordinator,
            userInfo: userInfo
        )
    }

    /// The value of a flag among the options.
    package final func flag(_ option: String) -> Bool? { StoreOptions.flag(options, option) }
}
