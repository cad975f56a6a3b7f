// A model with its version hashes, computed once for comparisons of many versions. Called by the commands that compare
// or search versions.
import Foundation

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
