// Predicates and expressions prepared for objects in memory: a tree is compiled once into closures, which then
// evaluate any number of objects. Beside `Evaluator`.
import Foundation
import Synchronization

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
