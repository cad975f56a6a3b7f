// The store that is to be migrated, as it is: its kind, its metadata, which version it has. Used by forecasts, rehearsals and
// runs of migrations. Reading it changes nothing and makes no file beside it.
import Foundation
import GraphModel
import GraphSQLite
import ManagedGraph

/// A store and the version of the model that it was made with.
package struct MigrationSource {
    package let url: URL
    /// Apple's name of the kind of store.
    package let type: String
    let metadata: StoreMetadata
    /// The version it has; of a model with configurations the part that the store holds.
    package let version: MigrationVersion
    /// The configuration that the store holds; nil for a whole model.
    package let configuration: String?
    /// Whether only the store itself knows its version.
    package let isOwnVersion: Bool
    /// The versions, where the store holds a configuration as far as that goes.
    package let versions: MigrationVersions
    /// The store's file; nil for stores that are no databases.
    let still: StillFile?

    /// Looks at a store.
    ///
    /// - Parameters:
    ///   - url: The store.
    ///   - versions: The versions it may have, and the one it is to have.
    /// - Throws: 134130 where its version is not found, 134080 and others where it cannot be read.
    package init(_ url: URL, versions: MigrationVersions) throws {
        self.url = url
        guard FileManager.default.fileExists(atPath: url.path) else {
            throw CoreDataError.cannotOpen(url, reason: "there is no such file", remedy: "Check the path.")
        }
        if let other = StoreCheck(url).otherType() {
            type = other
            still = nil
            let values = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: other, at: url)
            metadata = StoreMetadata(uuid: values[NSStoreUUIDKey] as? String ?? "", values: values)
        } else {
            type = NSSQLiteStoreType
            if let error = StoreFile.inspect(url.path).error(path: url.path) {
                throw CoreDataError.storeFile(error, url: url)
            }
            let still = try CoreDataError.mapping(url) { try StillFile(url.path) }
            metadata = try CoreDataError.mapping(url) { () throws -> StoreMetadata in
                let connection = try still.connection()
                defer { connection.close() }
                return try StoreFile.readMetadata(connection)
            }
            self.still = still
        }
        let hashes = metadata.versionHashes
        // Of several versions with the same hashes the newest: the way from it is the shortest.
        if let (found, configuration) = Self.find(hashes, versions.versions.reversed() + versions.others) {
            version = found
            self.configuration = configuration
            isOwnVersion = false
            self.versions = versions.restricted(to: configuration)
        } else if type == NSSQLiteStoreType, let model = try? StoreModelCache.find(at: url, hashes: hashes) {
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

    /// What the store's own version is called: by its identifier, where it has one.
    private static func ownName(_ metadata: StoreMetadata) -> String {
        let identifiers = metadata.values[StoreMetadata.Key.versionIdentifiers] as? [String] ?? []
        let name = identifiers.filter { !$0.isEmpty }.joined(separator: ", ")
        return name.isEmpty ? "the store's own model" : name
    }

    /// The version with these hashes, or of which one configuration has them.
    private static func find(
        _ hashes: [String: Data],
        _ versions: [MigrationVersion]
    ) -> (MigrationVersion, configuration: String?)? {
        if let whole = versions.first(where: { $0.model.versionHashes() == hashes }) { return (whole, nil) }
        for version in versions {
            for configuration in version.model.configurations {
                let part = version.model.part(listing: configuration.entityNames)
                guard part.versionHashes() == hashes else { continue }
                return (MigrationVersion(name: version.name, model: part), configuration.name)
            }
        }
        return nil
    }

    // MARK: As objects

    /// Opens the store with its own version for reading, for as long as `body` runs.
    func read<R>(_ body: (NSManagedObjectContext) throws -> R) throws -> R {
        var options: [AnyHashable: Any] = [NSReadOnlyPersistentStoreOption: true]
        if let still {
            options[NSIgnorePersistentStoreVersioningOption] = true
            options[StoreOptions.stillFile] = still
        }
        return try Self.open(url, type, version.model, options, body)
    }

    /// Opens a store with a model of no classes, for as long as `body` runs.
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
    /// The versions as far as stores of a configuration hold them.
    fileprivate func restricted(to configuration: String?) -> MigrationVersions {
        guard let configuration else { return self }
        return mapVersions { version in
            guard let found = version.model.configurations.first(where: { $0.name == configuration }) else {
                return version
            }
            return MigrationVersion(name: version.name, model: version.model.part(listing: found.entityNames))
        }
    }
}

extension Model {
    /// The model with plain objects: the classes are in the program that made the store.
    package var withoutClasses: Model {
        var model = self
        for index in model.entities.indices { model.entities[index].className = nil }
        return model
    }
}
