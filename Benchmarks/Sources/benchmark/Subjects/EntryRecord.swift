// GRDB's records of the entry table: handwritten ones that read columns by position, the fastest way of its record
// layer, and Codable ones, which its documentation shows first. Dates are numbers in both.
import Foundation
import GRDB

/// A record of the entry table.
protocol EntryRecord: EntryValues, FetchableRecord, MutablePersistableRecord {
    var id: Int64? { get }

    init(_ row: InputRow)
}
