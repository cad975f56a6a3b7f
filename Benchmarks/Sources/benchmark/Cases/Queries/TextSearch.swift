// text-…: counts the names that match a text operator. The accents in the data never change a result, so that SQLite's
// own operators can be the yardstick.
import GRDB
import ManagedGraph

enum TextSearch {
    static var cases: [BenchmarkCase] {
        [
            makeCase("text-contains", 1.1, sql: "instr(name, 'ma') > 0", format: "name CONTAINS 'ma'"),
            makeCase("text-contains-cd", 1.5, sql: "name LIKE '%ma%'", format: "name CONTAINS[cd] 'ma'"),
            makeCase(
                "text-equal-c",
                2,
                sql: "name = 'marijo emma otto' COLLATE NOCASE",
                format: "name ==[c] 'marijo emma otto'"
            ),
            makeCase("text-begins-cd", 1.7, sql: "name LIKE 'marijo%'", format: "name BEGINSWITH[cd] 'marijo'"),
            makeCase("text-like-c", 2.5, sql: "name LIKE '%ma%'", format: "name LIKE[c] '*ma*'"),
            makeCase("text-matches", 3, sql: "name GLOB '*ma*'", format: "name MATCHES '.*ma.*'"),
        ]
    }

    private static func makeCase(_ name: String, _ goal: Double, sql: String, format: String) -> BenchmarkCase {
        BenchmarkCase(
            name: name,
            goals: [.ratio(goal)],
            sizes: [200_000],
            entrants: [
                Entrant(SubjectName.cAPI) { setting in
                    let database = try setting.c(setting.plain(.people), .people)
                    let statement = try database.prepare("SELECT count(*) FROM person WHERE \(sql)")
                    return {
                        guard try statement.step() else { throw BenchmarkError("There is no count.") }
                        return Outcome(Checksum(rows: Int(statement.int(0)), value: 0))
                    }
                },
                Entrant(SubjectName.grdbRow) { setting in
                    let queue = try setting.grdb(setting.plain(.people), .people)
                    return {
                        let count = try queue.read { try PersonRecord.filter(sql: sql).fetchCount($0) }
                        return Outcome(Checksum(rows: count, value: 0))
                    }
                },
                Entrant(SubjectName.managedGraph) { setting in
                    let store = try setting.store(setting.managed(.people))
                    return {
                        let context = store.context()
                        let request: NSFetchRequest<Person> = Person.fetchRequest()
                        request.predicate = NSPredicate(format: format)
                        let count = try context.performAndWait { try context.count(for: request) }
                        return Outcome(Checksum(rows: count, value: 0))
                    }
                },
            ]
        )
    }
}
