// A result that is read bit by bit while others go on writing: a connection of its own, held at one moment. Made by the
// store for one iteration of FetchedResults, which reads it on one queue.
import Foundation
import GraphSQL
import GraphSQLite

/// A result in portions.
final class RowCursor {
    private let generation: ReadGeneration
    private let statement: Statement
    private let kinds: [ColumnKind]
    private let url: URL?
    private(set) var hasMore = true

    init(_ generation: ReadGeneration, _ statement: SQLStatement, kinds: [ColumnKind], url: URL?) throws {
        self.generation = generation
        self.kinds = kinds
        self.url = url
        self.statement = try generation.reader.connection.prepare(statement)
    }

    deinit { statement.reset() }

    /// The next rows, at most so many.
    func next(_ count: Int) throws -> RowBatch {
        do {
            let batch = try statement.fetchPortion(kinds: kinds, maximumRows: count)
            hasMore = batch.hasMore
            return batch
        } catch let error as SQLiteError {
            throw CoreDataError.sqlite(error, url: url)
        }
    }
}
