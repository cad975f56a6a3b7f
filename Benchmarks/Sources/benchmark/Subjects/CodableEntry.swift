// GRDB's Codable record of the entry table, which its documentation shows first.
import Foundation
import GRDB

/// A `Codable` record.
struct CodableEntry: Codable, EntryRecord {
    static let databaseTableName = "entry"

    static func databaseDateDecodingStrategy(for column: String) -> DatabaseDateDecodingStrategy {
        .timeIntervalSinceReferenceDate
    }

    static func databaseDateEncodingStrategy(for column: String) -> DatabaseDateEncodingStrategy {
        .timeIntervalSinceReferenceDate
    }

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

    mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}
