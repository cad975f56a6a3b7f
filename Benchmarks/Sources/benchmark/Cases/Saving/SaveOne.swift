// save-one and save-one-off: one change and a save, while a context holds all objects of the file. Synchronous FULL
// waits for the disk; OFF shows the work of the library.
import GRDB
import ManagedGraph

enum SaveOne {
    static var cases: [BenchmarkCase] {
        [
            makeCase("save-one-off", goal: 1.8, synchronous: "OFF", saves: 500),
            makeCase("save-one", goal: 1.2, synchronous: "FULL", saves: 100),
        ]
    }

    private static func makeCase(_ name: String, goal: Double, synchronous: String, saves: Int) -> BenchmarkCase {
        BenchmarkCase(
            name: name,
            goals: [.ratio(goal)],
            sizes: [200_000],
            measure: .time { _ in saves },
            entrants: [
                Entrant(SubjectName.cAPI) { try c($0, synchronous, saves) },
                Entrant(SubjectName.grdbRow) { try grdb($0, synchronous, saves) },
                Entrant(SubjectName.managedGraph) { try managed($0, synchronous, saves) },
            ]
        )
    }

    private static func position(_ number: Int, _ count: Int) -> Int { number &* 7919 % count }

    private static func c(_ setting: Setting, _ synchronous: String, _ saves: Int) throws -> Work {
        let file = try setting.copy(setting.plain(.entries))
        let database = try setting.c(file, .entries, synchronous: synchronous)
        let entries = try CEntry.all(database)
        let begin = try database.prepare("BEGIN IMMEDIATE")
        let update = try database.prepare("UPDATE entry SET amount = ? WHERE id = ?")
        let commit = try database.prepare("COMMIT")
        return {
            for number in 0..<saves {
                let entry = entries[position(number, entries.count)]
                entry.amount += 1
                try begin.run {}
                try update.run {
                    update.bind(1, entry.amount)
                    update.bind(2, entry.id)
                }
                try commit.run {}
            }
            return Outcome { try database.checksum(EntryChecksum.plain) }
        }
    }

    private static func grdb(_ setting: Setting, _ synchronous: String, _ saves: Int) throws -> Work {
        let file = try setting.copy(setting.plain(.entries))
        let queue = try setting.grdb(file, .entries, synchronous: synchronous)
        let entries = try queue.read { try RowEntry.fetchAll($0, sql: CEntry.select) }
        return {
            for number in 0..<saves {
                var entry = entries[position(number, entries.count)]
                // If there are more saves than objects, change objects again.
                entry.amount += Double(number / entries.count)
                try queue.write { database in
                    _ = try entry.updateChanges(database) { $0.amount += 1 }
                }
            }
            return Outcome { try CDatabase(file).checksum(EntryChecksum.plain) }
        }
    }

    private static func managed(_ setting: Setting, _ synchronous: String, _ saves: Int) throws -> Work {
        let store = try setting.store(setting.copy(setting.managed(.entries)), synchronous: synchronous)
        let context = store.context()
        let entries = try context.performAndWait { try context.allEntries() }
        return {
            try context.performAndWait {
                for number in 0..<saves {
                    entries[position(number, entries.count)].amount += 1
                    try context.save()
                }
            }
            return Outcome { try store.checksum(EntryChecksum.managed) }
        }
    }
}
