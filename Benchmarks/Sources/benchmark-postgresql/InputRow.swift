// The rows of the table of entries.
import Foundation

/// The values of one row.
struct InputRow: Sendable {
    var text: String
    var priority: Int16
    var date: Date
    var isDone: Bool
    var amount: Double
    var number: Int64

    /// The row at a position, identical in every run and every process.
    init(_ index: Int) {
        let spread = UInt64(index) &* 0x9e37_79b9_7f4a_7c15
        // 20 characters: one more than fits into a Swift string without an allocation.
        text = "entry number " + String(10_000_000 + index).suffix(7)
        priority = Int16(index % 5)
        date = Date(timeIntervalSinceReferenceDate: Double(index) * 60.5)
        isDone = index % 3 == 0
        amount = Double(index) * 0.25
        number = Int64(spread >> 1)
    }

    static func make(count: Int) -> [InputRow] { (0..<count).map(InputRow.init) }
}
