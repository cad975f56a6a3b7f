// The named indexes of a predicate, as in `labels[FIRST]`. Part of `ExpressionNode`.

/// A named index into a collection.
package enum SymbolicIndex: String, Sendable {
    case first = "FIRST"
    case last = "LAST"
    case size = "SIZE"
}
