// An expression compiled once into closures, for any number of objects in memory.
import Foundation

/// An expression prepared for evaluation.
package struct ExpressionEvaluator {
    private let read: PredicateCompiler.Read

    /// Prepares an expression.
    package init(_ node: ExpressionNode) {
        read = PredicateCompiler(sample: nil).read(node)
    }

    /// The value of the expression for an object.
    ///
    /// - Throws: `EvaluationError`.
    package func evaluate(_ object: Any?, variables: [String: Any] = [:]) throws -> Any? {
        var scope = EvaluationScope(object, variables: variables)
        return try read(&scope).anyValue
    }
}
