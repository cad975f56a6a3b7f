// sort-…: reads all people sorted by name. The yardstick is SQLite's NOCASE, which folds only ASCII letters, so the
// checksum covers only the order of names without accents.
import GRDB
import ManagedGraph

enum TextSort {
    static var cases: [BenchmarkCase] {
        [
            makeCase("sort-case-insensitive", 1.8, selector: "caseInsensitiveCompare:"),
            makeCase("sort-localized-standard", 4, selector: "localizedStandardCompare:"),
        ]
    }

    private static func makeCase(_ name: String, _ goal: Double, selector: String) -> BenchmarkCase {
        BenchmarkCase(
            name: name,
            goals: [.ratio(goal)],
            sizes: [50_000],
            scales: false,
            entrants: [
                Entrant(SubjectName.cAPI, c), Entrant(SubjectName.grdbRow, grdb),
                Entrant(SubjectName.managedGraph) { try managed($0, selector) },
            ]
        )
    }

    private static let order = " ORDER BY name COLLATE NOCASE"

    private static func c(_ setting: Setting) throws -> Work {
        let database = try setting.c(setting.plain(.people), .people)
        let statement = try database.prepare(CPerson.select + order)
        return {
            var people: [CPerson] = []
            while try statement.step() { people.append(CPerson(statement)) }
            var checksum = Checksum()
            for person in people { checksum.add(person.name, person.number) }
            return Outcome { [checksum] in ordered(people.map(\.name), checksum) }
        }
    }

    private static func grdb(_ setting: Setting) throws -> Work {
        let queue = try setting.grdb(setting.plain(.people), .people)
        return {
            let people = try queue.read { try PersonRecord.fetchAll($0, sql: CPerson.select + order) }
            var checksum = Checksum()
            for person in people { checksum.add(person.name, person.number) }
            return Outcome { [checksum] in ordered(people.map(\.name), checksum) }
        }
    }

    private static func managed(_ setting: Setting, _ selector: String) throws -> Work {
        let store = try setting.store(setting.managed(.people))
        return {
            let context = store.context()
            let request: NSFetchRequest<Person> = Person.fetchRequest()
            request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true, selector: selector)]
            var checksum = Checksum()
            let people = try context.performAndWait {
                let people = try context.fetch(request)
                for person in people { try checksum.add(person) }
                return people
            }
            return Outcome { [checksum] in
                context.performAndWait { ordered(people.compactMap(\.name), checksum) }
            }
        }
    }

    /// Adds the order of the names without accents to a checksum.
    private static func ordered(_ names: [String], _ checksum: Checksum) -> Checksum {
        var checksum = checksum
        var position = 0
        for name in names where name.utf8.allSatisfy({ $0 < 128 }) {
            let sum = name.utf8.reduce(Int64(0)) { $0 &* 31 &+ Int64($1) }
            checksum.add(sum, at: position)
            position += 1
        }
        return checksum
    }
}
