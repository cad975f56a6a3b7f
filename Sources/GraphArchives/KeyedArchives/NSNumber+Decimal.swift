// Numbers as decimals, without the conversions at which Foundation stops the program or adds digits.
import Foundation

extension NSNumber {
    /// The number as a decimal; NaN for infinity, at which Foundation's conversion stops the program.
    package var finiteDecimal: Decimal {
        self is NSDecimalNumber || doubleValue.isFinite ? decimalValue : .nan
    }
}

extension Decimal {
    /// The decimal with the shortest digits of a real number: 1.1 for 1.1.
    ///
    /// Nil for infinity, NaN and numbers beyond the range of decimals, 1e-128 to 1e166.
    package init?(digitsOf number: Double) {
        guard number.isFinite else { return nil }
        self.init(string: number.description)
    }
}
