// Numbers of unknown classes as decimals.
import Foundation

extension NSNumber {
    /// The number as a decimal; NaN for infinity, at which Foundation's conversion stops the program.
    package var finiteDecimal: Decimal {
        self is NSDecimalNumber || doubleValue.isFinite ? decimalValue : .nan
    }
}
