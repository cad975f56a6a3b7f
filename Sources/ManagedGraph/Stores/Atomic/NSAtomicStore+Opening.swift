// How the coordinator opens and closes an atomic store.
import Foundation
import GraphSQLite

extension NSAtomicStore: EngineStore {
    func open(_ model: CompiledModel) throws {
        if isNewInPlaceOfAnother { return try engine.open(model) }
        if isReadOnly, let url, url.isFileURL, !FileManager.default.fileExists(atPath: url.path) {
            throw CoreDataError.cannotOpen(
                url,
                reason: "there is no such file, and the store is to be opened for reading only",
                remedy: "Check the path, or leave out NSReadOnlyPersistentStoreOption to make a new store.",
                code: NSFileReadNoSuchFileCode
            )
        }
        try engine.open(model)
        let fresh = engine.metadata ?? [:]
        try loadMetadata()
        let known = metadata?[NSStoreUUIDKey] as? String ?? identifier ?? ""
        identifier = known.isEmpty ? UUID().uuidString : known
        if try NSMigrationManager.migrateIfAsked(self, fresh, model) { try loadMigratedMetadata() }
        try checkVersion(of: metadata ?? [:], fresh)
        references = ReferenceMap.shared(identifier)
        engine.identifier = identifier
        try load()
        // A class may read the identifier and the metadata with everything else.
        if let read = metadata?[NSStoreUUIDKey] as? String, read != identifier { identifier = read }
        engine.identifier = identifier
        link.identifier = identifier
        takeModel(fresh)
        hasMetadataChanges = false
        var rows = NodeRows(self, model)
        try rows.fill()
        try writeNewFile()
    }

    private func loadMigratedMetadata() throws {
        metadata = [:]
        try loadMetadata()
    }

    /// Notes in the metadata which model the store is of.
    func takeModel(_ fresh: [String: Any]) {
        var values = metadata ?? [:]
        for (key, value) in fresh where StoreMetadata.isReserved(key) && !key.hasPrefix("_NS") { values[key] = value }
        values[NSStoreTypeKey] = type
        values[NSStoreUUIDKey] = identifier
        metadata = values
    }

    func close() {
        // Nodes refer to each other.
        for node in nodes.values { node.propertyCache = nil }
        nodes = [:]
        engine.close()
    }
}

extension NSPersistentStore {
    /// Throws 134100 where a store says that it is of another model.
    final func checkVersion(of found: [String: Any], _ fresh: [String: Any]) throws {
        guard StoreOptions.flag(options, NSIgnorePersistentStoreVersioningOption) != true,
            let hashes = found[NSStoreModelVersionHashesKey] as? [String: Data], !hashes.isEmpty
        else { return }
        let wanted = fresh[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:]
        if let reason = VersionDifference.sentence(found: hashes, wanted: wanted) {
            throw CoreDataError.incompatibleVersionHash(metadata: found, reason: reason, url: url)
        }
    }
}
