import Foundation
import Synchronization

/// Counts the work of comparing models; for tests, which count instead of measuring time.
package final class ModelWork: Sendable {
    private struct Counts {
        var hashings = 0
        var propertyHashings = 0
        var inferences = 0
    }

    private let counts = Mutex(Counts())

    /// The counter of this task; nil if there is none.
    @TaskLocal package static var current: ModelWork?

    package init() {}

    /// The number of models whose version hashes were computed.
    package var hashings: Int { counts.withLock { $0.hashings } }
    /// The number of properties hashed for entity hashes.
    package var propertyHashings: Int { counts.withLock { $0.propertyHashings } }
    /// The number of mappings inferred between two versions.
    package var inferences: Int { counts.withLock { $0.inferences } }

    func countHashing() { counts.withLock { $0.hashings += 1 } }
    func countProperties(_ count: Int) { counts.withLock { $0.propertyHashings += count } }
    func countInference() { counts.withLock { $0.inferences += 1 } }
}
