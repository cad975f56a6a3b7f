// The clients in the sharing cases: a connection, a pool and a context.
import Foundation
import GRDB
import ManagedGraph

/// The C API: a connection of its own.
final class CClient: Client {
    private let database: CDatabase
    private let one: CStatement

    init(_ file: URL) throws {
        database = try CDatabase(file)
        one = try database.prepare(CEntry.select + " WHERE id = ?")
    }

    func insert(_ rows: [InputRow]) throws {
        let entries = rows.map(CEntry.init)
        try database.transaction {
            let statement = try database.prepare(CEntry.insert)
            for entry in entries { try entry.write(to: statement) }
        }
    }

    func fetch() throws -> Checksum {
        var checksum = Checksum()
        for entry in try CEntry.all(database) { checksum.add(entry) }
        return checksum
    }

    func fetchOne(_ position: Int) throws -> Checksum {
        defer { one.reset() }
        one.bind(1, Int64(position) + 1)
        var checksum = Checksum()
        while try one.step() { checksum.add(CEntry(one)) }
        return checksum
    }
}

/// GRDB's pool, shared by all threads.
final class GRDBClient: Client {
    private let pool: DatabasePool

    init(_ pool: DatabasePool) { self.pool = pool }

    func insert(_ rows: [InputRow]) throws {
        try pool.write { database in
            for row in rows {
                var entry = RowEntry(row)
                try entry.insert(database)
            }
        }
    }

    func fetch() throws -> Checksum {
        var checksum = Checksum()
        for entry in try pool.read({ try RowEntry.fetchAll($0, sql: CEntry.select) }) { checksum.add(entry) }
        return checksum
    }

    func fetchOne(_ position: Int) throws -> Checksum {
        var checksum = Checksum()
        let entry = try pool.read { database in
            let statement = try database.cachedStatement(sql: CEntry.select + " WHERE id = ?")
            return try RowEntry.fetchOne(statement, arguments: [Int64(position) + 1])
        }
        if let entry { checksum.add(entry) }
        return checksum
    }
}

/// ManagedGraph: a context of its own in the shared container.
final class ManagedGraphClient: Client {
    private let context: NSManagedObjectContext
    /// All identifiers in the order of insertion, read before the first small fetch.
    private var identifiers: [NSManagedObjectID] = []

    init(_ store: ManagedStore) { context = store.context() }

    func insert(_ rows: [InputRow]) throws {
        try context.performAndWait {
            for row in rows { Entry(context: context).set(row) }
            try context.save()
        }
    }

    func fetch() throws -> Checksum { try read(Entry.fetchRequest()) }

    func fetchOne(_ position: Int) throws -> Checksum {
        if identifiers.isEmpty {
            let request = NSFetchRequest<NSManagedObjectID>(entityName: "Entry")
            request.resultType = .managedObjectIDResultType
            identifiers = try context.performAndWait { try context.fetch(request) }
        }
        let request: NSFetchRequest<Entry> = Entry.fetchRequest()
        request.predicate = NSPredicate(format: "SELF == %@", identifiers[position])
        return try read(request)
    }

    private func read(_ request: NSFetchRequest<Entry>) throws -> Checksum {
        try context.performAndWait {
            var checksum = Checksum()
            for entry in try context.fetch(request) { try checksum.add(entry) }
            return checksum
        }
    }
}
