// Makes a store's file as small as its rows: free pages are given back, the log is written into the file, and files of large
// values that no row names are removed. Called by `managedgraph store vacuum`. All is done by SQLite's own journal, so that a kill
// or a full disk leaves the store as it was.
import Foundation
import GraphEngine
import GraphSQL
import GraphSQLite
import ManagedGraph

/// Compacts stores.
package struct StoreVacuum {
    /// What came of it.
    package struct Outcome: Sendable {
        /// Bytes of the file, its log and the files of large values.
        package var before = 0
        package var after = 0
        /// Files that no row named.
        package var removedFiles = 0
        package var removedBytes = 0
    }

    private let url: URL

    /// - Parameter url: A SQLite store.
    package init(_ url: URL) { self.url = url }

    /// Compacts the store; O(its size), and it takes as much space again while it works.
    ///
    /// - Parameter isWanted: Asked often; where it says no, the store is as it was.
    /// - Returns: What came of it.
    /// - Throws: Where it is no SQLite store, is damaged, or is open elsewhere; where the disk is full.
    package func run(_ isWanted: @escaping () -> Bool) throws -> Outcome {
        guard FileManager.default.fileExists(atPath: url.path) else {
            throw CoreDataError.cannotOpen(
                url,
                reason: "there is no such file",
                remedy: "Check the path.",
                code: CocoaError.Code.fileReadNoSuchFile.rawValue
            )
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
            // A link is followed: SQLite's files lie beside what it leads to.
            let path = url.resolvingSymlinksInPath().path
            let files = ExternalFiles(store: url)
            var outcome = Outcome(before: Self.size(path, files))
            let connection = try Connection(path: path, busyTimeout: 500)
            defer { connection.close() }
            let hasLog = try connection.hasLog()
            try takeAlone(connection)
            defer {
                // Nobody is kept from the store by the mode it is left in, should this fail.
                if hasLog { try? connection.setJournalMode("wal") }
            }
            connection.interruptsUnless(isWanted)
            try connection.execute("PRAGMA synchronous = FULL; VACUUM")
            connection.interruptsUnless(nil)
            let orphans = files.names.subtracting(try namedFiles(connection))
            outcome.removedFiles = orphans.count
            outcome.removedBytes = orphans.reduce(0) { $0 + Self.size(files.path(of: $1)) }
            files.remove(orphans)
            if hasLog { try connection.setJournalMode("wal") }
            connection.close()
            outcome.after = Self.size(path, files)
            return outcome
        }
    }

    /// Writes the log into the file and keeps everybody else out; fails where another process has the store open.
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

    /// All names of files in any row, whatever its column means: a file too many may stay, one that is named must.
    private func namedFiles(_ connection: Connection) throws -> Set<String> {
        var names: Set<String> = []
        for row in try connection.rows(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
        ) {
            guard case .text(let table)? = row.first else { continue }
            for column in try connection.columnNames(of: table) {
                let name = StoreCheck.quoted(column)
                let statement = try connection.prepare(
                    "SELECT \(name) FROM \(StoreCheck.quoted(table)) WHERE typeof(\(name)) = 'blob' "
                        + "AND length(\(name)) BETWEEN 37 AND 38 AND substr(\(name), 1, 1) = x'02'"
                )
                defer { statement.reset() }
                while try statement.step() {
                    if let found = LargeValue.name(in: statement.data(0)) { names.insert(found) }
                }
            }
        }
        return names
    }

    private static func size(_ path: String, _ files: ExternalFiles) -> Int {
        ["", "-wal", "-journal"].reduce(0) { $0 + size(path + $1) }
            + files.names.reduce(0) { $0 + size(files.path(of: $1)) }
    }

    private static func size(_ path: String) -> Int {
        var found = stat()
        return stat(path, &found) == 0 ? Int(found.st_size) : 0
    }
}
