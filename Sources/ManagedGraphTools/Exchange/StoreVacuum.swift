// Shrinks a store's file to the size of its rows: frees unused pages, checkpoints the log, and removes files of large
// values that no row references. Called by `managedgraph store vacuum`. SQLite's own journal protects all steps, so
// that a kill or a full disk leaves the store unchanged.
import Foundation
import GraphEngine
import GraphSQL
import GraphSQLite
import ManagedGraph

/// Compacts stores.
package struct StoreVacuum {
    /// The result of compacting.
    package struct Outcome: Sendable {
        /// The bytes of the file, its log and the files of large values.
        package var before = 0
        package var after = 0
        /// The number of unreferenced files that were removed.
        package var removedFiles = 0
        package var removedBytes = 0
    }

    private let url: URL

    /// - Parameter url: A SQLite store.
    package init(_ url: URL) { self.url = url }

    /// Compacts the store; O(its size), with as much additional disk space while it runs.
    ///
    /// - Parameter isWanted: Called often; if it returns false, the store is left unchanged.
    /// - Returns: The result.
    /// - Throws: If it is not a SQLite store, is damaged, or is open elsewhere; if the disk is full.
    package func run(_ isWanted: @escaping () -> Bool) throws -> Outcome {
        try StoreLocation.requireFile(
            url,
            reason: "the server of a database reuses the space of deleted rows by itself",
            remedy: "To give space back to the system, run VACUUM FULL in the database (it locks the tables)."
        )
        guard try url.fileIsThere() else {
            throw CoreDataError.noFile(url)
        }
        if let type = StoreCheck(url).otherType() {
            throw CoreDataError.cannotOpen(
                url,
                reason: "stores of the type \(type) are written as a whole, so there is nothing to compact",
                remedy: "Name a SQLite store."
            )
        }
        return try CoreDataError.mapping(url) {
            if let error = StoreFile.inspect(url.path).error(path: url.path) { throw error }
            // Resolve symbolic links: SQLite's files are beside the link's target.
            let path = url.resolvingSymlinksInPath().path
            let files = ExternalFiles(store: url)
            var outcome = try Outcome(before: Self.size(path, files))
            let connection = try Connection(path: path, busyTimeout: 500)
            defer { connection.close() }
            let hasLog = try connection.hasLog()
            try takeAlone(connection)
            defer {
                // If restoring WAL mode fails, the store is still usable.
                if hasLog { try? connection.setJournalMode("wal") }
            }
            connection.interruptsUnless(isWanted)
            try connection.execute("PRAGMA synchronous = FULL; VACUUM")
            connection.interruptsUnless(nil)
            // Another store's rows may refer to files of a folder that it shares.
            let orphans = try ExternalFiles.isShared(url) ? [] : files.names.subtracting(namedFiles(connection))
            outcome.removedFiles = orphans.count
            outcome.removedBytes = orphans.reduce(0) { $0 + Self.size(files.path(of: $1)) }
            files.remove(orphans)
            if hasLog { try connection.setJournalMode("wal") }
            connection.close()
            outcome.after = try Self.size(path, files)
            return outcome
        }
    }

    /// Checkpoints the log and locks the file exclusively; fails if another process has the store open.
    private func takeAlone(_ connection: Connection) throws {
        do {
            try connection.execute("PRAGMA locking_mode = EXCLUSIVE")
            try connection.setJournalMode("delete")
            try connection.execute("BEGIN EXCLUSIVE; COMMIT")
        } catch let error as SQLiteError where error.kind == .busy {
            throw CoreDataError.cannotOpen(
                url,
                reason: "another process has it open",
                remedy: "End that process and try again; the store was not changed.",
                code: NSPersistentStoreTimeoutError
            )
        }
    }

    /// The names of files in any row, regardless of the column: keeping a file too many is harmless, deleting a
    /// referenced one is not.
    private func namedFiles(_ connection: Connection) throws -> Set<String> {
        var names: Set<String> = []
        for row in try connection.rows(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
        ) {
            guard case .text(let table)? = row.first else { continue }
            for column in try connection.columnNames(of: table) {
                let name = column.quotedName
                let statement = try connection.prepare(
                    "SELECT \(name) FROM \(table.quotedName) WHERE typeof(\(name)) = 'blob' "
                        + "AND length(\(name)) BETWEEN 37 AND 38 AND substr(\(name), 1, 1) = x'02'"
                )
                defer { statement.reset() }
                while try statement.step() {
                    if let name = LargeValue.name(in: statement.data(0)) { names.insert(name) }
                }
            }
        }
        return names
    }

    private static func size(_ path: String, _ files: ExternalFiles) throws -> Int {
        try ["", "-wal", "-journal"].reduce(0) { $0 + size(path + $1) }
            + files.names.reduce(0) { $0 + size(files.path(of: $1)) }
    }

    private static func size(_ path: String) -> Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : 0
    }
}
