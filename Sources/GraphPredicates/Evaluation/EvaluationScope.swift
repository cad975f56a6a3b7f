// The state that a predicate's parts read during evaluation: the object and the variables. Passed to compiled closures.

import Foundation

/// The object under evaluation and the variables bound so far.
struct EvaluationScope {
    /// The original object, for blocks.
    let source: Any?
    /// The object by its slots, if the predicate was compiled for its class.
    let slots: SlotReference?
    var variables: [String: EvaluatedValue]
    private var classified: EvaluatedValue?

    init(_ object: Any?, slots: SlotReference? = nil, variables: [String: Any]) {
        source = object
        self.slots = slots
        self.variables = variables.isEmpty ? [:] : variables.mapValues { EvaluatedValue($0) }
    }

    /// The object as a value; creating it takes longer than reading a slot.
    var object: EvaluatedValue {
        mutating get {
            if let classified { return classified }
            let value = EvaluatedValue(source)
            classified = value
            return value
        }
    }

    func value(of variable: String) throws -> EvaluatedValue {
        guard let value = variables[variable] else { throw EvaluationError.unboundVariable(variable) }
        return value
    }

    /// The variables in the form that blocks expect, with NSNull for nil.
    var plainVariables: [String: Any]? {
        variables.isEmpty ? nil : variables.mapValues { $0.anyValue ?? NSNull() }
    }
}
