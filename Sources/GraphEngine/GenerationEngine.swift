// An optional capability of engines. Each is a separate protocol, so that no caller depends on an engine's class. Those of
// sessions are in Sessions: BatchWriteSession, HistoryReadSession, HistoryWriteSession.
import GraphPredicates

/// An engine that supports reading a snapshot during writes.
package protocol GenerationEngine: StoreEngine {
    /// Whether the open store supports snapshots.
    var hasGenerations: Bool { get }
    /// Takes a snapshot of the store, readable for an unlimited time.
    func readGeneration() throws -> any EngineGeneration
    /// A result read in portions from the current snapshot; nil if the open store does not support snapshots.
    func cursor(_ fetch: StoreFetch) throws -> (any RowCursor)?
    /// The keys of a result, and the numbers of their entities if several share the table, read as by `cursor(_:)`.
    func keyCursor(_ fetch: StoreFetch) throws -> (any RowCursor)?
    /// Empties a log that has grown larger than the store file; generations switch to copies.
    func emptyLargeLog()
}
