// The client of GRDB in the sharing cases: a pool of connections.
import Foundation
import GRDB
import ManagedGraph

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
