// The numbers that compare exactly as evaluated values do. Used by the tests of slots.
import Foundation

extension EvaluatedValue {
    /// The integer that equals this number; nil if there is none.
    var exactInteger: Int64? {
        switch self {
        case .boolean(let value): value ? 1 : 0
        case .integer(let value): value
        case .real(let value): Int64(exactly: value)
        default: nil
        }
    }

    /// The Double that compares as this number does; nil if there is none.
    var exactDouble: Double? {
        switch self {
        case .boolean(let value): value ? 1 : 0
        case .integer(let value): Double(exactly: value)
        case .real(let value): value
        default: nil
        }
    }

    /// The seconds of a date since 2001; nil for other values and for dates without an order, whose seconds are NaN.
    var orderedSeconds: Double? {
        guard case .date(let date) = self, !date.timeIntervalSinceReferenceDate.isNaN else { return nil }
        return date.timeIntervalSinceReferenceDate
    }
}
