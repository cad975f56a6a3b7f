// import: inserts objects for many rows, saved and released a thousand at a time.
import GRDB
import ManagedGraph

enum Import: EntryCase {
    static var cases: [BenchmarkCase] {
        [BenchmarkCase(name: "import", goals: [.ratio(1.6)], sizes: [50_000], entrants: entrants)]
    }

    private static func batches(_ rows: [InputRow]) -> [ArraySlice<InputRow>] {
        stride(from: 0, to: rows.count, by: 1000).map { rows[$0..<min(rows.count, $0 + 1000)] }
    }

    static func c(_ setting: Setting) throws -> Work {
        let database = try setting.c(setting.newFile(), .entries)
        let batches = batches(setting.entries)
        return {
            let statement = try database.prepare(CEntry.insert)
            for batch in batches {
                let entries = batch.map(CEntry.init)
                try database.transaction {
                    for entry in entries { try entry.write(to: statement) }
                }
            }
            return Outcome { try database.checksum(EntryChecksum.plain) }
        }
    }

    static func grdb<Record: EntryRecord>(_ setting: Setting, _ type: Record.Type) throws -> Work {
        let file = setting.newFile()
        let queue = try setting.grdb(file, .entries)
        let batches = batches(setting.entries)
        return {
            for batch in batches {
                try queue.write { database in
                    for row in batch {
                        var entry = Record(row)
                        try entry.insert(database)
                    }
                }
            }
            return Outcome { try CDatabase(file).checksum(EntryChecksum.plain) }
        }
    }

    static func managed(_ setting: Setting) throws -> Work {
        let store = try setting.store(setting.newFile())
        let batches = batches(setting.entries)
        return {
            let context = store.context()
            for batch in batches {
                try context.performAndWait {
                    for row in batch { Entry(context: context).set(row) }
                    try context.save()
                    context.reset()
                }
            }
            return Outcome { try store.checksum(EntryChecksum.managed) }
        }
    }
}
