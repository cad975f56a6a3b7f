// batch-delete: deletes a fifth of the rows, without objects.
import GRDB
import ManagedGraph

enum BatchDelete {
    static var cases: [BenchmarkCase] {
        [
            BenchmarkCase(
                name: "batch-delete",
                goals: [.ratio(1.3)],
                sizes: [200_000],
                measure: .time { $0 / 5 },
                entrants: [
                    Entrant(SubjectName.cAPI) { setting in
                        let database = try setting.c(setting.copy(setting.plain(.entries)), .entries)
                        return {
                            try database.execute("DELETE FROM entry WHERE priority = 3")
                            return Outcome { try database.checksum(EntryChecksum.plain) }
                        }
                    },
                    Entrant(SubjectName.grdbRow) { setting in
                        let file = try setting.copy(setting.plain(.entries))
                        let queue = try setting.grdb(file, .entries)
                        return {
                            _ = try queue.write { try RowEntry.filter(Column("priority") == 3).deleteAll($0) }
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
            let entries = NSFetchRequest<any NSFetchRequestResult>(entityName: "Entry")
            entries.predicate = NSPredicate(format: "priority == 3")
            let context = store.context()
            _ = try context.performAndWait { try context.execute(NSBatchDeleteRequest(fetchRequest: entries)) }
            return Outcome { try store.checksum(EntryChecksum.managed) }
        }
    }
}
