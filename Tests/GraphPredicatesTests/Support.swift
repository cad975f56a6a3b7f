// Helpers for several suites of this module: formats printed without Foundation's deprecation warning, and a
// readable object.

import Foundation
import GraphPredicates
import Testing

/// The printed form of a predicate object, through Foundation's own property.
func printed(_ predicate: NSPredicate) -> String {
    (predicate as any FormatReading).predicateFormat
}

/// Reads the property without Foundation's deprecation warning.
protocol FormatReading {
    var predicateFormat: String { get }
}

extension NSPredicate: FormatReading {}

/// The printed form of a format.
func printed(_ format: String, _ arguments: [Any?] = []) throws -> String {
    PredicatePrinter.print(try PredicateParser.parse(format: format, arguments: arguments))
}

/// The value of a predicate on an object.
func holds(
    _ format: String,
    _ arguments: [Any?] = [],
    on object: Any? = nil,
    variables: [String: Any] = [:]
) throws -> Bool {
    let node = try PredicateParser.parse(format: format, arguments: arguments)
    return try Evaluator(node).evaluate(object, variables: variables)
}

/// The value of an expression on an object.
func value(_ format: String, _ arguments: [Any?] = [], of object: Any? = nil) throws -> EvaluatedValue {
    let node = try PredicateParser.parseExpression(format: format, arguments: arguments)
    return EvaluatedValue(try ExpressionEvaluator(node).evaluate(object))
}
