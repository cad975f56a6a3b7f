// GRDB's records of the entry table: handwritten ones that read columns by position, the fastest way of its record
// layer, and Codable ones, which its documentation shows first. Dates are numbers in both.
import Foundation
import GRDB

/// The values of an entry, whichever subject holds them.
protocol EntryValues {
    var text: String { get }
    var priority: Int16 { get }
    var date: Date { get }
    var isDone: Bool { get }
    var amount: Double { get set }
    var number: Int64 { get }
}

/// A record of the entry table.
protocol EntryRecord: EntryValues, FetchableRecord, MutablePersistableRecord {
    var id: Int64? { get }

    init(_ row: InputRow)
}
