// delete-save: deletes every second row, as previously fetched objects, in one transaction.
import GRDB
import ManagedGraph

enum DeleteSave {
    static var cases: [BenchmarkCase] {
        [
            BenchmarkCase(
                name: "delete-save",
                goals: [.ratio(1.4)],
                sizes: [20_000, 200_000],
                growth: [2_000_000],
                measure: .time { $0 / 2 },
                entrants: [
                    Entrant(SubjectName.cAPI, c),
                    Entrant(SubjectName.grdbRow) { try grdb($0, RowEntry.self) },
                    Entrant(SubjectName.grdbCodable) { try grdb($0, CodableEntry.self) },
                    Entrant(SubjectName.managedGraph, managed),
                ]
            )
        ]
    }

    private static func c(_ setting: Setting) throws -> Work {
        let database = try setting.c(setting.copy(setting.plain(.entries)), .entries)
        let entries = try CEntry.all(database)
        return {
            try database.transaction {
                let statement = try database.prepare("DELETE FROM entry WHERE id = ?")
                for index in stride(from: 0, to: entries.count, by: 2) {
                    try statement.run { statement.bind(1, entries[index].id) }
                }
            }
            return Outcome { try database.checksum(EntryChecksum.plain) }
        }
    }

    private static func grdb<Record: EntryRecord>(_ setting: Setting, _ type: Record.Type) throws -> Work {
        let file = try setting.copy(setting.plain(.entries))
        let queue = try setting.grdb(file, .entries)
        let entries = try queue.read { try Record.fetchAll($0, sql: CEntry.select) }
        return {
            try queue.write { database in
                for index in stride(from: 0, to: entries.count, by: 2) { try entries[index].delete(database) }
            }
            return Outcome { try CDatabase(file).checksum(EntryChecksum.plain) }
        }
    }

    private static func managed(_ setting: Setting) throws -> Work {
        let store = try setting.store(setting.copy(setting.managed(.entries)))
        let context = store.context()
        let request: NSFetchRequest<Entry> = Entry.fetchRequest()
        request.returnsObjectsAsFaults = false
        let entries = try context.performAndWait { try context.fetch(request) }
        return {
            try context.performAndWait {
                for index in stride(from: 0, to: entries.count, by: 2) { context.delete(entries[index]) }
                try context.save()
            }
            return Outcome { try store.checksum(EntryChecksum.managed) }
        }
    }
}
