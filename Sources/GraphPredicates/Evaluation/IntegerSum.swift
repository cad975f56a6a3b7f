// Sums of integers, the same in any order: of the evaluator and of SQLite's connections.

/// The sum of many integers, which may exceed 64 bits on the way.
package struct IntegerSum {
    /// The lower 64 bits.
    private var low: Int64 = 0
    /// How often the lower bits have overflowed, negative for overflows below the least integer.
    private var overflows: Int64 = 0

    package init() {}

    package mutating func add(_ value: Int64) {
        let (sum, overflow) = low.addingReportingOverflow(value)
        low = sum
        if overflow { overflows += value < 0 ? -1 : 1 }
    }

    /// The sum if it has 64 bits.
    package var integer: Int64? { overflows == 0 ? low : nil }

    package var real: Double { Double(overflows) * 0x1p64 + Double(low) }
}
