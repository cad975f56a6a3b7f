// A snapshot of a store that an engine keeps readable.
import GraphPredicates

/// A snapshot of a store, kept as long as this object is alive.
package protocol EngineGeneration: AnyObject {
    /// Reads from the snapshot.
    var session: any ReadSession { get }
    /// Whether the store has been closed.
    var isClosed: Bool { get }
}
