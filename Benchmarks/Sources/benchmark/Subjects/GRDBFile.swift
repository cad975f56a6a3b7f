// A database opened with GRDB and the pragmas that all subjects share. Used by all GRDB subjects.
import Foundation
import GRDB

/// Opens databases for the GRDB subjects.
enum GRDBFile {
    static func open<Writer: DatabaseWriter>(_ file: URL, as make: (String) throws -> Writer) throws -> Writer {
        let writer = try make(file.path)
        try writer.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA journal_mode = WAL")
            try database.execute(sql: "PRAGMA synchronous = FULL")
            try database.execute(sql: Table.create)
            let mode = try String.fetchOne(database, sql: "PRAGMA journal_mode")
            let level = try Int.fetchOne(database, sql: "PRAGMA synchronous")
            guard mode == "wal", level == 2 else {
                throw BenchmarkError("GRDB runs with other pragmas: \(mode ?? "-"), \(level ?? -1).")
            }
        }
        return writer
    }

    /// A migration of GRDB's own, as its documentation writes them.
    static func addColumn(to file: URL, default fallback: Int?) throws {
        let queue = try open(file) { try DatabaseQueue(path: $0) }
        var migrator = DatabaseMigrator()
        migrator.registerMigration("rank") { database in
            try database.alter(table: "entry") { table in
                let column = table.add(column: "rank", .integer)
                if let fallback { column.notNull().defaults(to: fallback) }
            }
        }
        try migrator.migrate(queue)
        try queue.close()
    }
}
