// What contexts and stores have done, in numbers: for tests that hold a promise about cost, and for looking into one.
// Read by users; Documentation/Diagnosis.md shows how.
import Foundation

extension NSManagedObjectContext {
    /// What a context has done since it was made.
    public struct Statistics: Equatable, Sendable {
        /// Requests to the stores: fetches, counts, readings of rows and of relationships' members.
        public var fetches = 0
        /// Rows read into the context.
        public var rowsRead = 0
        /// Faults filled.
        public var faultsFired = 0
        /// Readings that filled several faults at once.
        public var faultBatches = 0

        /// What was done between two readings.
        ///
        /// - Parameters:
        ///   - later: The later reading.
        ///   - earlier: The earlier one.
        /// - Returns: The differences.
        public static func - (later: Statistics, earlier: Statistics) -> Statistics {
            Statistics(
                fetches: later.fetches - earlier.fetches,
                rowsRead: later.rowsRead - earlier.rowsRead,
                faultsFired: later.faultsFired - earlier.faultsFired,
                faultBatches: later.faultBatches - earlier.faultBatches
            )
        }
    }

    /// What the context has done since it was made.
    ///
    /// From any thread; exact where no block of the context is running.
    public final var statistics: Statistics {
        Statistics(
            fetches: registry.fetches.current,
            rowsRead: registry.rowsRead.current,
            faultsFired: registry.faultsFired.current,
            faultBatches: registry.faultBatches.current
        )
    }
}

extension NSPersistentStoreCoordinator {
    /// What the stores of a coordinator have done since they were added.
    public struct Statistics: Equatable, Sendable {
        /// SQL statements run, transactions' begin and commit among them.
        public var statements = 0
        /// Rows that statements gave.
        public var rowsRead = 0
        /// Rows that saves have inserted, updated and deleted, pairs of many-to-many relationships among them.
        public var rowsWritten = 0
        /// Transactions that saves have committed.
        public var transactions = 0

        /// What was done between two readings.
        ///
        /// - Parameters:
        ///   - later: The later reading.
        ///   - earlier: The earlier one.
        /// - Returns: The differences.
        public static func - (later: Statistics, earlier: Statistics) -> Statistics {
            Statistics(
                statements: later.statements - earlier.statements,
                rowsRead: later.rowsRead - earlier.rowsRead,
                rowsWritten: later.rowsWritten - earlier.rowsWritten,
                transactions: later.transactions - earlier.transactions
            )
        }
    }

    /// What the stores have done since they were added; from any thread.
    public final var statistics: Statistics {
        var sum = Statistics()
        for case let store as SQLiteStore in persistentStores {
            guard let writer = store.writer else { continue }
            let readers = store.pool?.counts ?? (statements: 0, rows: 0)
            sum.statements += writer.connection.statementsRun + readers.statements
            sum.rowsRead += writer.connection.rowsRead + readers.rows
            sum.rowsWritten += writer.rowsWritten.load(ordering: .relaxed)
            sum.transactions += writer.transactions.load(ordering: .relaxed)
        }
        return sum
    }
}
