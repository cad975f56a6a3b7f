// The functions on numbers. Integers give an integer, also in a division, as on Apple's systems and in SQLite; a result
// that overflows or has a fraction is real. Division by zero, missing operands and results that are not numbers, such
// as a fractional power of a negative number, give nil, as in SQL.

import Foundation

extension FunctionName {
    /// Applies a function of two numbers.
    ///
    /// - Throws: `EvaluationError.badArgument` if a value is not a number.
    func calculate(_ a: EvaluatedValue, _ b: EvaluatedValue) throws -> EvaluatedValue {
        if a.isNull || b.isNull { return .null }
        guard a.isNumber, b.isNumber else {
            throw EvaluationError.badArgument(function: rawValue, reason: "an operand is not a number.")
        }
        if let first = a.wholeNumber, let second = b.wholeNumber, let result = whole(first, second) { return result }
        if a.isDecimal || b.isDecimal, !a.isReal, !b.isReal, let first = a.decimalValue, let second = b.decimalValue,
            let result = exact(first, second)
        {
            return result
        }
        return real(a.doubleValue ?? 0, b.doubleValue ?? 0)
    }

    /// The result for integers; nil if it must be computed in another type.
    private func whole(_ a: Int64, _ b: Int64) -> EvaluatedValue? {
        let result: (partialValue: Int64, overflow: Bool)
        switch self {
        case .add: result = a.addingReportingOverflow(b)
        case .subtract: result = a.subtractingReportingOverflow(b)
        case .multiply: result = a.multipliedReportingOverflow(by: b)
        case .divide:
            if b == 0 { return .null }
            result = a.dividedReportingOverflow(by: b)
        case .modulus:
            if b == 0 { return .null }
            result = a.remainderReportingOverflow(dividingBy: b)
        case .raise:
            let power = Foundation.pow(Double(a), Double(b))
            return b >= 0 && power.magnitude < 0x1p53 ? .integer(Int64(power)) : nil
        default: return bits(a, b)
        }
        return result.overflow ? nil : .integer(result.partialValue)
    }

    private func bits(_ a: Int64, _ b: Int64) -> EvaluatedValue? {
        switch self {
        case .bitAnd: return .integer(a & b)
        case .bitOr: return .integer(a | b)
        case .bitXor: return .integer(a ^ b)
        case .shiftLeft: return .integer(a << b)
        case .shiftRight: return .integer(a >> b)
        default: return nil
        }
    }

    /// The result for decimals; nil if it has no place among them.
    private func exact(_ a: Decimal, _ b: Decimal) -> EvaluatedValue? {
        let result: Decimal
        switch self {
        case .add: result = a + b
        case .subtract: result = a - b
        case .multiply: result = a * b
        case .divide:
            if b == 0 { return .null }
            result = a / b
        default: return nil
        }
        return result.isNaN ? nil : .decimal(result)
    }

    private func real(_ a: Double, _ b: Double) -> EvaluatedValue {
        switch self {
        case .add: return .computed(a + b)
        case .subtract: return .computed(a - b)
        case .multiply: return .computed(a * b)
        case .divide: return b == 0 ? .null : .computed(a / b)
        case .modulus: return .computed(a.truncatingRemainder(dividingBy: b))
        case .raise: return .computed(Foundation.pow(a, b))
        default:
            let first = Int64(exactly: a.rounded(.towardZero))
            let second = Int64(exactly: b.rounded(.towardZero))
            guard let first, let second else { return .null }
            return bits(first, second) ?? .null
        }
    }

    /// Applies a function of one number.
    ///
    /// - Throws: `EvaluationError.badArgument` if the value is not a number.
    func calculate(_ a: EvaluatedValue) throws -> EvaluatedValue {
        if a.isNull { return .null }
        guard let value = a.doubleValue else {
            throw EvaluationError.badArgument(function: rawValue, reason: "the operand is not a number.")
        }
        switch self {
        case .floor, .ceiling, .truncate:
            if let whole = a.wholeNumber { return .integer(whole) }
            return .computed(value.rounded(self == .floor ? .down : self == .ceiling ? .up : .towardZero))
        case .absolute:
            if let whole = a.wholeNumber, whole != .min { return .integer(abs(whole)) }
            if case .decimal(let decimal) = a { return .decimal(abs(decimal)) }
            return .computed(abs(value))
        case .onesComplement: return a.integerValue.map { .integer(~$0) } ?? .null
        case .squareRoot: return .computed(value.squareRoot())
        case .log: return value <= 0 ? .null : .computed(Foundation.log10(value))
        case .naturalLog: return value <= 0 ? .null : .computed(Foundation.log(value))
        case .exponential: return .computed(Foundation.exp(value))
        default: throw EvaluationError.unknownFunction(rawValue)
        }
    }
}

extension EvaluatedValue {
    /// The value if it has an integer type.
    var wholeNumber: Int64? {
        switch self {
        case .integer(let value): return value
        case .boolean(let value): return value ? 1 : 0
        default: return nil
        }
    }

    fileprivate var isDecimal: Bool {
        if case .decimal = self { return true }
        return false
    }

    fileprivate var isReal: Bool {
        if case .real = self { return true }
        return false
    }
}
