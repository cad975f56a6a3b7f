// A comparison of integers with constants. Used by PredicateCompiler for slots.

/// The integers for which a comparison holds: all operators are one test of two bounds, without a closure for each.
struct IntegerInterval {
    private var lower = Int64.min
    private var upper = Int64.max
    /// Whether the comparison holds outside of the bounds, and for a missing value.
    private(set) var isNegated = false

    /// Nil for an operator that does not compare, and for a constant that is not an integer or two.
    init?(_ op: ComparisonOperator, _ constant: EvaluatedValue) {
        if op == .between {
            guard let bounds = constant.fixedElements, bounds.count == 2, let lower = bounds[0].exactInteger,
                let upper = bounds[1].exactInteger
            else { return nil }
            (self.lower, self.upper) = (lower, upper)
            return
        }
        guard let number = constant.exactInteger else { return nil }
        switch op {
        case .equal: (lower, upper) = (number, number)
        case .notEqual: (lower, upper, isNegated) = (number, number, true)
        case .lessThanOrEqual: upper = number
        case .greaterThanOrEqual: lower = number
        // No integer is less than the least one, or greater than the greatest.
        case .lessThan: if number == .min { (lower, upper) = (1, 0) } else { upper = number - 1 }
        case .greaterThan: if number == .max { (lower, upper) = (1, 0) } else { lower = number + 1 }
        default: return nil
        }
    }

    @inline(__always)
    func holds(_ number: Int64) -> Bool { (number >= lower && number <= upper) != isNegated }
}
