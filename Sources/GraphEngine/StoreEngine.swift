// The interface of store engines: storage of rows, with concurrent reading and writing. Used by persistent stores;
// Documentation/Engines.md shows how to write an engine.
import Foundation

/// Keeps the rows of one store.
///
/// Its methods may be called on any thread. If possible, readers must not wait for the writer.
package protocol StoreEngine: RowSource {
    /// The store's index in its coordinator, which is part of all keys that the engine returns.
    var storeIndex: Int32 { get set }
    /// Opens or creates the store for a model, which stays the same until the store is closed.
    func open(_ model: ModelLayout) throws
    /// Leases a session for reading; return it with `giveBack`.
    ///
    /// With `holdsSnapshot` all reads share the snapshot of the first one, until the session is renewed; else each read
    /// sees the newest content.
    func lease(holdsSnapshot: Bool) throws -> any ReadSession
    /// Opens a transaction, after waiting for other writers; the history, if there is one, records the origin.
    func beginSave(_ origin: SaveOrigin) throws -> any WriteSession
    /// Closes the store after another one has taken its place; if possible, readers that found it before can finish.
    func retire()
}

extension StoreEngine {
    package func retire() { close() }
}
