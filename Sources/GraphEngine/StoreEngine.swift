// What a store engine is: where rows are kept, and who may read and write them at the same time. Held by the face of a store in
// the graph; Documentation/Engines.md shows how to write one.
import Foundation

/// Keeps the rows of one store.
///
/// Its methods are called by any thread. Readers are never to wait for the writer if the engine can help it.
package protocol StoreEngine: AnyObject {
    /// The store's place in its coordinator: keys that the engine gives have it.
    var storeIndex: Int32 { get set }
    /// Opens or creates the store for a model, which stays the same until it is closed.
    func open(_ model: ModelLayout) throws
    func close()
    /// A session for reading; to be given back.
    ///
    /// With `holdsSnapshot` all reads see what the first one sees, until the session is renewed; else each read sees the newest
    /// content.
    func lease(holdsSnapshot: Bool) throws -> any ReadSession
    func giveBack(_ session: any ReadSession)
    /// Opens a transaction, and waits for others that write; the history, if there is one, gets the origin.
    func beginSave(_ origin: SaveOrigin) throws -> any WriteSession
    /// A fetch for which a session has thrown `needsMemory`, in two steps: what rows can answer, and what is left.
    func split(_ fetch: StoreFetch) throws -> SplitStoreFetch
    /// The entity that rows name by a number; nil if no entity has it.
    func entityIndex(number: Int64) -> Int?
    /// The number by which rows name an entity.
    func entityNumber(_ layout: EntityLayout) -> Int64
    /// Whether a save writes the pairs of a to-many relationship (`StoreChanges.joins`).
    func hasJoinTable(_ layout: EntityLayout, _ slot: Int) -> Bool
    /// Whether a save writes the owner into the members' rows (`StoreChanges.owners` and `releases`): a to-many relationship
    /// without an inverse, if it has no pairs.
    func hasOwnerColumn(_ layout: EntityLayout, _ slot: Int) -> Bool
    /// The bytes of a large value that stands in a file of its own, which the row names; nil if it is not there.
    func externalData(named name: String) -> Data?
}

extension StoreEngine {
    package func externalData(named name: String) -> Data? { nil }
}
