import Foundation

/// An entry of the hand-written subject.
final class PlainEntry {
    let key: Int64
    let version: Int64
    var text: String
    var priority: Int16
    var date: Date
    var isDone: Bool
    var amount: Double
    var number: Int64

    /// Reads the columns `_id, _version, text, priority, date, isDone, amount, number` of a row.
    init(_ row: PlainResult.Row) {
        key = row.integer(0)
        version = row.integer(1)
        text = row.text(2)
        priority = row.integer(3)
        date = row.date(4)
        isDone = row.boolean(5)
        amount = row.real(6)
        number = row.integer(7)
    }

    static let columns = "_id, _version, text, priority, date, \"isDone\", amount, number"

    func add(to sum: inout UInt64) {
        sum.add(number, priority, isDone, amount, date.timeIntervalSinceReferenceDate, text.utf8.count)
    }
}
