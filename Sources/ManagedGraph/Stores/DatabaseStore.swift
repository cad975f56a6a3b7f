// Stores in databases of servers, which other modules implement: creation and removal, which the coordinator does itself
// for files.
import Foundation
import GraphEngine

/// A store in a database of a server.
package protocol DatabaseStore: EngineStore {
    /// Creates the store with the identity of the one that it replaces; it has no rows yet.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - identifier: The UUID of the other store.
    ///   - userMetadata: The entries of users.
    /// - Throws: 134080 if there is a store already.
    func create(_ model: CompiledModel, identifier: String, userMetadata: [String: Any]) throws
    /// Removes the created tables after a failure.
    func discard()
    /// The archived model in the store at an address; nil if it has none.
    ///
    /// - Parameter url: The address.
    /// - Returns: The bytes that a SQLite store has in `Z_MODELCACHE`.
    /// - Throws: The database's errors.
    static func modelCache(at url: URL) throws -> Data?
    /// The tables in the schema of an address, whether they are a store's or not.
    ///
    /// - Parameter url: The address.
    /// - Returns: The tables.
    /// - Throws: The database's errors.
    static func catalog(at url: URL) throws -> DatabaseCatalog
    /// Removes the store at an address.
    ///
    /// - Parameters:
    ///   - url: The address.
    ///   - release: Closes the coordinator's own stores there; called before anything is removed.
    /// - Throws: The database's errors, and those of `release`.
    static func destroyStore(at url: URL, then release: () throws -> Void) throws
}
