// Decimals as stored in columns. Called by RowWriter and by atomic stores.
import Foundation

extension Decimal {
    /// The significant digits of a fractional number in Apple's format, whose decimal columns hold binary numbers.
    private static let storedDigits = 15

    /// The number as stored: whole numbers of 64 bits are exact; others are rounded.
    package var stored: Decimal {
        let literal = description
        let digits = literal.drop { !("1"..."9").contains($0) }.filter { $0 != "." }
        if isNaN || digits.count <= Self.storedDigits || Int64(literal) != nil { return self }
        let fraction = literal.firstIndex(of: ".").map { literal[literal.index(after: $0)...].count } ?? 0
        var (value, rounded) = (self, Decimal())
        NSDecimalRound(&rounded, &value, Self.storedDigits - digits.count + fraction, .plain)
        return rounded
    }
}
