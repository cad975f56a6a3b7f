/// A number in a format.
enum NumberLiteral {
    case integer(Int)
    case real(Double)

    var value: Any {
        switch self {
        case .integer(let value): return value
        case .real(let value): return value
        }
    }

    /// The number with the opposite sign; nil if it overflows.
    var negated: NumberLiteral? {
        switch self {
        case .integer(let value):
            let (result, overflow) = Int(0).subtractingReportingOverflow(value)
            return overflow ? nil : .integer(result)
        case .real(let value): return .real(-value)
        }
    }
}
