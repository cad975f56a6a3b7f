// Optional capabilities of engines, each a separate protocol, so that no caller depends on an engine's class. Beside
// `GenerationEngine`.
import GraphPredicates

/// An engine whose sessions are `HistoryReadSession` and `HistoryWriteSession`.
package protocol HistoryEngine: StoreEngine {}
