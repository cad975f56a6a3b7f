// Optional capabilities of engines, each a separate protocol, so that no caller depends on an engine's class. The
// optional capabilities of sessions are in Sessions: BatchWriteSession, HistoryReadSession, HistoryWriteSession.
import GraphPredicates

/// An engine that supports reading a snapshot during writes.
package protocol GenerationEngine: StoreEngine {
    /// Whether the open store supports snapshots.
    var hasGenerations: Bool { get }
    /// Takes a snapshot of the store, readable for an unlimited time.
    func readGeneration() throws -> any EngineGeneration
    /// A result read in portions from the current snapshot; nil if the open store does not support snapshots.
    func cursor(_ fetch: StoreFetch) throws -> (any RowCursor)?
    /// Empties a log that has grown larger than the store file; generations switch to copies.
    func emptyLargeLog()
}

/// A snapshot of a store, kept as long as this object is alive.
package protocol EngineGeneration: AnyObject {
    /// Reads from the snapshot.
    var session: any ReadSession { get }
    /// Whether the store has been closed.
    var isClosed: Bool { get }
}

/// An engine whose sessions are `HistoryReadSession` and `HistoryWriteSession`.
package protocol HistoryEngine: StoreEngine {}

/// An engine that counts its operations.
package protocol CountingEngine: StoreEngine {
    var counts: EngineCounts { get }
}

/// The operations of an engine since it was opened.
package struct EngineCounts: Sendable {
    package var statements = 0
    package var rowsRead = 0
    package var rowsWritten = 0
    package var transactions = 0

    package init() {}
}
