// What contexts and stores have done, in numbers: for tests that hold a promise about cost, and for looking into one.
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
    }

    /// What the context has done since it was made; call it on the context's queue.
    public final var statistics: Statistics {
        var result = counters
        result.faultsFired = registry.faultsFired
        return result
    }
}

extension NSPersistentStoreCoordinator {
    /// What the stores of a coordinator have done since they were added.
    public struct Statistics: Equatable, Sendable {
        /// SQL statements run, transactions' begin and commit among them.
        public var statements = 0
        /// Rows that statements gave.
        public var rowsRead = 0
        /// Transactions that saves have committed.
        public var transactions = 0
    }

    /// What the stores have done since they were added; from any thread.
    public final var statistics: Statistics {
        withLock {
            var sum = Statistics()
            for case let store as SQLiteStore in persistentStores {
                sum.statements += store.connection?.statementsRun ?? 0
                sum.rowsRead += store.connection?.rowsRead ?? 0
                sum.transactions += store.transactions
            }
            return sum
        }
    }
}
