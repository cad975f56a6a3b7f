// GRDB's handwritten record of the entry table, which reads columns by position, the fastest way of its record layer.
import Foundation
import GRDB

/// A record with handwritten `init(row:)` and `encode(to:)`.
struct RowEntry: EntryRecord {
    static let databaseTableName = "entry"

    var id: Int64?
    var text: String
    var priority: Int16
    var date: Date
    var isDone: Bool
    var amount: Double
    var number: Int64

    init(_ row: InputRow) {
        text = row.text
        priority = row.priority
        date = row.date
        isDone = row.isDone
        amount = row.amount
        number = row.number
    }

    init(row: Row) {
        id = row[0]
        text = row[1]
        priority = row[2]
        date = Date(timeIntervalSinceReferenceDate: row[3])
        isDone = row[4]
        amount = row[5]
        number = row[6]
    }

    func encode(to container: inout PersistenceContainer) {
        container["id"] = id
        container["text"] = text
        container["priority"] = priority
        container["date"] = date.timeIntervalSinceReferenceDate
        container["isDone"] = isDone
        container["amount"] = amount
        container["number"] = number
    }

    mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}
