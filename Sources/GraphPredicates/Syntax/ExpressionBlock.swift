// The closure of a block expression. Part of `ExpressionNode`.

/// A closure that computes a value.
package final class ExpressionBlock {
    package let evaluate: (Any?, [Any?], [String: Any]?) -> Any?
    package init(_ evaluate: @escaping (Any?, [Any?], [String: Any]?) -> Any?) { self.evaluate = evaluate }
}
