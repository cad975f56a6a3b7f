// Optional capabilities of engines, each a separate protocol, so that no caller depends on an engine's class. Beside
// `GenerationEngine`.
import GraphPredicates

/// The operations of an engine since it was opened.
package struct EngineCounts: Sendable {
    package var statements = 0
    package var rowsRead = 0
    package var rowsWritten = 0
    package var transactions = 0

    package init() {}
}
