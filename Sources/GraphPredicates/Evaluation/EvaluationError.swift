// The errors of evaluating a predicate on an object. Thrown by the evaluator; NSPredicate.evaluate(with:), which cannot
// throw, returns false instead.

import Foundation

/// The reason why a predicate or expression cannot be evaluated for an object.
package enum EvaluationError: Error, Equatable {
    case unboundVariable(String)
    case unknownKey(String, type: String)
    case unknownFunction(String)
    case badPattern(String)
    case slowPattern(String)
    case badBounds
    case badArgument(function: String, reason: String)
    case unsupported(String)
}

extension EvaluationError: CustomStringConvertible, LocalizedError {
    package var description: String {
        switch self {
        case .unboundVariable(let name):
            return "The variable $\(name) has no value. Pass one in substitutionVariables."
        case .unknownKey(let key, let type):
            return "\(type) has no value for the key \"\(key)\". Adopt KeyValueReadable to supply it."
        case .unknownFunction(let name):
            return "There is no function \"\(name)\". Use one of those that NSExpression documents."
        case .badPattern(let pattern):
            return "\"\(pattern)\" is not a regular expression. Check its brackets and escapes."
        case .slowPattern(let pattern):
            return
                "Matching a text with \"\(pattern)\" takes too long. Remove repetitions inside of "
                + "repetitions, such as (a+)+."
        case .badBounds:
            return "BETWEEN needs a list of exactly two values, such as {1, 10}."
        case .badArgument(let function, let reason):
            return "\(function) cannot be computed: \(reason)"
        case .unsupported(let what):
            return "\(what) cannot be evaluated in memory."
        }
    }

    package var errorDescription: String? { description }
}
