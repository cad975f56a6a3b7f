// merge: one context saves changes, and another context, which holds all objects of the file, merges them. Times the
// span from the first change to the last value read in the other context. The yardstick reads the changed rows again.
import GRDB
import ManagedGraph

enum Merge {
    static var cases: [BenchmarkCase] {
        [
            BenchmarkCase(
                name: "merge",
                goals: [.ratio(1.5)],
                sizes: [200_000],
                measure: .time(changes),
                entrants: .subjects(c: c, grdb: grdb, managed: managed)
            )
        ]
    }

    /// A twentieth of the rows.
    private static func changes(_ rows: Int) -> Int { max(1, rows / 20) }

    private static func c(_ setting: Setting) throws -> Work {
        let count = changes(setting.rows)
        let file = try setting.copy(setting.plain(.entries))
        let writer = try setting.c(file, .entries)
        let reader = try setting.c(file, .entries)
        let changed = try CEntry.all(writer).prefix(count)
        var held: [Int64: CEntry] = [:]
        for entry in try CEntry.all(reader) { held[entry.id] = entry }
        let select = try reader.prepare(CEntry.select + " WHERE id = ?")
        return {
            try writer.transaction {
                let statement = try writer.prepare("UPDATE entry SET amount = ? WHERE id = ?")
                for entry in changed {
                    entry.amount += 1
                    try statement.run {
                        statement.bind(1, entry.amount)
                        statement.bind(2, entry.id)
                    }
                }
            }
            var checksum = Checksum()
            try reader.reading {
                for entry in changed {
                    select.bind(1, entry.id)
                    guard try select.step() else { throw BenchmarkError("A row is missing.") }
                    let new = CEntry(select)
                    select.reset()
                    held[new.id] = new
                    checksum.add(new)
                }
            }
            return Outcome { [checksum] in withExtendedLifetime(held) { checksum } }
        }
    }

    private static func grdb(_ setting: Setting) throws -> Work {
        let count = changes(setting.rows)
        let file = try setting.copy(setting.plain(.entries))
        let queue = try setting.grdb(file, .entries)
        let entries = try queue.read { try RowEntry.fetchAll($0, sql: CEntry.select) }
        let changed = entries.prefix(count)
        var held: [Int64: RowEntry] = [:]
        for entry in entries { if let id = entry.id { held[id] = entry } }
        return {
            try queue.write { database in
                for var entry in changed { try entry.updateChanges(database) { $0.amount += 1 } }
            }
            var checksum = Checksum()
            for entry in try queue.read({ try RowEntry.fetchAll($0, keys: changed.compactMap(\.id)) }) {
                if let id = entry.id { held[id] = entry }
                checksum.add(entry)
            }
            return Outcome { [checksum] in withExtendedLifetime(held) { checksum } }
        }
    }

    private static func managed(_ setting: Setting) throws -> Work {
        let count = changes(setting.rows)
        let store = try setting.store(setting.copy(setting.managed(.entries)))
        let writer = store.context()
        let reader = store.context()
        reader.automaticallyMergesChangesFromParent = true
        let request: NSFetchRequest<Entry> = Entry.fetchRequest()
        request.returnsObjectsAsFaults = false
        let held = try reader.performAndWait { try reader.fetch(request) }
        request.fetchLimit = count
        let changed = try writer.performAndWait { try writer.fetch(request) }
        return {
            try writer.performAndWait {
                for entry in changed { entry.amount += 1 }
                try writer.save()
            }
            let checksum = try reader.performAndWait {
                var checksum = Checksum()
                for entry in held.prefix(count) { try checksum.add(entry) }
                return checksum
            }
            return Outcome { withExtendedLifetime((store, held)) { checksum } }
        }
    }
}
