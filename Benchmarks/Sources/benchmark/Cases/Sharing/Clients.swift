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
