// count: counts the rows that satisfy a condition.
import GRDB
import ManagedGraph

enum Count {
    static var cases: [BenchmarkCase] {
        [
            BenchmarkCase(
                name: "count",
                goals: [.ratio(1.05)],
                sizes: [200_000],
                entrants: [
                    Entrant(SubjectName.cAPI) { setting in
                        let database = try setting.c(setting.plain(.entries), .entries)
                        let statement = try database.prepare("SELECT count(*) FROM entry WHERE priority = ?")
                        return {
                            statement.bind(1, 3 as Int64)
                            guard try statement.step() else { throw BenchmarkError("There is no count.") }
                            return Outcome(Checksum(rows: Int(statement.int(0)), value: 0))
                        }
                    },
                    Entrant(SubjectName.grdbRow) { setting in
                        let queue = try setting.grdb(setting.plain(.entries), .entries)
                        return {
                            let count = try queue.read { try RowEntry.filter(Column("priority") == 3).fetchCount($0) }
                            return Outcome(Checksum(rows: count, value: 0))
                        }
                    },
                    Entrant(SubjectName.managedGraph) { setting in
                        let store = try setting.store(setting.managed(.entries))
                        return {
                            let context = store.context()
                            let request: NSFetchRequest<Entry> = Entry.fetchRequest()
                            request.predicate = NSPredicate(format: "priority == 3")
                            let count = try context.performAndWait { try context.count(for: request) }
                            return Outcome(Checksum(rows: count, value: 0))
                        }
                    },
                ]
            )
        ]
    }
}
