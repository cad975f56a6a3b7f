// Stores in databases of servers, which other modules implement. The coordinator asks them for what it does itself with
// files.
import Foundation

/// A store in a database of a server.
package protocol DatabaseStore: EngineStore {
    /// Removes the store at an address.
    ///
    /// - Parameters:
    ///   - url: The address.
    ///   - release: Closes the coordinator's own stores there; called before anything is removed.
    /// - Throws: The database's errors, and those of `release`.
    static func destroyStore(at url: URL, then release: () throws -> Void) throws
}
