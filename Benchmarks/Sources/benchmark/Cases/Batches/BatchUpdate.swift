// batch-update: sets a column in a fifth of the rows, without objects.
import GRDB
import ManagedGraph

enum BatchUpdate {
    static var cases: [BenchmarkCase] {
        [
            BenchmarkCase(
                name: "batch-update",
                goals: [.ratio(1.2)],
                sizes: [200_000],
                measure: .time { $0 / 5 },
                entrants: [
                    Entrant(SubjectName.cAPI) { setting in
                        let database = try setting.c(setting.copy(setting.plain(.entries)), .entries)
                        return {
                            try database.execute("UPDATE entry SET amount = -1 WHERE priority = 3")
                            return Outcome { try database.checksum(EntryChecksum.plain) }
                        }
                    },
                    Entrant(SubjectName.grdbRow) { setting in
                        let file = try setting.copy(setting.plain(.entries))
                        let queue = try setting.grdb(file, .entries)
                        return {
                            _ = try queue.write { database in
                                try RowEntry.filter(Column("priority") == 3)
                                    .updateAll(database, Column("amount").set(to: -1))
                            }
                            return Outcome { try CDatabase(file).checksum(EntryChecksum.plain) }
                        }
                    },
                    Entrant(SubjectName.managedGraph, managed),
                ]
            )
        ]
    }

    private static func managed(_ setting: Setting) throws -> Work {
        let store = try setting.store(setting.copy(setting.managed(.entries)))
        return {
            let request = NSBatchUpdateRequest(entity: Entry.entity())
            request.predicate = NSPredicate(format: "priority == 3")
            request.propertiesToUpdate = ["amount": -1.0]
            let context = store.context()
            _ = try context.performAndWait { try context.execute(request) }
            return Outcome { try store.checksum(EntryChecksum.managed) }
        }
    }
}
