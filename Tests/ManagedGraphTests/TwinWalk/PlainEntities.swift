// A context in the plain model: objects over a source, with their changes.
import Foundation
import ManagedGraph

/// Entities by serial number.
final class PlainEntities {
    var names: [Int: String] = [:]
    /// Objects that were ever saved, to the store or to a parent.
    var saved: Set<Int> = []
    /// Whether a step had a result that no rule defines, which ends the walk.
    var isUndefined = false
}
