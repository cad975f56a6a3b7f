// Used with `ExpressionNode`.

/// A named index into a collection.
package enum SymbolicIndex: String, Sendable {
    case first = "FIRST"
    case last = "LAST"
    case size = "SIZE"
}
