// A comparison in a predicate's tree.
import Foundation

/// A comparison of two expressions.
package struct ComparisonNode: Hashable {
    package var left: ExpressionNode
    package var right: ExpressionNode
    package var modifier: ComparisonModifier
    package var op: ComparisonOperator
    package var options: ComparisonOptions
    /// The method of a `customSelector` comparison, or `UTI-EQUALS` or `UTI-CONFORMS-TO`.
    package var selector: String?

    package init(
        left: ExpressionNode,
        right: ExpressionNode,
        modifier: ComparisonModifier = .direct,
        op: ComparisonOperator,
        options: ComparisonOptions = [],
        selector: String? = nil
    ) {
        self.left = left
        self.right = right
        self.modifier = modifier
        self.op = op
        self.options = options
        self.selector = selector
    }
}
