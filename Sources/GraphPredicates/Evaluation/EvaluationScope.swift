// The state that a predicate's parts read during evaluation: the object and the variables. Passed to compiled closures.

import Foundation

/// The object under evaluation and the variables bound so far.
struct EvaluationScope {
    /// The original object, for blocks.
    let source: Any?
    /// The object by its slots, if the predicate was compiled for its class.
    let slots: SlotReference?
    /// The caller's variables; converted when they are read, as most expressions read few of them.
    private let given: [String: Any]
    private var bound: [String: EvaluatedValue] = [:]
    private var classified: EvaluatedValue?

    init(_ object: Any?, slots: SlotReference? = nil, variables: [String: Any]) {
        source = object
        self.slots = slots
        given = variables
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

    /// Gives a variable a value, in place of the caller's.
    mutating func bind(_ value: EvaluatedValue, to variable: String) { bound[variable] = value }

    func value(of variable: String) throws -> EvaluatedValue {
        if !bound.isEmpty, let value = bound[variable] { return value }
        guard let value = given[variable] else { throw EvaluationError.unboundVariable(variable) }
        return EvaluatedValue(value)
    }

    /// The variables in the form that blocks expect, with NSNull for nil.
    var plainVariables: [String: Any]? {
        if given.isEmpty, bound.isEmpty { return nil }
        let variables = given.mapValues { EvaluatedValue($0) }.merging(bound) { _, latest in latest }
        return variables.mapValues { $0.anyValue ?? NSNull() }
    }
}
