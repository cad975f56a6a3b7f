// fetch-one and fetch-one-template: fetches single rows by an indexed key, scattered over the file; with a format
// parsed for each fetch, or with a predicate whose variable is substituted.
import GRDB
import ManagedGraph

enum FetchOne {
    static var cases: [BenchmarkCase] {
        [
            makeCase("fetch-one", goal: 1.8) { request, key in
                request.predicate = NSPredicate(format: "key == %lld", key)
            },
            makeCase("fetch-one-template", goal: 1.5) { request, key in
                request.predicate = template.withSubstitutionVariables(["key": key])
            },
        ]
    }

    private static let batch = 1000
    private nonisolated(unsafe) static let template = NSPredicate(format: "key == $key")

    private static func makeCase(
        _ name: String,
        goal: Double,
        _ set: @escaping (NSFetchRequest<Item>, Int64) -> Void
    ) -> BenchmarkCase {
        BenchmarkCase(
            name: name,
            goals: [.ratio(goal)],
            sizes: [200_000],
            measure: .time(fetches),
            entrants: [
                Entrant(SubjectName.cAPI, c), Entrant(SubjectName.grdbRow, grdb),
                Entrant(SubjectName.managedGraph) { try managed($0, set) },
            ]
        )
    }

    private static func fetches(_ rows: Int) -> Int { max(1, rows / 20) }

    private static func key(_ number: Int, _ rows: Int) -> Int64 { ItemRow.key(number &* 7919 % rows) }

    private static func c(_ setting: Setting) throws -> Work {
        let rows = setting.rows
        let database = try setting.c(setting.plain(.items), .items)
        let statement = try database.prepare(CItem.select + " WHERE key = ?")
        return {
            var checksum = Checksum()
            for first in stride(from: 0, to: fetches(rows), by: batch) {
                try database.reading {
                    var held: [CItem] = []
                    for number in first..<min(fetches(rows), first + batch) {
                        statement.bind(1, key(number, rows))
                        guard try statement.step() else { throw BenchmarkError("A key is missing.") }
                        let item = CItem(statement)
                        statement.reset()
                        checksum.add(item.text, item.key)
                        held.append(item)
                    }
                }
            }
            return Outcome(checksum)
        }
    }

    private static func grdb(_ setting: Setting) throws -> Work {
        let rows = setting.rows
        let queue = try setting.grdb(setting.plain(.items), .items)
        return {
            var checksum = Checksum()
            for first in stride(from: 0, to: fetches(rows), by: batch) {
                try queue.read { database in
                    for number in first..<min(fetches(rows), first + batch) {
                        let request = ItemRecord.filter(Column("key") == key(number, rows))
                        guard let item = try request.fetchOne(database) else {
                            throw BenchmarkError("A key is missing.")
                        }
                        checksum.add(item.text, item.key)
                    }
                }
            }
            return Outcome(checksum)
        }
    }

    private static func managed(
        _ setting: Setting,
        _ set: @escaping (NSFetchRequest<Item>, Int64) -> Void
    ) throws -> Work {
        let rows = setting.rows
        let store = try setting.store(setting.managed(.items))
        return {
            var checksum = Checksum()
            let context = store.context()
            for first in stride(from: 0, to: fetches(rows), by: batch) {
                try context.performAndWait {
                    var held: [Item] = []
                    for number in first..<min(fetches(rows), first + batch) {
                        let request: NSFetchRequest<Item> = Item.fetchRequest()
                        request.fetchLimit = 1
                        set(request, key(number, rows))
                        guard let item = try context.fetch(request).first else {
                            throw BenchmarkError("A key is missing.")
                        }
                        try checksum.add(item)
                        held.append(item)
                    }
                    context.reset()
                }
            }
            return Outcome(checksum)
        }
    }
}
