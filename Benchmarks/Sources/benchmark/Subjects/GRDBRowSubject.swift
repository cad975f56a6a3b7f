// GRDB with records written by hand, columns read by position: the fastest that its record layer offers.
import Foundation
import GRDB

/// GRDB, `init(row:)` by hand.
final class GRDBRowSubject: Subject, Client {
    static let name = "grdb-row"

    struct Entry: FetchableRecord, PersistableRecord {
        static let databaseTableName = "entry"

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
            text = row[0]
            priority = row[1]
            date = Date(timeIntervalSinceReferenceDate: row[2])
            isDone = row[3]
            amount = row[4]
            number = row[5]
        }

        func encode(to container: inout PersistenceContainer) {
            container["text"] = text
            container["priority"] = priority
            container["date"] = date.timeIntervalSinceReferenceDate
            container["isDone"] = isDone
            container["amount"] = amount
            container["number"] = number
        }
    }

    private let database: any DatabaseWriter

    init(file: URL) throws { database = try GRDBFile.open(file) { try DatabaseQueue(path: $0) } }

    /// Works on a database that others share.
    init(database: any DatabaseWriter) { self.database = database }

    func insert(_ rows: [InputRow]) throws {
        try database.write { database in
            for row in rows { try Entry(row).insert(database) }
        }
    }

    /// GRDB has no faster way for records.
    func batchInsert(_ rows: [InputRow]) throws { try insert(rows) }

    static func addColumn(to file: URL, default fallback: Int?) throws {
        try GRDBFile.addColumn(to: file, default: fallback)
    }

    func batchUpdate(priority: Int16, amount: Double) throws -> Int {
        try database.write { database in
            try Entry.filter(Column("priority") == priority).updateAll(database, Column("amount").set(to: amount))
        }
    }

    func batchDelete(priority: Int16) throws -> Int {
        try database.write { try Entry.filter(Column("priority") == priority).deleteAll($0) }
    }

    func fetch() throws -> Checksum { try read().checksum }

    func hold() throws -> (held: Any, checksum: Checksum) { try read() }

    func fetchOne(_ position: Int) throws -> Checksum {
        let entry = try database.read { database in
            try Entry.fetchOne(database.cachedStatement(sql: Table.selectOne), arguments: [Table.key(of: position)])
        }
        return checksum(of: entry.map { [$0] } ?? [])
    }

    private func read() throws -> (held: [Entry], checksum: Checksum) {
        let entries = try database.read { try Entry.fetchAll($0, sql: Table.select) }
        return (entries, checksum(of: entries))
    }

    private func checksum(of entries: [Entry]) -> Checksum {
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
        return checksum
    }
}
