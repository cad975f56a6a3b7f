// The operations on two numbers that a translation may ask a dialect for. The evaluator defines the result of each.

/// An operation on two numbers.
package enum ArithmeticOperation: CaseIterable, Sendable {
    case add, subtract, multiply
    /// NULL if the divisor is 0; the whole part if both numbers are integers.
    case divide
    case bitAnd, bitOr, shiftLeft, shiftRight

    /// The operator of standard SQL.
    var sign: StaticString {
        switch self {
        case .add: " + "
        case .subtract: " - "
        case .multiply: " * "
        case .divide: " / "
        case .bitAnd: " & "
        case .bitOr: " | "
        case .shiftLeft: " << "
        case .shiftRight: " >> "
        }
    }

    /// Whether the numbers are taken as integers.
    var isOfBits: Bool {
        switch self {
        case .bitAnd, .bitOr, .shiftLeft, .shiftRight: true
        case .add, .subtract, .multiply, .divide: false
        }
    }
}
