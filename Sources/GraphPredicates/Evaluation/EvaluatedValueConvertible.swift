// The protocol of types that map to a case of EvaluatedValue, and its conformances.
import Foundation

/// A type that maps to a case of `EvaluatedValue`.
protocol EvaluatedValueConvertible {
    var evaluatedValue: EvaluatedValue { get }
}

extension EvaluatedValueConvertible where Self: FixedWidthInteger {
    var evaluatedValue: EvaluatedValue {
        if let value = Int64(exactly: self) { return .integer(value) }
        return Decimal(string: String(self)).map(EvaluatedValue.decimal) ?? .real(Double(self))
    }
}
