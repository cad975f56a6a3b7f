// What a predicate's parts see while it is evaluated: the object and the variables. Handed down by the compiled closures.

import Foundation

/// The object under evaluation and the variables bound so far.
struct EvaluationScope {
    let object: EvaluatedValue
    /// The object as it was given, for blocks.
    let source: Any?
    var variables: [String: EvaluatedValue]

    init(_ object: Any?, variables: [String: Any]) {
        self.source = object
        self.object = EvaluatedValue(object)
        self.variables = variables.isEmpty ? [:] : variables.mapValues { EvaluatedValue($0) }
    }

    func value(of variable: String) throws -> EvaluatedValue {
        guard let value = variables[variable] else { throw EvaluationError.unboundVariable(variable) }
        return value
    }

    /// The variables as blocks expect them, with NSNull for nil.
    var plainVariables: [String: Any]? {
        variables.isEmpty ? nil : variables.mapValues { $0.anyValue ?? NSNull() }
    }
}
