// Decimals as real numbers. Called by the evaluator and by the functions that stores call.
import Foundation

extension Decimal {
    /// The real number that is nearest to this one.
    ///
    /// Foundation's conversion multiplies by powers of ten and can miss it by some units in the last place, so that a row
    /// that SQL admits would not be admitted in memory.
    package var nearestReal: Double { Double(description) ?? .nan }
}
