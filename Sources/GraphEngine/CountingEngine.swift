// Optional capabilities of engines, each a separate protocol, so that no caller depends on an engine's class. Beside
// `GenerationEngine`.
import GraphPredicates

/// An engine that counts its operations.
package protocol CountingEngine: StoreEngine {
    var counts: EngineCounts { get }
}
