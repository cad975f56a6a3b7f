// delete-save: deletes every second row, as previously fetched objects, in one transaction.
import GRDB
import ManagedGraph

enum DeleteSave: EntryCase {
    static var cases: [BenchmarkCase] { [makeCase("delete-save", goal: 1.4, measure: .time { $0 / 2 })] }

    static func c(_ setting: Setting) throws -> Work {
        let (database, entries) = try copiedEntries(setting)
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

    static func grdb<Record: EntryRecord>(_ setting: Setting, _ type: Record.Type) throws -> Work {
        let (file, queue, entries) = try copiedEntries(setting, type)
        return {
            try queue.write { database in
                for index in stride(from: 0, to: entries.count, by: 2) { try entries[index].delete(database) }
            }
            return Outcome { try CDatabase(file).checksum(EntryChecksum.plain) }
        }
    }

    static func managed(_ setting: Setting) throws -> Work {
        let store = try setting.store(setting.copy(setting.managed(.entries)))
        let context = store.context()
        let entries = try context.performAndWait { try context.allEntries() }
        return {
            try context.performAndWait {
                for index in stride(from: 0, to: entries.count, by: 2) { context.delete(entries[index]) }
                try context.save()
            }
            return Outcome { try store.checksum(EntryChecksum.managed) }
        }
    }
}
