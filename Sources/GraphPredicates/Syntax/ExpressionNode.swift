/// A value of the predicate language, or the way to compute one.
package indirect enum ExpressionNode {
    /// A literal or an inserted argument: nil (or NSNull), a Swift or Foundation value, or an object.
    case constant(Any?)
    /// `SELF`.
    case evaluatedObject
    /// `$name`.
    case variable(String)
    /// A key path from the object under evaluation, including operators (`@count`, `@sum.x`).
    case keyPath([String])
    /// A key path from the value of another expression: `$x.name`, `SUBQUERY(…).@count`.
    case keyPathOf(ExpressionNode, [String])
    /// A function in its full spelling, `sum:`, `add:to:`, `now`; `target` for `FUNCTION(target, 'selector', …)`.
    case function(name: String, target: ExpressionNode?, arguments: [ExpressionNode])
    /// `{a, b, c}`.
    case aggregate([ExpressionNode])
    /// `SUBQUERY(collection, $variable, predicate)`.
    case subquery(collection: ExpressionNode, variable: String, predicate: PredicateNode)
    case union(ExpressionNode, ExpressionNode)
    case intersect(ExpressionNode, ExpressionNode)
    case minus(ExpressionNode, ExpressionNode)
    /// `TERNARY(predicate, a, b)`.
    case conditional(PredicateNode, ExpressionNode, ExpressionNode)
    /// `$name := expression`.
    case assignment(String, ExpressionNode)
    case anyKey
    /// `FIRST`, `LAST` or `SIZE` as an index.
    case symbolicIndex(SymbolicIndex)
    case block(ExpressionBlock, arguments: [ExpressionNode])
    /// `FETCH(request, context, countOnly)`.
    case fetch(request: ExpressionNode, context: ExpressionNode, countOnly: Bool)
}
