// Arithmetic and ranges in Swift predicates.

import Foundation

extension ConvertedExpression {
    fileprivate static func function(_ name: FunctionName, _ arguments: [ConvertedExpression]) throws -> Self {
        .nullable(.function(name: name.rawValue, target: nil, arguments: try arguments.map { try $0.node() }))
    }
}

extension PredicateExpressions.Arithmetic: ConvertibleExpression {
    package func converted(in conversion: inout PredicateConversion) throws -> ConvertedExpression {
        let name: FunctionName =
            switch op {
            case .add: .add
            case .subtract: .subtract
            case .multiply: .multiply
            @unknown default: throw PredicateConversion.refusal(of: Self.self)
            }
        return try .function(name, [try conversion.convert(lhs), try conversion.convert(rhs)])
    }
}

extension PredicateExpressions.IntDivision: ConvertibleExpression {
    package func converted(in conversion: inout PredicateConversion) throws -> ConvertedExpression {
        try .function(.divide, [try conversion.convert(lhs), try conversion.convert(rhs)])
    }
}

extension PredicateExpressions.FloatDivision: ConvertibleExpression {
    package func converted(in conversion: inout PredicateConversion) throws -> ConvertedExpression {
        try .function(.divide, [try conversion.convert(lhs), try conversion.convert(rhs)])
    }
}

extension PredicateExpressions.IntRemainder: ConvertibleExpression {
    package func converted(in conversion: inout PredicateConversion) throws -> ConvertedExpression {
        try .function(.modulus, [try conversion.convert(lhs), try conversion.convert(rhs)])
    }
}

extension PredicateExpressions.UnaryMinus: ConvertibleExpression {
    package func converted(in conversion: inout PredicateConversion) throws -> ConvertedExpression {
        try .function(.subtract, [ConvertedExpression(.constant(0)), try conversion.convert(wrapped)])
    }
}

// MARK: - Ranges

extension PredicateExpressions.ClosedRange: ConvertibleExpression {
    package func converted(in conversion: inout PredicateConversion) throws -> ConvertedExpression {
        let (low, high) = (try conversion.convert(lower), try conversion.convert(upper))
        return ConvertedExpression(.range(ConvertedRange(lower: low, upper: high, includesUpper: true)))
    }
}

extension PredicateExpressions.Range: ConvertibleExpression {
    package func converted(in conversion: inout PredicateConversion) throws -> ConvertedExpression {
        let (low, high) = (try conversion.convert(lower), try conversion.convert(upper))
        return ConvertedExpression(.range(ConvertedRange(lower: low, upper: high, includesUpper: false)))
    }
}

extension PredicateExpressions.RangeExpressionContains: ConvertibleExpression {
    package func converted(in conversion: inout PredicateConversion) throws -> ConvertedExpression {
        guard case .range(let range) = try conversion.convert(self.range).form else {
            throw PredicateConversion.refusal(of: Self.self)
        }
        return .predicate(try Comparing.contains(range, try conversion.convert(element)))
    }
}

/// A range captured as a value.
protocol ConstantRange {
    var converted: ConvertedRange { get }
}

private func constant(_ value: Any) -> ConvertedExpression {
    ConvertedExpression(.constant(SwiftConstant.plain(value)))
}

extension ClosedRange: ConstantRange {
    var converted: ConvertedRange {
        ConvertedRange(lower: constant(lowerBound), upper: constant(upperBound), includesUpper: true)
    }
}

extension Range: ConstantRange {
    var converted: ConvertedRange {
        ConvertedRange(lower: constant(lowerBound), upper: constant(upperBound), includesUpper: false)
    }
}

extension PartialRangeFrom: ConstantRange {
    var converted: ConvertedRange { ConvertedRange(lower: constant(lowerBound), upper: nil, includesUpper: false) }
}

extension PartialRangeUpTo: ConstantRange {
    var converted: ConvertedRange { ConvertedRange(lower: nil, upper: constant(upperBound), includesUpper: false) }
}

extension PartialRangeThrough: ConstantRange {
    var converted: ConvertedRange { ConvertedRange(lower: nil, upper: constant(upperBound), includesUpper: true) }
}
