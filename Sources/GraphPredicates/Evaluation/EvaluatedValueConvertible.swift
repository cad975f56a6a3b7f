// A value in the form that the evaluator uses: Swift's and Foundation's types with the same meaning share a case.
// Beside `EvaluatedValue`.
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
