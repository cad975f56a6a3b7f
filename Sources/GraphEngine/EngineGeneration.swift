// Optional capabilities of engines, each a separate protocol, so that no caller depends on an engine's class. Beside
// `GenerationEngine`.
import GraphPredicates

/// A snapshot of a store, kept as long as this object is alive.
package protocol EngineGeneration: AnyObject {
    /// Reads from the snapshot.
    var session: any ReadSession { get }
    /// Whether the store has been closed.
    var isClosed: Bool { get }
}
