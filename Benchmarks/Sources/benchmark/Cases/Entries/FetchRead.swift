// fetch-read: fetches all rows as objects or records, then reads every value of each.
import GRDB
import ManagedGraph

enum FetchRead: EntryCase {
    static var cases: [BenchmarkCase] { [makeCase("fetch-read", goal: 1.2)] }

    static func c(_ setting: Setting) throws -> Work {
        let database = try setting.c(setting.plain(.entries), .entries)
        return {
            var checksum = Checksum()
            for entry in try CEntry.all(database) { checksum.add(entry) }
            return Outcome(checksum)
        }
    }

    static func grdb<Record: EntryRecord>(_ setting: Setting, _ type: Record.Type) throws -> Work {
        let queue = try setting.grdb(setting.plain(.entries), .entries)
        return {
            var checksum = Checksum()
            for entry in try queue.read({ try Record.fetchAll($0, sql: CEntry.select) }) { checksum.add(entry) }
            return Outcome(checksum)
        }
    }

    static func managed(_ setting: Setting) throws -> Work {
        let store = try setting.store(setting.managed(.entries))
        return {
            let context = store.context()
            return try context.performAndWait {
                var checksum = Checksum()
                for entry in try context.fetch(Entry.fetchRequest()) { try checksum.add(entry) }
                return Outcome(checksum)
            }
        }
    }
}
