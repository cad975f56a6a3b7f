// The entities in which a store and a model differ. Called when a store of any kind is opened, and by the checker.
import Foundation

/// In which entities two versions of a model differ.
package enum VersionDifference {
    /// A sentence; nil if the hashes are the same.
    static func sentence(found storeHashes: [String: Data], wanted modelHashes: [String: Data]) -> String? {
        guard storeHashes != modelHashes else { return nil }
        return "The entities' version hashes differ (\(list(found: storeHashes, wanted: modelHashes)))"
    }

    /// The entities by kind of difference.
    package static func list(found storeHashes: [String: Data], wanted modelHashes: [String: Data]) -> String {
        let parts: [(String, [String])] = [
            ("changed", modelHashes.keys.filter { storeHashes[$0] != nil && storeHashes[$0] != modelHashes[$0] }),
            ("only in the model", modelHashes.keys.filter { storeHashes[$0] == nil }),
            ("only in the store", storeHashes.keys.filter { modelHashes[$0] == nil }),
        ]
        return parts.filter { !$0.1.isEmpty }.map { "\($0.0): \($0.1.sorted().joined(separator: ", "))" }
            .joined(separator: "; ")
    }
}
