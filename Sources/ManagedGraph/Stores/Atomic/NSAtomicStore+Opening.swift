// Opening and closing of an atomic store by the coordinator.
import Foundation
import GraphEngine
import GraphSQLite

extension NSAtomicStore: EngineStore, ObjectStore, SQLiteHost {
    package func open(_ model: CompiledModel) throws {
        if isNewInPlaceOfAnother { return try openRows(model) }
        if isReadOnly, let url, url.isFileURL, try !url.fileIsThere() {
            throw CoreDataError.cannotOpen(
                url,
                reason: "the file does not exist, and the store is opened for reading only",
                remedy: "Check the path, or leave out NSReadOnlyPersistentStoreOption to make a new store.",
                code: NSFileReadNoSuchFileCode
            )
        }
        do {
            try openContent(model)
        } catch {
            close()
            throw error
        }
    }

    private func openContent(_ model: CompiledModel) throws {
        try openRows(model)
        let fresh = rows?.metadata ?? [:]
        try loadMetadata()
        let storedUUID = metadata?[NSStoreUUIDKey] as? String ?? identifier ?? ""
        identifier = storedUUID.isEmpty ? UUID().uuidString : storedUUID
        try migrateIfAsked(fresh, model)
        try checkVersion(of: metadata ?? [:], fresh)
        references = ReferenceMap.shared(identifier)
        try load()
        // The subclass may read the identifier and the metadata together with the content.
        if let uuid = metadata?[NSStoreUUIDKey] as? String, uuid != identifier { identifier = uuid }
        link.identifier = identifier
        takeModel(fresh)
        hasMetadataChanges = false
        var rows = NodeRows(self, model)
        try rows.fill()
        try writeNewFile()
    }

    /// Migrates the file; again if another program has changed it meanwhile.
    private func migrateIfAsked(_ fresh: [String: Any], _ model: CompiledModel) throws {
        for attempt in 1...Self.migrationAttempts {
            do {
                guard try NSMigrationManager.migrateIfAsked(self, fresh, model) else { return }
                return try loadMigratedMetadata()
            } catch let replaced as NSMigrationManager.ReplacedFile {
                if attempt == Self.migrationAttempts { throw replaced.published }
                try loadMigratedMetadata()
            }
        }
    }

    private static var migrationAttempts: Int { 5 }

    private func loadMigratedMetadata() throws {
        metadata = [:]
        try loadMetadata()
    }

    package func close() {
        // First: this waits for a save in progress, which writes the nodes into the file. No save begins afterwards.
        rows?.close()
        removeNodes()
    }

    package func retire() {
        rows?.retire()
        removeNodes()
    }

    private func removeNodes() {
        // Nodes reference each other; break the cycles.
        for node in nodes.values { node.propertyCache = nil }
        nodes = [:]
    }
}

extension NSPersistentStore {
    /// Throws 134100 if a store's metadata name a different model.
    final func checkVersion(of metadata: [String: Any], _ fresh: [String: Any]) throws {
        guard StoreOptions.flag(options, NSIgnorePersistentStoreVersioningOption) != true,
            let hashes = metadata[NSStoreModelVersionHashesKey] as? [String: Data], !hashes.isEmpty
        else { return }
        let modelHashes = fresh[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:]
        if let reason = VersionDifference.sentence(found: hashes, wanted: modelHashes) {
            throw CoreDataError.incompatibleVersionHash(metadata: metadata, reason: reason, url: url)
        }
    }
}
