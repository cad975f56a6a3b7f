// The delete rules of relationships. Part of `Relationship`.
import Foundation

/// The effect of deleting the source on the destination; raw values are Apple's.
package enum DeleteRule: Int, Sendable, Hashable {
    case noAction = 0
    case nullify = 1
    case cascade = 2
    case deny = 3
}
