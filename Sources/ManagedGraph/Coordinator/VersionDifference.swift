// The entities in which a store and a model differ. Called when a store of any kind is opened, and by the checker.
import Foundation

/// In which entities two versions of a model differ.
package enum VersionDifference {
    /// A sentence; nil if the hashes are the same.
    static func sentence(found: [String: Data], wanted: [String: Data]) -> String? {
        guard found != wanted else { return nil }
        return "The entities' version hashes differ (\(list(found: found, wanted: wanted)))"
    }

    /// The entities by kind of difference.
    package static func list(found: [String: Data], wanted: [String: Data]) -> String {
        let parts: [(String, [String])] = [
            ("changed", wanted.keys.filter { found[$0] != nil && found[$0] != wanted[$0] }),
            ("only in the model", wanted.keys.filter { found[$0] == nil }),
            ("only in the store", found.keys.filter { wanted[$0] == nil }),
        ]
        return parts.filter { !$0.1.isEmpty }.map { "\($0.0): \($0.1.sorted().joined(separator: ", "))" }
            .joined(separator: "; ")
    }
}
