// The counters of an engine: statements, rows and transactions.
import GraphPredicates

/// The operations of an engine since it was opened.
package struct EngineCounts: Sendable {
    package var statements = 0
    package var rowsRead = 0
    package var rowsWritten = 0
    package var transactions = 0

    package init() {}
}
