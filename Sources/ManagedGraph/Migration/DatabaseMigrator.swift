// The work of migrations on stores in databases of servers, which other modules do: PostgreSQLStore hands its migrator
// to the coordinator's migration, which plans stages and finds models and mappings.
import Foundation
import GraphEngine
import GraphModel
import GraphSQL

/// Migrates stores in databases of a server.
package protocol DatabaseMigrator {
    /// The type of the stores.
    var storeType: String { get }
    /// Called while statements run, which are cancelled if it returns false; nil to wait for them.
    var isWanted: (() -> Bool)? { get set }

    /// The metadata of the store at an address.
    ///
    /// - Parameter url: The address.
    /// - Returns: The metadata.
    /// - Throws: The database's errors; one if there is no store.
    func metadata(at url: URL) throws -> StoreMetadata

    /// The metadata of the store at an address; nil if there is no store.
    ///
    /// - Parameter url: The address.
    /// - Returns: The metadata.
    /// - Throws: The database's errors.
    func metadata(ifAt url: URL) throws -> StoreMetadata?

    /// The model that the store at an address contains, as an archive; nil if it contains none.
    ///
    /// - Parameter url: The address.
    /// - Returns: The archive.
    /// - Throws: The database's errors.
    func model(at url: URL) throws -> Data?

    /// Runs an inferred mapping in one transaction, unless the store has got another version meanwhile.
    ///
    /// - Parameters:
    ///   - mapping: The mapping.
    ///   - source: The store's model.
    ///   - destination: The model to migrate to.
    ///   - fresh: The metadata of a new store of it.
    ///   - url: The address.
    ///   - progress: Called with the completed fraction, from 0 to 1.
    /// - Throws: `MigrationFailure`, the database's errors, the errors of `progress`; the store is then unchanged.
    func migrate(
        _ mapping: ModelMapping,
        from source: Model,
        to destination: Model,
        fresh: StoreMetadata,
        at url: URL,
        progress: (Double) throws -> Void
    ) throws

    /// Forecasts an inferred mapping from one snapshot of the store; nothing is written.
    ///
    /// - Parameters:
    ///   - mapping: The mapping.
    ///   - source: The model that the store has, or will have if the step is a later one.
    ///   - destination: The model to migrate to.
    ///   - url: The address.
    ///   - isLater: Whether other steps come before, so that the rows and tables are not known.
    /// - Returns: The statements, and the rows that prevent the migration.
    /// - Throws: The database's errors.
    func forecast(
        _ mapping: ModelMapping,
        from source: Model,
        to destination: Model,
        at url: URL,
        isLater: Bool
    ) throws -> DatabaseForecast

    /// Copies the store for a migration that is only tried, and removes the copy afterwards; other programs can read and
    /// write the store meanwhile.
    ///
    /// - Parameters:
    ///   - url: The address.
    ///   - body: Called with the address of the copy, and the name of the snapshot of the store that it was made from.
    /// - Throws: The errors of `body`, the database's errors.
    func rehearse(at url: URL, _ body: (_ copy: URL, _ snapshot: String) throws -> Void) throws

    /// Puts another store in the place of this one, while other programs can read it and none can write it.
    ///
    /// - Parameters:
    ///   - url: The address.
    ///   - hashes: The version hashes that the store has to have; nothing is done if it has others by now.
    ///   - isCopy: Whether the other store begins as a copy of this one, instead of not being there.
    ///   - body: Makes the other store, or changes it.
    /// - Throws: The errors of `body`, the database's errors; the store is then unchanged.
    func replace(at url: URL, of hashes: [String: Data], isCopy: Bool, _ body: (URL) throws -> Void) throws
}
