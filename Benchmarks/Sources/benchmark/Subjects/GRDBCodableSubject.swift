// GRDB with Codable records: what its documentation shows first. Dates are numbers here too, not its slower text.
import Foundation
import GRDB

/// GRDB, `Codable` records.
final class GRDBCodableSubject: Subject {
    static let name = "grdb-codable"

    struct Entry: Codable, FetchableRecord, PersistableRecord {
        static let databaseTableName = "entry"

        static func databaseDateDecodingStrategy(for column: String) -> DatabaseDateDecodingStrategy {
            .timeIntervalSinceReferenceDate
        }

        static func databaseDateEncodingStrategy(for column: String) -> DatabaseDateEncodingStrategy {
            .timeIntervalSinceReferenceDate
        }

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
    }

    private let queue: DatabaseQueue

    init(file: URL) throws { queue = try GRDBFile.open(file) { try DatabaseQueue(path: $0) } }

    func insert(_ rows: [InputRow]) throws {
        try queue.write { database in
            for row in rows { try Entry(row).insert(database) }
        }
    }

    /// GRDB has no faster way for records.
    func batchInsert(_ rows: [InputRow]) throws { try insert(rows) }

    static func addColumn(to file: URL, default fallback: Int?) throws {
        try GRDBFile.addColumn(to: file, default: fallback)
    }

    func batchUpdate(priority: Int16, amount: Double) throws -> Int {
        try queue.write { database in
            try Entry.filter(Column("priority") == priority).updateAll(database, Column("amount").set(to: amount))
        }
    }

    func batchDelete(priority: Int16) throws -> Int {
        try queue.write { try Entry.filter(Column("priority") == priority).deleteAll($0) }
    }

    func fetch() throws -> Checksum { try read().checksum }

    func hold() throws -> (held: Any, checksum: Checksum) { try read() }

    private func read() throws -> (held: [Entry], checksum: Checksum) {
        let entries = try queue.read { try Entry.fetchAll($0, sql: Table.select) }
        var checksum = Checksum()
        for entry in entries {
            checksum.add(
                text: entry.text,
                priority: entry.priority,
                date: entry.date,
                isDone: entry.isDone,
                amount: entry.amount,
                number: entry.number
            )
        }
        return (entries, checksum)
    }
}
