// The rows that every subject writes and reads. Made before any clock runs.
import Foundation

/// The values of one row.
struct InputRow {
    var text: String
    var priority: Int16
    var date: Date
    var isDone: Bool
    var amount: Double
    var number: Int64

    /// The same rows in every run and every process.
    static func make(count: Int) -> [InputRow] {
        (0..<count).map { index in
            let spread = UInt64(index) &* 0x9e37_79b9_7f4a_7c15
            return InputRow(
                // 20 characters: one more than fits into a Swift string without an allocation.
                text: "entry number " + String(10_000_000 + index).suffix(7),
                priority: Int16(index % 5),
                date: Date(timeIntervalSinceReferenceDate: Double(index) * 60.5),
                isDone: index % 3 == 0,
                amount: Double(index) * 0.25,
                number: Int64(spread >> 1)
            )
        }
    }
}

/// A sum over all values of all rows: it keeps reads from being optimised away, and shows that all subjects read the
/// same.
struct Checksum: Equatable {
    private(set) var rows = 0
    private(set) var value: UInt64 = 0

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

    init() {}

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
}
