// The capability of an engine that records the persistent history.
import GraphPredicates

/// An engine whose sessions are `HistoryReadSession` and `HistoryWriteSession`.
package protocol HistoryEngine: StoreEngine {}
