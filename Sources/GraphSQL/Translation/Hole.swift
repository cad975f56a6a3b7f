// Stands in a predicate tree for a constant whose value the translation must not see.

/// The place of a constant.
final class Hole {
    /// Index into the fetch's constants.
    let index: Int
    let shape: ConstantShape
    /// The value as the user gave it, for error messages only.
    let original: Any?

    init(index: Int, shape: ConstantShape, original: Any?) {
        self.index = index
        self.shape = shape
        self.original = original
    }
}
