// memory…: the growth of a process in bytes while it holds rows: read and unchanged, changed, as faults, and in a
// batched fetch with only the first page read.
import GRDB
import ManagedGraph

enum Memory {
    static var cases: [BenchmarkCase] {
        [
            BenchmarkCase(
                name: "memory",
                goals: [.ratio(1.1)],
                sizes: [200_000],
                measure: .memory,
                entrants: [
                    Entrant(SubjectName.cAPI, c),
                    Entrant(SubjectName.grdbRow) { try grdb($0, RowEntry.self) },
                    Entrant(SubjectName.grdbCodable) { try grdb($0, CodableEntry.self) },
                    Entrant(SubjectName.managedGraph) { try managed($0, change: false) },
                ]
            ),
            BenchmarkCase(
                name: "memory-changed",
                goals: [.bytes(300)],
                sizes: [200_000],
                measure: .memory,
                entrants: [Entrant(SubjectName.managedGraph) { try managed($0, change: true) }]
            ),
            BenchmarkCase(
                name: "memory-fault",
                goals: [.bytes(48)],
                sizes: [200_000],
                measure: .memory,
                entrants: [Entrant(SubjectName.managedGraph, faults)]
            ),
            makeBatched("memory-batched", goal: 16, Item.fetchRequest) { try $0.fetch($1) },
            makeBatched("memory-batched-lazy", goal: 16, Item.fetchRequest) { try $0.fetchLazily($1) },
            makeBatched("memory-first-page", goal: 24, FirstPage.request) { try $0.fetch($1) },
            makeBatched("memory-first-page-lazy", goal: 24, FirstPage.request) { try $0.fetchLazily($1) },
        ]
    }

    private static func c(_ setting: Setting) throws -> Work {
        let database = try setting.c(setting.plain(.entries), .entries)
        return {
            let entries = try CEntry.all(database)
            var checksum = Checksum()
            for entry in entries { checksum.add(entry) }
            return Outcome { [checksum] in withExtendedLifetime(entries) { checksum } }
        }
    }

    private static func grdb<Record: EntryRecord>(_ setting: Setting, _ type: Record.Type) throws -> Work {
        let queue = try setting.grdb(setting.plain(.entries), .entries)
        return {
            let entries = try queue.read { try Record.fetchAll($0, sql: CEntry.select) }
            var checksum = Checksum()
            for entry in entries { checksum.add(entry) }
            return Outcome { [checksum] in withExtendedLifetime(entries) { checksum } }
        }
    }

    private static func managed(_ setting: Setting, change: Bool) throws -> Work {
        let store = try setting.store(setting.managed(.entries))
        return {
            let context = store.context()
            var checksum = Checksum()
            let entries = try context.performAndWait {
                let entries = try context.fetch(Entry.fetchRequest())
                for entry in entries { try checksum.add(entry) }
                if change {
                    for entry in entries { entry.amount += 1 }
                    context.processPendingChanges()
                }
                return entries
            }
            return Outcome { [checksum] in withExtendedLifetime((context, entries)) { checksum } }
        }
    }

    private static func faults(_ setting: Setting) throws -> Work {
        let store = try setting.store(setting.managed(.entries))
        return {
            let context = store.context()
            let request: NSFetchRequest<Entry> = Entry.fetchRequest()
            request.includesPropertyValues = false
            let entries = try context.performAndWait { try context.fetch(request) }
            return Outcome { withExtendedLifetime((context, entries)) { Checksum(rows: entries.count, value: 0) } }
        }
    }

    private static func makeBatched<Items: Collection<Item>>(
        _ name: String,
        goal: Double,
        _ request: @escaping () -> NSFetchRequest<Item>,
        _ fetch: @escaping (NSManagedObjectContext, NSFetchRequest<Item>) throws -> Items
    ) -> BenchmarkCase {
        BenchmarkCase(
            name: name,
            goals: [.bytes(goal)],
            sizes: [1_000_000],
            measure: .memory,
            entrants: [
                Entrant(SubjectName.managedGraph) { setting in
                    let store = try setting.store(setting.managed(.items))
                    return {
                        let context = store.context()
                        let request = request()
                        request.fetchBatchSize = FirstPage.page
                        var checksum = Checksum()
                        let items = try context.performAndWait {
                            let items = try fetch(context, request)
                            for item in items.prefix(FirstPage.page) { try checksum.add(item) }
                            checksum.add(Int64(items.count))
                            return items
                        }
                        return Outcome { [checksum] in withExtendedLifetime((context, items)) { checksum } }
                    }
                }
            ]
        )
    }
}
