// Limits the elements of composite attributes. Used by the readers of XML models and of compiled models, one budget for
// each model.

/// The number of elements that the composite attributes of a model may still have.
///
/// Each attribute of a composite type gets elements of its own. If types contain others several times, a file of some
/// hundred bytes describes more elements than any memory can hold.
final class CompositeBudget {
    /// The greatest number of composite types inside each other.
    static let depth = 16
    /// The greatest number of elements in a model.
    static let elements = 20_000

    /// The cause and the remedy if a limit is exceeded.
    static let excess =
        "its composite types are nested more than \(depth) deep, or the model has more than \(elements) elements of "
        + "composite attributes. Put fewer composite types into others."

    private var remaining = CompositeBudget.elements

    /// Takes the elements of one attribute; returns false if they exceed the limit, and for all attributes thereafter.
    func take(_ count: Int) -> Bool {
        guard count <= remaining else {
            remaining = 0
            return false
        }
        remaining -= count
        return true
    }
}
