// first-page: fetches all rows sorted by an indexed key and reads the first twenty. The yardstick reads all keys and
// twenty rows. first-page-first stops the clock at the twentieth row; its yardstick reads only these rows. The cases that
// end in -lazy fetch a list that makes objects when they are accessed, in place of an array.
import GRDB
import ManagedGraph

enum FirstPage {
    static let page = 20

    static var cases: [BenchmarkCase] {
        [
            BenchmarkCase(
                name: "first-page",
                goals: [.ratio(1.3)],
                sizes: [1_000_000],
                entrants: [
                    Entrant(SubjectName.cAPI, c), Entrant(SubjectName.grdbRow, grdb),
                    Entrant(SubjectName.managedGraph) { try managed($0, counts: true) },
                ]
            ),
            BenchmarkCase(
                name: "first-page-first",
                goals: [.milliseconds(5)],
                sizes: [1_000_000],
                measure: .wholeTime,
                entrants: [
                    Entrant(SubjectName.cAPI, cFirst), Entrant(SubjectName.grdbRow, grdbFirst),
                    Entrant(SubjectName.managedGraph) { try managed($0, counts: false) },
                ]
            ),
            BenchmarkCase(
                name: "first-page-lazy",
                goals: [.ratio(1.3)],
                sizes: [1_000_000],
                entrants: [
                    Entrant(SubjectName.cAPI, c), Entrant(SubjectName.managedGraph) { try lazy($0, counts: true) },
                ]
            ),
            BenchmarkCase(
                name: "first-page-lazy-first",
                goals: [.milliseconds(5)],
                sizes: [1_000_000],
                measure: .wholeTime,
                entrants: [
                    Entrant(SubjectName.cAPI, cFirst),
                    Entrant(SubjectName.managedGraph) { try lazy($0, counts: false) },
                ]
            ),
        ]
    }

    private static func c(_ setting: Setting) throws -> Work {
        let database = try setting.c(setting.plain(.items), .items)
        return {
            let keys = try database.prepare("SELECT id FROM item ORDER BY key")
            let one = try database.prepare(CItem.select + " WHERE id = ?")
            var identifiers: [Int64] = []
            while try keys.step() { identifiers.append(keys.int(0)) }
            var checksum = Checksum()
            var page: [CItem] = []
            for identifier in identifiers.prefix(Self.page) {
                one.bind(1, identifier)
                guard try one.step() else { throw BenchmarkError("An item is missing.") }
                page.append(CItem(one))
                one.reset()
            }
            for item in page { checksum.add(item.text, item.key) }
            checksum.add(Int64(identifiers.count))
            return Outcome(checksum)
        }
    }

    private static func cFirst(_ setting: Setting) throws -> Work {
        let database = try setting.c(setting.plain(.items), .items)
        return {
            let statement = try database.prepare(CItem.select + " ORDER BY key LIMIT \(page)")
            var checksum = Checksum()
            while try statement.step() {
                let item = CItem(statement)
                checksum.add(item.text, item.key)
            }
            return Outcome(checksum)
        }
    }

    private static func grdb(_ setting: Setting) throws -> Work {
        let queue = try setting.grdb(setting.plain(.items), .items)
        return {
            try queue.read { database in
                let request = ItemRecord.select(Column("id"), as: Int64.self).order(Column("key"))
                let identifiers = try request.fetchAll(database)
                var checksum = Checksum()
                for identifier in identifiers.prefix(page) {
                    let item = try ItemRecord.find(database, key: identifier)
                    checksum.add(item.text, item.key)
                }
                checksum.add(Int64(identifiers.count))
                return Outcome(checksum)
            }
        }
    }

    private static func grdbFirst(_ setting: Setting) throws -> Work {
        let queue = try setting.grdb(setting.plain(.items), .items)
        return {
            var checksum = Checksum()
            let request = ItemRecord.order(Column("key")).limit(page)
            for item in try queue.read({ try request.fetchAll($0) }) { checksum.add(item.text, item.key) }
            return Outcome(checksum)
        }
    }

    private static func managed(_ setting: Setting, counts: Bool) throws -> Work {
        let store = try setting.store(setting.managed(.items))
        return {
            let context = store.context()
            return try context.performAndWait {
                let items = try context.fetch(request())
                var checksum = Checksum()
                for item in items.prefix(page) { try checksum.add(item) }
                if counts { checksum.add(Int64(items.count)) }
                return Outcome(checksum)
            }
        }
    }

    private static func lazy(_ setting: Setting, counts: Bool) throws -> Work {
        let store = try setting.store(setting.managed(.items))
        return {
            let context = store.context()
            return try context.performAndWait {
                let items = try context.fetchLazily(request())
                var checksum = Checksum()
                for item in items.prefix(page) { try checksum.add(item) }
                if counts { checksum.add(Int64(items.count)) }
                return Outcome(checksum)
            }
        }
    }

    /// The batched request, also for the memory case.
    static func request() -> NSFetchRequest<Item> {
        let request: NSFetchRequest<Item> = Item.fetchRequest()
        request.sortDescriptors = [NSSortDescriptor(key: "key", ascending: true)]
        request.fetchBatchSize = page
        return request
    }
}
