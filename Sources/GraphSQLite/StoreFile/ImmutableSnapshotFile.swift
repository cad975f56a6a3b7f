// A store's file to be read without leaving a trace: nothing is made, changed or locked beside it. Opened by stores on media
// that cannot be written, and by the checker. What a -wal or a hot -journal holds is read in a copy in the temporary folder.
import Foundation

/// A file that is read and stays as it is.
package final class ImmutableSnapshotFile: @unchecked Sendable {
    /// Where the file is.
    package let original: String
    /// What is opened: the file, or a copy of it.
    package let path: String
    private let mode: OpenMode
    private let scratch: String?
    private let state: [FileState]

    /// What tells that a file was written.
    private struct FileState: Equatable {
        var size = 0
        var changed: Date?
        /// The beginning of a log, which a new one has otherwise.
        var head = Data()
    }

    /// Looks at a file, and copies it where a log or a journal lies beside it.
    ///
    /// - Parameter path: The database.
    /// - Throws: `SQLiteError` where the copy cannot be made, or the file is written faster than it can be copied.
    package init(_ path: String) throws {
        // SQLite looks for the log beside the file that a link leads to.
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
                let made = try ScratchFolders.make("still-")
                folder = made
                let copy = try Self.copy(target, into: made)
                if Self.state(of: target) == before {
                    (self.path, mode, scratch, state) = (copy, .readWrite, made, before)
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

    /// A connection that reads the file.
    ///
    /// It may be used for as long as this object lives.
    ///
    /// - Throws: `SQLiteError`.
    package func connection() throws -> Connection {
        let connection = try Connection(path: path, mode: mode)
        if scratch != nil {
            // The first look takes in what the journal or the log holds.
            _ = try connection.rows("SELECT count(*) FROM sqlite_master")
            try connection.execute("PRAGMA query_only = 1")
        }
        return connection
    }

    /// Whether the file is what it was when this object was made.
    package var isUnchanged: Bool {
        Self.state(of: URL(filePath: original).resolvingSymlinksInPath().path) == state
    }

    /// Whether a log or a journal beside a file has anything in it.
    package static func holdsChanges(_ path: String) -> Bool {
        StoreFile.byteCount(path + "-wal") > 0 || StoreFile.byteCount(path + "-journal") > 0
    }

    /// Whether a connection that reads may make the files beside a database that it needs.
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
            // A log that grows while it is copied is whole up to its last commit.
            if suffix == "-wal" { return FileState(head: head(path + suffix)) }
            guard let found = try? FileManager.default.attributesOfItem(atPath: path + suffix) else {
                return FileState()
            }
            return FileState(
                size: (found[.size] as? NSNumber)?.intValue ?? 0,
                changed: found[.modificationDate] as? Date
            )
        }
    }

    private static func head(_ path: String) -> Data {
        DatabaseFiles.head(path, count: 32) ?? Data()
    }
}
