// The migration of a store in a database, which the store does itself when it is opened. Used by the command `migrate`.
import Foundation
import GraphModel
import ManagedGraph

/// A migration of a store in a database.
package struct DatabaseMigration {
    private let url: URL
    private let versions: MigrationVersions
    /// The model to migrate to.
    package let model: NSManagedObjectModel

    /// Describes a migration.
    ///
    /// - Parameters:
    ///   - url: The address of the store.
    ///   - versions: The versions of the model, with the destination.
    /// - Throws: 134000 if the program is built without stores of the type, or an error of the model.
    package init(_ url: URL, to versions: MigrationVersions) throws {
        _ = try StoreLocation.databaseType(of: url)
        self.url = url
        self.versions = versions
        model = try NSManagedObjectModel(versions.destination.model)
    }

    /// The name of the store's version; nil if it is none of the versions.
    ///
    /// - Throws: 134080 if the database cannot be read.
    package func source() throws -> String? {
        let metadata = try metadata()
        let known = versions.versions.reversed() + versions.others
        return try known.first {
            try NSManagedObjectModel($0.model).isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata)
        }?.name
    }

    /// Whether the store has the destination's version.
    ///
    /// - Throws: 134080 if the database cannot be read.
    package func isDone() throws -> Bool {
        model.isConfiguration(withName: nil, compatibleWithStoreMetadata: try metadata())
    }

    /// Migrates the store, with an inferred mapping, in one transaction.
    ///
    /// - Throws: The error of the migration; the store is then unchanged.
    package func run() throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let options = [
            NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
        ]
        let store = try coordinator.addPersistentStore(
            ofType: try type(),
            configurationName: nil,
            at: url,
            options: options
        )
        try coordinator.remove(store)
    }

    private func type() throws -> String { try StoreLocation.databaseType(of: url) ?? "" }

    private func metadata() throws -> [String: Any] {
        try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: try type(), at: url)
    }
}
