// batch-insert and batch-insert-dictionaries: inserts rows in one transaction, without registered objects.
import Foundation
import GRDB
import ManagedGraph

enum BatchInsert {
    static var cases: [BenchmarkCase] {
        [
            makeCase("batch-insert", goal: 1.3, rows: 200_000, objects),
            makeCase("batch-insert-dictionaries", goal: 2, rows: 100_000, dictionaries),
        ]
    }

    private static func makeCase(
        _ name: String,
        goal: Double,
        rows: Int,
        _ request: @escaping ([InputRow]) -> NSBatchInsertRequest
    ) -> BenchmarkCase {
        BenchmarkCase(
            name: name,
            goals: [.ratio(goal)],
            sizes: [rows],
            entrants: [
                Entrant(SubjectName.cAPI, c), Entrant(SubjectName.grdbRow, grdb),
                Entrant(SubjectName.managedGraph) { setting in
                    let store = try setting.store(setting.newFile())
                    let rows = setting.entries
                    return {
                        let context = store.context()
                        _ = try context.performAndWait { try context.execute(request(rows)) }
                        return Outcome { try store.checksum(EntryChecksum.managed) }
                    }
                },
            ]
        )
    }

    /// Binds the rows directly, without objects.
    private static func c(_ setting: Setting) throws -> Work {
        let database = try setting.c(setting.newFile(), .entries)
        let rows = setting.entries
        return {
            try database.transaction {
                let statement = try database.prepare(CEntry.insert)
                for row in rows {
                    _ = try statement.with(1, row.text) {
                        statement.bind(2, Int64(row.priority))
                        statement.bind(3, row.date.timeIntervalSinceReferenceDate)
                        statement.bind(4, row.isDone ? 1 : 0 as Int64)
                        statement.bind(5, row.amount)
                        statement.bind(6, row.number)
                        return try statement.step()
                    }
                    statement.reset()
                }
            }
            return Outcome { try database.checksum(EntryChecksum.plain) }
        }
    }

    /// The prepared statement that GRDB's documentation recommends for many rows.
    private static func grdb(_ setting: Setting) throws -> Work {
        let file = setting.newFile()
        let queue = try setting.grdb(file, .entries)
        let rows = setting.entries
        return {
            try queue.write { database in
                let statement = try database.makeStatement(sql: CEntry.insert)
                for row in rows {
                    let date = row.date.timeIntervalSinceReferenceDate
                    try statement.execute(
                        arguments: [row.text, row.priority, date, row.isDone, row.amount, row.number]
                    )
                }
            }
            return Outcome { try CDatabase(file).checksum(EntryChecksum.plain) }
        }
    }

    private static func objects(_ rows: [InputRow]) -> NSBatchInsertRequest {
        var next = 0
        return NSBatchInsertRequest(
            entity: Entry.entity(),
            managedObjectHandler: { object in
                guard next < rows.count, let entry = object as? Entry else { return true }
                entry.set(rows[next])
                next += 1
                return false
            }
        )
    }

    private static func dictionaries(_ rows: [InputRow]) -> NSBatchInsertRequest {
        var next = 0
        return NSBatchInsertRequest(
            entity: Entry.entity(),
            dictionaryHandler: { dictionary in
                guard next < rows.count else { return true }
                let row = rows[next]
                next += 1
                dictionary["text"] = row.text
                dictionary["priority"] = row.priority
                dictionary["date"] = row.date
                dictionary["isDone"] = row.isDone
                dictionary["amount"] = row.amount
                dictionary["number"] = row.number
                return false
            }
        )
    }
}
