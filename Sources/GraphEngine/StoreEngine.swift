// The interface of store engines: storage of rows, with concurrent reading and writing. Used by persistent stores;
// Documentation/Engines.md shows how to write an engine.
import Foundation

/// Keeps the rows of one store.
///
/// Its methods may be called on any thread. If possible, readers must not wait for the writer.
package protocol StoreEngine: AnyObject {
    /// The store's index in its coordinator, which is part of all keys that the engine returns.
    var storeIndex: Int32 { get set }
    /// Opens or creates the store for a model, which stays the same until the store is closed.
    func open(_ model: ModelLayout) throws
    func close()
    /// Leases a session for reading; return it with `giveBack`.
    ///
    /// With `holdsSnapshot` all reads share the snapshot of the first one, until the session is renewed; else each read
    /// sees the newest content.
    func lease(holdsSnapshot: Bool) throws -> any ReadSession
    func giveBack(_ session: any ReadSession)
    /// Opens a transaction, after waiting for other writers; the history, if there is one, records the origin.
    func beginSave(_ origin: SaveOrigin) throws -> any WriteSession
    /// Splits a fetch for which a session has thrown `needsMemory` into a fetch of rows and a remainder.
    func split(_ fetch: StoreFetch) throws -> SplitStoreFetch
    /// The entity with a number stored in rows; nil if no entity has it.
    func entityIndex(number: Int64) -> Int?
    /// The number that rows store for an entity.
    func entityNumber(_ layout: EntityLayout) -> Int64
    /// Whether a to-many relationship is saved as pairs (`StoreChanges.joins`).
    func hasJoinTable(_ layout: EntityLayout, _ slot: Int) -> Bool
    /// Whether the owner is saved in the members' rows (`StoreChanges.owners` and `releases`): a to-many relationship
    /// without an inverse or pairs.
    func hasOwnerColumn(_ layout: EntityLayout, _ slot: Int) -> Bool
    /// The bytes of a large value in an external file named by its row; nil if the file does not exist.
    func externalData(named name: String) -> Data?
}

extension StoreEngine {
    package func externalData(named name: String) -> Data? { nil }
}
