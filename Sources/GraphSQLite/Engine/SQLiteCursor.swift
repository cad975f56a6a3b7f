// A result read in portions while writes continue, from a snapshot on its own connection. Created by the store for one
// iteration of FetchedResults, which reads it on one queue.
import Foundation
import GraphEngine
import GraphSQL

/// A result read in portions.
final class SQLiteCursor: RowCursor {
    private let generation: ReadGeneration
    private let statement: Statement
    private let kinds: [ColumnKind]
    package private(set) var hasMore = true

    init(_ generation: ReadGeneration, _ statement: SQLStatement, kinds: [ColumnKind]) throws {
        self.generation = generation
        self.kinds = kinds
        self.statement = try generation.reader.connection.prepare(statement)
    }

    deinit { statement.reset() }

    /// The next rows, at most `count`.
    package func next(_ count: Int) throws -> RowBatch {
        let isRecorded = generation.reader.refreshMonitoring()
        defer { if isRecorded { generation.reader.deliver() } }
        let batch = try EngineError.mapping {
            try generation.reader.checked(statement.fetchPortion(kinds: kinds, maximumRows: count))
        }
        hasMore = batch.hasMore
        return batch
    }
}
