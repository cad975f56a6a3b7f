// The changes of a save in the plain model.
import Foundation
import ManagedGraph

/// The objects of a save.
struct PlainChanges: Equatable {
    var inserted: Set<Int> = []
    /// Written, or counted as updated without a difference.
    var updated: Set<Int> = []
    var deleted: Set<Int> = []
}
