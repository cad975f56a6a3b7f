// The capability of an engine that counts its work.
import GraphPredicates

/// An engine that counts its operations.
package protocol CountingEngine: StoreEngine {
    var counts: EngineCounts { get }
}
