// The expected state of one context in a random walk, computed without the framework.
import Foundation

/// A context's view: its visible state, and its unsaved attributes.
struct PlainContext: Equatable {
    struct Cell: Hashable {
        var number: Int
        var key: String
    }
    var world = PlainWorld()
    var changed: Set<Cell> = []
    /// Whether there are unsaved changes other than to attributes of saved objects.
    var hasStructure = false
    /// Objects that the other context has deleted since this one's last save, and those among them that this one has
    /// changed: it keeps them among its deleted objects until its next save.
    var deletedElsewhere: Set<Int> = []
    var heldDeleted: Set<Int> = []
    /// The views to which undo returns, and those to which redo returns.
    var undone: [PlainSnapshot] = []
    var redone: [PlainSnapshot] = []

    var isClean: Bool { changed.isEmpty && !hasStructure }
}
