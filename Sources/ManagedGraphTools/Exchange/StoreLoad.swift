// Loads a SQL script, written by StoreDump or by sqlite3's .dump, into a new store. Called by
// `managedgraph store import`. The script is not trusted: it may fill tables of the new file, and access nothing else.
import Foundation
import GraphArchives
import GraphSQL
import GraphSQLite
import ManagedGraph

/// Loads scripts.
package struct StoreLoad {
    private let url: URL

    /// - Parameter url: The location of the new store.
    package init(_ url: URL) { self.url = url }

    /// Creates a store from a script.
    ///
    /// - Parameters:
    ///   - path: The script; `-` is standard input.
    ///   - progress: Called periodically with the number of rows inserted and the fraction of the script read, if its
    ///     size is known.
    /// - Returns: The result of the import.
    /// - Throws: If a file exists at the store's location, or the script does not yield a store.
    package func run(_ path: String, progress: @escaping (Int, Double?) throws -> Void) throws -> ImportReport {
        try StoreLocation.requireFile(
            url,
            reason: "a script of SQLite makes a SQLite store",
            remedy: "Import it to a file, and copy that: managedgraph store copy FILE ADDRESS."
        )
        guard try !url.fileIsThere() else {
            throw CoreDataError.cannotOpen(
                url,
                reason: "SQL makes a whole store, and a file is there",
                remedy: "Name one that is not there."
            )
        }
        let source = try TextSource(path)
        let draft = FilePlacement.draftPath(of: url.path)
        defer { for suffix in ["", "-wal", "-shm", "-journal"] { unlink(draft + suffix) } }
        var report = ImportReport()
        try CoreDataError.mapping(url) {
            let connection = try Connection(path: draft, mode: .create)
            defer { connection.close() }
            try connection.execute("PRAGMA auto_vacuum = 2; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
            try connection.confineToTables()
            if let refusal = try fill(connection, source, path, progress, &report) {
                report.refusals = [refusal]
                report.refused = 1
                return
            }
            guard !connection.isInTransaction else {
                report.refusals = [
                    ImportReport.Refusal(
                        file: path,
                        line: source.line,
                        key: nil,
                        reason: "The script ends before its COMMIT."
                    )
                ]
                report.refused = 1
                return
            }
            connection.close()
            let state = StoreFile.inspect(draft, checksAllPages: true)
            if let error = state.error(path: url.path) {
                let reason = "The script makes no Core Data store. \(error.reason)"
                report.refusals = [ImportReport.Refusal(file: path, line: source.line, key: nil, reason: reason)]
                report.refused = 1
                return
            }
            let finished = try Connection(path: draft)
            try finished.setJournalMode("wal")
            finished.close()
            try StoreFile.install(draft, at: url.path)
            report.isSaved = true
        }
        return report
    }

    /// Runs the script's statements; returns the rejection of the first one that fails.
    private func fill(
        _ connection: Connection,
        _ source: TextSource,
        _ path: String,
        _ progress: (Int, Double?) throws -> Void,
        _ report: inout ImportReport
    ) throws -> ImportReport.Refusal? {
        var statement = ""
        var first = 1
        var count = 0
        while true {
            let line = try source.withLine(keepsReturn: true) { (String(decoding: $0, as: UTF8.self), $1) }
            guard let line else { break }
            if statement.isEmpty { first = line.1 }
            statement += (statement.isEmpty ? "" : "\n") + line.0
            guard line.0.utf8.last(where: { $0 != 0x20 && $0 != 0x0D }) == UInt8(ascii: ";"),
                Connection.isComplete(statement)
            else { continue }
            do {
                try connection.execute(statement)
                if statement.uppercased().hasPrefix("INSERT INTO") { report.inserted += connection.changes }
            } catch let error as SQLiteError where error.kind != .full && error.kind != .inputOutput {
                return ImportReport.Refusal(file: path, line: first, key: nil, reason: "\(error.message).")
            }
            statement = ""
            count += 1
            if count % 500 == 0 {
                try progress(report.inserted, source.size > 0 ? Double(source.done) / Double(source.size) : nil)
            }
        }
        guard statement.allSatisfy(\.isWhitespace) else {
            return ImportReport.Refusal(file: path, line: first, key: nil, reason: "The last statement has no end.")
        }
        return nil
    }
}
