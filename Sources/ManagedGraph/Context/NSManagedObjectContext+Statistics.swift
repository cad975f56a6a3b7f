// Counters used by performance tests and for diagnosis. Read by programs; Documentation/Diagnosis.md shows how.
import Foundation

extension NSManagedObjectContext {
    /// The work of a context since it was created.
    public struct Statistics: Equatable, Sendable {
        /// Requests to the stores: fetches, counts, reads of rows and of relationships' members.
        public var fetches = 0
        /// Rows read into the context.
        public var rowsRead = 0
        /// Faults filled.
        public var faultsFired = 0
        /// Reads that filled several faults at once.
        public var faultBatches = 0

        /// The work between two readings.
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

    /// The work of the context since it was created.
    ///
    /// Can be read on any thread; exact while no block of the context is running.
    public final var statistics: Statistics {
        Statistics(
            fetches: registry.fetches.current,
            rowsRead: registry.rowsRead.current,
            faultsFired: registry.faultsFired.current,
            faultBatches: registry.faultBatches.current
        )
    }
}
