// A model with its version hashes, computed once for comparisons of many versions. Called by the commands that compare
// or search versions.
import Foundation
import Synchronization

/// A version of a model and its hashes.
package struct HashedModel: Sendable {
    package let model: Model
    /// The version hash of each entity by its name.
    package let hashes: [String: Data]

    /// Hashes a model.
    ///
    /// O(n) in the number of properties.
    ///
    /// - Parameter model: The model.
    package init(_ model: Model) {
        self.model = model
        hashes = model.versionHashes()
    }

    /// Uses known hashes.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - hashes: Its version hashes.
    package init(_ model: Model, hashes: [String: Data]) {
        self.model = model
        self.hashes = hashes
    }
}

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
