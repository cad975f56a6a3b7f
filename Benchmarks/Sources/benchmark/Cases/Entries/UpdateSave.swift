// update-save: changes one column of every second row in previously fetched objects, written in one transaction.
import GRDB
import ManagedGraph

enum UpdateSave {
    static var cases: [BenchmarkCase] {
        [
            BenchmarkCase(
                name: "update-save",
                goals: [.ratio(1.8)],
                sizes: [20_000, 200_000],
                growth: [2_000_000],
                measure: .time { $0 / 2 },
                entrants: [
                    Entrant(SubjectName.cAPI, c),
                    Entrant(SubjectName.grdbRow) { try grdb($0, RowEntry.self) },
                    Entrant(SubjectName.grdbCodable) { try grdb($0, CodableEntry.self) },
                    Entrant(SubjectName.managedGraph) { setting in
                        try managed(setting, setting.store(setting.copy(setting.managed(.entries))))
                    },
                ]
            )
        ]
    }

    private static func c(_ setting: Setting) throws -> Work {
        let database = try setting.c(setting.copy(setting.plain(.entries)), .entries)
        let entries = try CEntry.all(database)
        return {
            try database.transaction {
                let statement = try database.prepare("UPDATE entry SET amount = ? WHERE id = ?")
                for index in stride(from: 0, to: entries.count, by: 2) {
                    let entry = entries[index]
                    entry.amount += 1
                    try statement.run {
                        statement.bind(1, entry.amount)
                        statement.bind(2, entry.id)
                    }
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
                for index in stride(from: 0, to: entries.count, by: 2) {
                    var entry = entries[index]
                    try entry.updateChanges(database) { $0.amount += 1 }
                }
            }
            return Outcome { try CDatabase(file).checksum(EntryChecksum.plain) }
        }
    }

    /// The preparation of ManagedGraph, also for the history cases.
    static func managed(_ setting: Setting, _ store: ManagedStore) throws -> Work {
        let context = store.context()
        let request: NSFetchRequest<Entry> = Entry.fetchRequest()
        request.returnsObjectsAsFaults = false
        let entries = try context.performAndWait { try context.fetch(request) }
        return {
            try context.performAndWait {
                for index in stride(from: 0, to: entries.count, by: 2) { entries[index].amount += 1 }
                try context.save()
            }
            return Outcome { try store.checksum(EntryChecksum.managed) }
        }
    }
}
