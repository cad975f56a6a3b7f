// What some engines can do beyond reading and writing rows, each a protocol of its own, so that no caller asks for the class of
// an engine. What sessions may be able to do is in Sessions: BatchWriteSession, HistoryReadSession, HistoryWriteSession.
import GraphPredicates

/// An engine that can be read as it was at one moment, while others write.
package protocol GenerationEngine: StoreEngine {
    /// Whether the store as it was opened can.
    var hasGenerations: Bool { get }
    /// What the store holds now, to be read for as long as one likes.
    func readGeneration() throws -> any EngineGeneration
    /// A result that is read bit by bit, of this moment; nil if the store as it was opened has none.
    func cursor(_ fetch: StoreFetch) throws -> (any RowCursor)?
    /// Empties a log that has grown beyond the store itself; generations go on with copies.
    func emptyLargeLog()
}

/// What a store held at one moment; held as long as it lives.
package protocol EngineGeneration: AnyObject {
    /// Reads from that moment.
    var session: any ReadSession { get }
    /// Whether the store was closed meanwhile.
    var isClosed: Bool { get }
}

/// An engine whose sessions are `HistoryReadSession` and `HistoryWriteSession`.
package protocol HistoryEngine: StoreEngine {}

/// An engine that counts what it does.
package protocol CountingEngine: StoreEngine {
    var counts: EngineCounts { get }
}

/// What an engine has done since it was opened.
package struct EngineCounts: Sendable {
    package var statements = 0
    package var rowsRead = 0
    package var rowsWritten = 0
    package var transactions = 0

    package init() {}
}
