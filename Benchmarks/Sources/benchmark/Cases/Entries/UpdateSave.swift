// update-save: changes one column of every second row in previously fetched objects, written in one transaction.
import GRDB
import ManagedGraph

enum UpdateSave: EntryCase {
    static var cases: [BenchmarkCase] { [makeCase("update-save", goal: 1.8, measure: .time { $0 / 2 })] }

    static func c(_ setting: Setting) throws -> Work {
        let (database, entries) = try copiedEntries(setting)
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

    static func grdb<Record: EntryRecord>(_ setting: Setting, _ type: Record.Type) throws -> Work {
        let (file, queue, entries) = try copiedEntries(setting, type)
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

    static func managed(_ setting: Setting) throws -> Work {
        try managed(setting, setting.store(setting.copy(setting.managed(.entries))))
    }

    /// The preparation of ManagedGraph, also for the history cases.
    static func managed(_ setting: Setting, _ store: ManagedStore) throws -> Work {
        let context = store.context()
        let entries = try context.performAndWait { try context.allEntries() }
        return {
            try context.performAndWait {
                for index in stride(from: 0, to: entries.count, by: 2) { entries[index].amount += 1 }
                try context.save()
            }
            return Outcome { try store.checksum(EntryChecksum.managed) }
        }
    }
}
