// Converts the tree of a Swift predicate. Each of Foundation's expression types with a counterpart in the language
// conforms to ConvertibleExpression in the files of this folder; all others are rejected by name.

import Foundation

/// The conversion of one predicate.
package struct PredicateConversion {
    private var variables: [PredicateExpressions.VariableID: ConvertedExpression] = [:]
    private var names = 0

    /// Converts a predicate.
    ///
    /// - Throws: `UnconvertiblePredicate`.
    package static func convert<Input>(_ predicate: Predicate<Input>) throws -> PredicateNode {
        var conversion = PredicateConversion()
        conversion.bind(predicate.variable, to: ConvertedExpression(.expression(.evaluatedObject)))
        return try conversion.convert(predicate.expression).predicate()
    }

    /// Converts an expression.
    ///
    /// - Throws: `UnconvertiblePredicate`.
    package static func convert<Input, Output>(_ expression: Expression<Input, Output>) throws -> ExpressionNode {
        var conversion = PredicateConversion()
        conversion.bind(expression.variable, to: ConvertedExpression(.expression(.evaluatedObject)))
        return try conversion.convert(expression.expression).node()
    }

    mutating func convert<E: PredicateExpression>(_ expression: E) throws -> ConvertedExpression {
        guard let convertible = expression as? any ConvertibleExpression else {
            throw Self.refusal(of: E.self)
        }
        return try convertible.converted(in: &self)
    }

    mutating func bind<Value>(_ variable: PredicateExpressions.Variable<Value>, to value: ConvertedExpression) {
        variables[variable.key] = value
    }

    func value<Value>(of variable: PredicateExpressions.Variable<Value>) throws -> ConvertedExpression {
        guard let value = variables[variable.key] else {
            throw UnconvertiblePredicate(
                form: "A variable of another predicate",
                alternative: "Use only the predicate's own variables and captured constants."
            )
        }
        return value
    }

    /// A new variable name for the elements of a collection.
    mutating func newName() -> String {
        names += 1
        return "x\(names)"
    }

    /// Binds a variable to the elements of a collection and converts the condition on them.
    mutating func condition<Element, Test: PredicateExpression>(
        _ variable: PredicateExpressions.Variable<Element>,
        _ name: String,
        _ test: Test
    ) throws -> PredicateNode {
        bind(variable, to: ConvertedExpression(.expression(.variable(name))))
        return try convert(test).predicate()
    }

    // MARK: - Refusals

    /// The error for an unsupported type of expression.
    static func refusal(of type: Any.Type) -> UnconvertiblePredicate {
        let name = String(describing: type).prefix { $0 != "<" }
        return UnconvertiblePredicate(form: String(name), alternative: alternatives[String(name)] ?? general)
    }

    private static let general =
        "Fetch with the part that SQL can answer, and filter the objects with `filter { try predicate.evaluate($0) }`."

    private static let alternatives = [
        "TypeCheck": "Fetch the subentity's class, or use NSPredicate(format: \"entity.name == %@\", name).",
        "ForceCast": "Fetch the subentity's class, so that no cast is needed.",
        "ConditionalCast": "Fetch the subentity's class, so that no cast is needed.",
        "SequenceMinimum": "Use NSPredicate(format: \"items.@min.value == %@\", value).",
        "SequenceMaximum": "Use NSPredicate(format: \"items.@max.value == %@\", value).",
        "CollectionRangeSubscript": "Compare with starts(with:) or contains(_:).",
        "DictionaryKeySubscript": "Look the value up before the predicate and capture it.",
        "DictionaryKeyDefaultValueSubscript": "Look the value up before the predicate and capture it.",
        "ExpressionEvaluate": "Write the expression's body into the predicate.",
        "PredicateEvaluate": "Write the other predicate's condition into this one, or join two NSPredicates by "
            + "NSCompoundPredicate.",
    ]
}
