// Reads a store's file without side effects: creates, changes and locks nothing beside it. Used by stores on read-only
// media and by the checker. Changes in a -wal or a hot -journal are read from a copy in the temporary folder.
import Foundation

/// A database file opened without modifying it or the files beside it.
package final class ImmutableSnapshotFile: @unchecked Sendable {
    /// The path of the original file.
    package let original: String
    /// The path to open: the file, or a copy of it.
    package let path: String
    private let mode: OpenMode
    private let scratch: String?
    private let state: [FileState]

    /// The attributes that change when a file is written.
    private struct FileState: Equatable {
        var size = 0
        var changed: Date?
        /// The beginning of a log, which changes when the log restarts.
        var head = Data()
    }

    /// Copies the file if it has a log or a journal.
    ///
    /// - Parameter path: The database.
    /// - Throws: `SQLiteError` if the copy cannot be made, or if the file changes during each attempt to copy it.
    package init(_ path: String) throws {
        // SQLite looks for the log beside the target of a symbolic link.
        let target = URL(filePath: path).resolvingSymlinksInPath().path
        original = path
        guard Self.holdsChanges(target) else {
            (self.path, mode, scratch, state) = (target, .immutable, nil, Self.state(of: target))
            return
        }
        var last: (any Error)?
        for _ in 0..<5 {
            let before = Self.state(of: target)
            var folder: String?
            do {
                let scratchFolder = try ScratchFolders.make("still-")
                folder = scratchFolder
                let copy = try Self.copy(target, into: scratchFolder)
                if Self.state(of: target) == before {
                    (self.path, mode, scratch, state) = (copy, .readWrite, scratchFolder, before)
                    return
                }
            } catch {
                last = error
            }
            if let folder { ScratchFolders.remove(folder) }
        }
        throw SQLiteError(
            code: 14,
            message: last.map { "the file and its log cannot be copied to be read: \($0.localizedDescription)" }
                ?? "the file is written without a pause, so that no copy of one moment can be made: \(path)"
        )
    }

    deinit {
        if let scratch { ScratchFolders.remove(scratch) }
    }

    /// Opens a connection that reads the file.
    ///
    /// Use it only while this object is alive.
    ///
    /// - Throws: `SQLiteError`.
    package func connection() throws -> Connection {
        let connection = try Connection(path: path, mode: mode)
        connection.hasSmallCache = true
        if scratch != nil {
            // The first read recovers the journal or the log.
            _ = try connection.rows("SELECT count(*) FROM sqlite_master")
            try connection.execute("PRAGMA query_only = 1")
        }
        return connection
    }

    /// Whether the file is unchanged since this object was created.
    package var isUnchanged: Bool {
        Self.state(of: URL(filePath: original).resolvingSymlinksInPath().path) == state
    }

    /// Whether a log or a journal beside a file is not empty.
    package static func holdsChanges(_ path: String) -> Bool {
        StoreFile.byteCount(path + "-wal") > 0 || StoreFile.byteCount(path + "-journal") > 0
    }

    /// Whether a reading connection can create the files it needs beside a database.
    package static func canWriteBeside(_ path: String) -> Bool {
        let folder = (URL(filePath: path).resolvingSymlinksInPath().path as NSString).deletingLastPathComponent
        guard access(folder, W_OK) == 0 else { return false }
        return StoreFile.byteCount(path + "-shm") == 0 || access(path + "-shm", W_OK) == 0
    }

    private static func copy(_ path: String, into folder: String) throws -> String {
        let copy = (folder as NSString).appendingPathComponent("copy")
        for suffix in ["", "-wal", "-journal"] where StoreFile.byteCount(path + suffix) > 0 {
            try DatabaseFiles.copy(path + suffix, of: path, to: copy + suffix)
            chmod(copy + suffix, 0o600)
        }
        return copy
    }

    private static func state(of path: String) -> [FileState] {
        ["", "-wal", "-journal"].map { suffix in
            // A log that grows during the copy is consistent up to its last commit.
            if suffix == "-wal" { return FileState(head: head(path + suffix)) }
            guard let attributes = try? FileManager.default.attributesOfItem(atPath: path + suffix) else {
                return FileState()
            }
            return FileState(
                size: (attributes[.size] as? NSNumber)?.intValue ?? 0,
                changed: attributes[.modificationDate] as? Date
            )
        }
    }

    private static func head(_ path: String) -> Data {
        DatabaseFiles.head(path, count: 32) ?? Data()
    }
}
