// The checksum that compares subjects. Every case computes one from the values it read or stored.
import Foundation

/// A count of rows and a sum over their values: prevents the optimizer from removing reads, and shows that all subjects
/// did the same work.
struct Checksum: Equatable, Sendable {
    private(set) var rows = 0
    private(set) var value: UInt64 = 0

    init() {}

    init(rows: Int, value: UInt64) {
        self.rows = rows
        self.value = value
    }

    init(of input: some Sequence<InputRow>) {
        for row in input {
            add(
                text: row.text,
                priority: row.priority,
                date: row.date,
                isDone: row.isDone,
                amount: row.amount,
                number: row.number
            )
        }
    }

    /// Adds a row of the entry table.
    @inline(__always)
    mutating func add(text: String, priority: Int16, date: Date, isDone: Bool, amount: Double, number: Int64) {
        rows += 1
        value &+= UInt64(text.utf8.count)
        value &+= UInt64(bitPattern: Int64(priority))
        value &+= date.timeIntervalSinceReferenceDate.bitPattern
        value &+= isDone ? 1 : 0
        value &+= amount.bitPattern
        value &+= UInt64(bitPattern: number)
    }

    /// Adds a row with a number.
    @inline(__always)
    mutating func add(_ number: Int64) {
        rows += 1
        value &+= UInt64(bitPattern: number)
    }

    /// Adds a row with a number.
    @inline(__always)
    mutating func add(_ number: Double) {
        rows += 1
        value &+= number.bitPattern
    }

    /// Adds a row with a text and a number.
    @inline(__always)
    mutating func add(_ text: String, _ number: Int64) {
        rows += 1
        value &+= UInt64(text.utf8.count)
        value &+= UInt64(bitPattern: number)
    }

    /// Adds a row with a text and a number.
    @inline(__always)
    mutating func add(_ text: String, _ number: Double) {
        rows += 1
        value &+= UInt64(text.utf8.count)
        value &+= number.bitPattern
    }

    /// Adds a row including its position.
    mutating func add(_ number: Int64, at position: Int) {
        rows += 1
        value &+= UInt64(bitPattern: number) &* UInt64(position &+ 1)
    }
}
