// What contexts have done, in numbers: for tests that hold a promise about cost, and for looking into one.
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
