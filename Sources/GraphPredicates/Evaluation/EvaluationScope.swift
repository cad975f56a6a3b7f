// What a predicate's parts see while it is evaluated: the object and the variables. Handed down by the compiled closures.

import Foundation

/// The object under evaluation and the variables bound so far.
struct EvaluationScope {
    /// The object as it was given, for blocks.
    let source: Any?
    /// The object by its slots, where the predicate was compiled for its class.
    let slots: SlotReference?
    var variables: [String: EvaluatedValue]
    private var classified: EvaluatedValue?

    init(_ object: Any?, slots: SlotReference? = nil, variables: [String: Any]) {
        source = object
        self.slots = slots
        self.variables = variables.isEmpty ? [:] : variables.mapValues { EvaluatedValue($0) }
    }

    /// The object as a value, which takes longer to make than a slot to read.
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

    /// The variables as blocks expect them, with NSNull for nil.
    var plainVariables: [String: Any]? {
        variables.isEmpty ? nil : variables.mapValues { $0.anyValue ?? NSNull() }
    }
}
