// The kinds of differences between two versions of a model.

/// The kind of change to a part of a model.
package enum DifferenceKind: String, Sendable, Hashable {
    case added, removed, changed
    /// Has a new name, and perhaps other changes.
    case renamed
    /// Declared by another entity of the hierarchy, perhaps with other changes.
    case moved
}
