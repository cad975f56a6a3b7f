// insert-save: inserts objects for all rows, written durably in one transaction.
import GRDB
import ManagedGraph

enum InsertSave: EntryCase {
    static var cases: [BenchmarkCase] { [makeCase("insert-save", goal: 1.5)] }

    /// Creates all objects first, as every subject does, then writes them through one prepared statement.
    static func c(_ setting: Setting) throws -> Work {
        let database = try setting.c(setting.newFile(), .entries)
        let rows = setting.entries
        return {
            let entries = rows.map(CEntry.init)
            try database.transaction {
                let statement = try database.prepare(CEntry.insert)
                for entry in entries { try entry.write(to: statement) }
            }
            return Outcome { try database.checksum(EntryChecksum.plain) }
        }
    }

    static func grdb<Record: EntryRecord>(_ setting: Setting, _ type: Record.Type) throws -> Work {
        let file = setting.newFile()
        let queue = try setting.grdb(file, .entries)
        let rows = setting.entries
        return {
            try queue.write { database in
                for row in rows {
                    var entry = Record(row)
                    try entry.insert(database)
                }
            }
            return Outcome { try CDatabase(file).checksum(EntryChecksum.plain) }
        }
    }

    static func managed(_ setting: Setting) throws -> Work {
        let store = try setting.store(setting.newFile())
        let rows = setting.entries
        return { try insert(rows, into: store) }
    }

    /// The work of ManagedGraph, also for the history cases.
    static func insert(_ rows: [InputRow], into store: ManagedStore) throws -> Outcome {
        let context = store.context()
        try context.performAndWait {
            for row in rows { Entry(context: context).set(row) }
            try context.save()
        }
        return Outcome { try store.checksum(EntryChecksum.managed) }
    }
}
