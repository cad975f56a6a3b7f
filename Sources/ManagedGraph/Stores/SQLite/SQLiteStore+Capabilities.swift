// What a SQLite store can do beyond rows. Asked for by query generations, history requests, results controllers' caches, the
// coordinator and counters.
import Foundation
import GraphSQLite

extension SQLiteStore: GenerationStore, HistoryStore, DatabaseFileStore, DeferringStore, CountingStore {
    func readGeneration() throws -> ReadGeneration { try readGeneration(isCursor: false) }

    var contentState: ContentState? { isInMemory ? nil : url.flatMap { ContentState(path: $0.path) } }

    func endSnapshots() { pool?.renewAll() }

    var statistics: NSPersistentStoreCoordinator.Statistics {
        guard let writer else { return NSPersistentStoreCoordinator.Statistics() }
        let readers = pool?.counts ?? (statements: 0, rows: 0)
        var result = NSPersistentStoreCoordinator.Statistics()
        result.statements = writer.connection.statementsRun + readers.statements
        result.rowsRead = writer.connection.rowsRead + readers.rows
        result.rowsWritten = writer.rowsWritten.load(ordering: .relaxed)
        result.transactions = writer.transactions.load(ordering: .relaxed)
        return result
    }
}
