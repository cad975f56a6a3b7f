// fault-by-id and existing-object: reads single rows by identifier, scattered over the file. After a thousand rows it
// releases the objects, like a program that resets its context.
import GRDB
import ManagedGraph

enum FaultByID {
    static var cases: [BenchmarkCase] {
        [
            makeCase("fault-by-id") { context, identifier in context.object(with: identifier) },
            makeCase("existing-object") { context, identifier in try context.existingObject(with: identifier) },
        ]
    }

    private static let batch = 1000

    private static func makeCase(
        _ name: String,
        _ find: @escaping (NSManagedObjectContext, NSManagedObjectID) throws -> NSManagedObject
    ) -> BenchmarkCase {
        BenchmarkCase(
            name: name,
            goals: [.ratio(1.8)],
            sizes: [200_000],
            measure: .time(lookups),
            entrants: [
                Entrant(SubjectName.cAPI, c),
                Entrant(SubjectName.grdbRow) { try grdb($0, RowEntry.self) },
                Entrant(SubjectName.grdbCodable) { try grdb($0, CodableEntry.self) },
                Entrant(SubjectName.managedGraph) { try managed($0, find) },
            ]
        )
    }

    private static func lookups(_ rows: Int) -> Int { max(1, rows / 20) }

    private static func position(_ number: Int, _ rows: Int) -> Int { number &* 7919 % rows }

    private static func c(_ setting: Setting) throws -> Work {
        let rows = setting.rows
        let database = try setting.c(setting.plain(.entries), .entries)
        let statement = try database.prepare(CEntry.select + " WHERE id = ?")
        return {
            var checksum = Checksum()
            for first in stride(from: 0, to: lookups(rows), by: batch) {
                try database.reading {
                    var held: [CEntry] = []
                    for number in first..<min(lookups(rows), first + batch) {
                        statement.bind(1, Int64(position(number, rows)) + 1)
                        guard try statement.step() else { throw BenchmarkError("A row is missing.") }
                        let entry = CEntry(statement)
                        statement.reset()
                        checksum.add(entry)
                        held.append(entry)
                    }
                }
            }
            return Outcome(checksum)
        }
    }

    private static func grdb<Record: EntryRecord>(_ setting: Setting, _ type: Record.Type) throws -> Work {
        let rows = setting.rows
        let queue = try setting.grdb(setting.plain(.entries), .entries)
        return {
            var checksum = Checksum()
            for first in stride(from: 0, to: lookups(rows), by: batch) {
                try queue.read { database in
                    for number in first..<min(lookups(rows), first + batch) {
                        checksum.add(try Record.find(database, key: Int64(position(number, rows)) + 1))
                    }
                }
            }
            return Outcome(checksum)
        }
    }

    private static func managed(
        _ setting: Setting,
        _ find: @escaping (NSManagedObjectContext, NSManagedObjectID) throws -> NSManagedObject
    ) throws -> Work {
        let rows = setting.rows
        let store = try setting.store(setting.managed(.entries))
        let request = NSFetchRequest<NSManagedObjectID>(entityName: "Entry")
        request.resultType = .managedObjectIDResultType
        let reader = store.context()
        let identifiers = try reader.performAndWait { try reader.fetch(request) }
        return {
            var checksum = Checksum()
            let context = store.context()
            for first in stride(from: 0, to: lookups(rows), by: batch) {
                try context.performAndWait {
                    var held: [Entry] = []
                    for number in first..<min(lookups(rows), first + batch) {
                        guard let entry = try find(context, identifiers[position(number, rows)]) as? Entry else {
                            throw BenchmarkError("An identifier gives no entry.")
                        }
                        try checksum.add(entry)
                        held.append(entry)
                    }
                    context.reset()
                }
            }
            return Outcome(checksum)
        }
    }
}
