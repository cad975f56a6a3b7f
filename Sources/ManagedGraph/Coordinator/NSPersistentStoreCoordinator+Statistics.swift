// Counters of the work of stores, for performance tests and for diagnosis. Read by users;
// Documentation/Diagnosis.md shows how.
import Foundation
import GraphEngine

extension NSPersistentStoreCoordinator {
    /// The work of a coordinator's stores since they were added.
    public struct Statistics: Equatable, Sendable {
        /// SQL statements run, transactions' begin and commit among them.
        public var statements = 0
        /// Rows that statements gave.
        public var rowsRead = 0
        /// Rows that saves have inserted, updated and deleted, pairs of many-to-many relationships among them.
        public var rowsWritten = 0
        /// Transactions that saves have committed.
        public var transactions = 0

        /// The work between two readings.
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

    /// The work of the stores since they were added; from any thread.
    public final var statistics: Statistics {
        var sum = Statistics()
        for case let store as any RowStore in persistentStores {
            guard let counts = (store.capabilities as? any CountingEngine)?.counts else { continue }
            sum.statements += counts.statements
            sum.rowsRead += counts.rowsRead
            sum.rowsWritten += counts.rowsWritten
            sum.transactions += counts.transactions
        }
        return sum
    }
}
