// Opens databases with GRDB and the pragmas that all subjects share. Called by Setting.
import Foundation
import GRDB

/// Opens databases for the GRDB entrants.
enum GRDBFile {
    static func open<Writer: DatabaseWriter>(
        _ file: URL,
        _ dataset: Dataset,
        synchronous: String = "FULL",
        as make: (String) throws -> Writer
    ) throws -> Writer {
        let writer = try make(file.path)
        try writer.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA journal_mode = WAL")
            try database.execute(sql: "PRAGMA synchronous = \(synchronous)")
            try database.execute(sql: dataset.schema)
            let mode = try String.fetchOne(database, sql: "PRAGMA journal_mode")
            guard mode == "wal" else { throw BenchmarkError("GRDB runs with the journal \(mode ?? "-").") }
        }
        return writer
    }
}
