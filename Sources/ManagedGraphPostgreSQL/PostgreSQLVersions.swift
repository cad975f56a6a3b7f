// Two versions of a PostgreSQL store side by side, for programs and commands that migrate without downtime.
import Foundation
import GraphEngine
import GraphModel
import GraphPostgreSQL
import GraphSQL
import ManagedGraph

/// A second version of a model beside that of a PostgreSQL store.
///
/// Programs of the old version continue with the store as it is; those of the new one open the same address with
/// `versions=views`. Both read and write the same rows until ``contract()`` removes the old version.
public struct PostgreSQLVersions {
    private let url: URL
    private let model: NSManagedObjectModel
    private let configuration: String?
    /// The greatest number of rows that one transaction fills.
    package var portion = 10_000
    /// The time for which each transaction is retried while other sessions hold locks that it needs.
    package var lockLimit: Duration = .seconds(600)

    /// Describes a second version.
    ///
    /// - Parameters:
    ///   - url: The address of the store.
    ///   - model: The model of the second version.
    ///   - configuration: The name of the model's configuration that is in the store.
    public init(at url: URL, model: NSManagedObjectModel, configuration: String? = nil) {
        self.url = url
        self.model = model
        self.configuration = configuration
    }

    /// Creates the second version, or continues an interrupted creation.
    ///
    /// O(rows) only for attributes that change their type or become required; their rows are filled in portions.
    ///
    /// - Throws: 134130 without the store's model, 134190 if no mapping can be inferred, 134110 if a change has no form
    ///   for both versions, or if other sessions hold the tables for ten minutes; the store is then unchanged.
    public func expand() throws { try run { try $0.expand() } }

    /// Removes the old version; programs of the new one continue.
    ///
    /// - Throws: 134110 if there is no second version of the model, rows violate its uniqueness constraints, or other
    ///   sessions hold the tables for ten minutes; the store is then unchanged.
    public func contract() throws { try run { try $0.contract() } }

    /// Removes the second version, with the values that only it has.
    ///
    /// - Throws: 134110 if there is none of the model, or if other sessions hold the tables for ten minutes; the store is
    ///   then unchanged.
    public func abandon() throws { try run { try $0.abandon() } }

    private func run(_ body: (VersionExpansion) throws -> Void) throws {
        let part = model.part(configuration)
        let fresh = StoreMetadata(of: part)
        var migrator = StoreMigrator(
            url: url,
            destination: model,
            part: part,
            fresh: fresh,
            infersMapping: true,
            busyTimeout: 0
        )
        migrator.database = PostgreSQLMigrator()
        let (source, mapping) = try migrator.lightweight()
        do {
            let migration = SchemaMigration(
                try PostgreSQLStore.address(url),
                mapping,
                from: source,
                to: part,
                fresh: fresh,
                model: StoreModelCache.data(of: part)
            )
            var expansion = VersionExpansion(migration)
            expansion.portion = portion
            expansion.lockLimit = lockLimit
            try body(expansion)
        } catch {
            throw CoreDataError.migrationFailed(url, error)
        }
    }
}
