// The store to be migrated: its type, its metadata and its version. Used by forecasts, rehearsals and runs of
// migrations. Reading it neither changes it nor creates files beside it.
import Foundation
import GraphEngine
import GraphModel
import GraphSQLite
import ManagedGraph

/// A store and the model version it was made with.
package struct MigrationSource {
    package let url: URL
    /// Apple's name of the store type.
    package let type: String
    let metadata: StoreMetadata
    /// The store's version; with configurations, only the part of the model that the store holds.
    package let version: MigrationVersion
    /// The configuration that the store holds; nil for a whole model.
    package let configuration: String?
    /// Whether the version's model is found only in the store itself.
    package let isOwnVersion: Bool
    /// The versions, restricted to the store's configuration if it has one.
    package let versions: MigrationVersions
    /// The store's file; nil for stores of other types.
    let snapshotFile: ImmutableSnapshotFile?
    /// Does the work on a store in a database of a server; nil for a file.
    let database: (any DatabaseMigrator)?
    /// The exported snapshot that a store in a database is read from; nil for its present state.
    var snapshot: String?

    /// Inspects a store.
    ///
    /// - Parameters:
    ///   - url: The store.
    ///   - versions: The versions it may have, including the destination.
    /// - Throws: 134130 if its version is not found, 134080 and others if it cannot be read.
    package init(_ url: URL, versions: MigrationVersions) throws {
        self.url = url
        let database = try StoreLocation.migrator(of: url)
        self.database = database
        guard try database != nil || url.fileIsThere() else {
            throw CoreDataError.cannotOpen(url, reason: "the file does not exist", remedy: "Check the path.")
        }
        if let database {
            type = database.storeType
            snapshotFile = nil
            metadata = try CoreDataError.mapping(url) { try database.metadata(at: url) }
        } else if let otherType = StoreCheck(url).otherType() {
            type = otherType
            snapshotFile = nil
            let values = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: otherType, at: url)
            metadata = StoreMetadata(uuid: values[NSStoreUUIDKey] as? String ?? "", values: values)
        } else {
            type = NSSQLiteStoreType
            if let error = StoreFile.inspect(url.path).error(path: url.path) {
                throw CoreDataError.storeFile(error, url: url)
            }
            let snapshotFile = try CoreDataError.mapping(url) { try ImmutableSnapshotFile(url.path) }
            metadata = try CoreDataError.mapping(url) { () throws -> StoreMetadata in
                let connection = try snapshotFile.connection()
                defer { connection.close() }
                return try StoreFile.readMetadata(connection)
            }
            self.snapshotFile = snapshotFile
        }
        let hashes = metadata.versionHashes
        // If several versions have the same hashes, prefer the newest: the route from it is the shortest.
        if let (matchingVersion, configuration) = Self.find(hashes, versions.versions.reversed() + versions.others) {
            version = matchingVersion
            self.configuration = configuration
            isOwnVersion = false
            self.versions = versions.restricted(to: configuration)
        } else if type == NSSQLiteStoreType || database != nil,
            let model = try? StoreModelCache.find(at: url, hashes: hashes)
        {
            version = MigrationVersion(name: Self.ownName(metadata), model: model)
            configuration = nil
            isOwnVersion = true
            self.versions = versions
        } else {
            var values = metadata.values
            values[NSStoreUUIDKey] = metadata.uuid
            let searched = versions.versions.count + versions.others.count
            throw CoreDataError.missingSourceModel(url, metadata: values, searched: searched)
        }
    }

    /// The name of the store's own version: its identifier if it has one.
    private static func ownName(_ metadata: StoreMetadata) -> String {
        let identifiers = metadata.values[StoreMetadata.Key.versionIdentifiers] as? [String] ?? []
        let name = identifiers.filter { !$0.isEmpty }.joined(separator: ", ")
        return name.isEmpty ? "the store's own model" : name
    }

    /// The version with these hashes, either of the whole model or of one configuration.
    private static func find(
        _ hashes: [String: Data],
        _ versions: [MigrationVersion]
    ) -> (MigrationVersion, configuration: String?)? {
        if let match = versions.first(where: { $0.model.versionHashes() == hashes }) { return (match, nil) }
        for version in versions {
            for configuration in version.model.configurations {
                let part = version.model.part(listing: configuration.entityNames)
                guard part.versionHashes() == hashes else { continue }
                return (MigrationVersion(name: version.name, model: part), configuration.name)
            }
        }
        return nil
    }

    /// Whether the store has the destination's version.
    package var isUpToDate: Bool { version.model.versionHashes() == versions.destination.model.versionHashes() }

    // MARK: Reading objects

    /// Opens the store read-only with its own version while `body` runs.
    func read<R>(_ body: (NSManagedObjectContext) throws -> R) throws -> R {
        var options: [AnyHashable: Any] = [NSReadOnlyPersistentStoreOption: true]
        if let snapshotFile {
            options[NSIgnorePersistentStoreVersioningOption] = true
            options[StoreOptions.snapshotFile] = snapshotFile
        }
        if let snapshot { options[StoreOptions.exportedSnapshot] = snapshot }
        return try Self.open(url, type, version.model, options, body)
    }

    /// Opens a store with a model without classes while `body` runs.
    static func open<R>(
        _ url: URL,
        _ type: String,
        _ model: Model,
        _ options: [AnyHashable: Any],
        _ body: (NSManagedObjectContext) throws -> R
    ) throws -> R {
        let plain = try NSManagedObjectModel(model.withoutClasses)
        return try NSPersistentStoreCoordinator.using(url, type: type, model: plain, options: options, body)
    }
}

extension MigrationVersions {
    /// The versions, restricted to the entities of a configuration.
    fileprivate func restricted(to configuration: String?) -> MigrationVersions {
        guard let configuration else { return self }
        return mapVersions { version in
            guard let match = version.model.configurations.first(where: { $0.name == configuration }) else {
                return version
            }
            return MigrationVersion(name: version.name, model: version.model.part(listing: match.entityNames))
        }
    }
}

extension Model {
    /// The model without class names, as the classes exist only in the program that made the store.
    package var withoutClasses: Model {
        var model = self
        for index in model.entities.indices { model.entities[index].className = nil }
        return model
    }
}
