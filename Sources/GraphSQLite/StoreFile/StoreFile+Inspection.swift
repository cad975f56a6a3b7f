// Inspection of a file before it is used. It never changes the file, its -wal or its folder: the main file is read
// through a connection that takes no lock and creates no file. A store's -wal is also read in place, by a connection
// that needs no -shm or uses an existing one. If that is impossible, or if a -journal holds changes, a copy in the
// temporary folder is read instead.
import CSQLite
import Foundation
import GraphSQL

extension StoreFile {
    /// Inspects the file at a path.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - checksAllPages: Whether every page is read. By default only in files of at most 256 KiB; in a larger file a
    ///     damaged page is detected when it is read.
    /// - Returns: The state; a store includes its metadata.
    package static func inspect(_ path: String, checksAllPages: Bool? = nil) -> StoreFileState {
        if let name = linkedCompanion(of: path) {
            return .foreign(
                reason: "Its file \(name) is a symbolic link, which is not followed. Remove the link, or replace it by "
                    + "the file."
            )
        }
        var status = stat()
        guard stat(path, &status) == 0 else {
            return errno == ENOENT || errno == ENOTDIR
                ? .missing
                : .foreign(reason: "The file cannot be examined: \(String(cString: strerror(errno))).")
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            let isFolder = status.st_mode & S_IFMT == S_IFDIR
            return .foreign(reason: "This is \(isFolder ? "a folder" : "not a regular file").")
        }
        let size = Int(status.st_size)
        let hasLog = byteCount(path + "-wal") > 0
        let hasJournal = byteCount(path + "-journal") > 0
        if size == 0, !hasLog {
            return .empty
        }
        guard let header = header(path) else {
            return .foreign(
                reason: "The file cannot be read. Check its permissions, and the limit of open files (ulimit -n)."
            )
        }
        if let finding = check(header, size: size, hasLog: hasLog || hasJournal) {
            return finding
        }
        let checks = checksAllPages ?? (size <= 256 << 10)
        if !hasLog, !hasJournal {
            return read(path, mode: .immutable, path: path, checksAllPages: checks)
        }
        if !hasJournal, let finding = inspectLog(path, checksAllPages: checks) { return finding }
        let finding = inspectCopy(path, size: size, checksAllPages: checks)
        if case .damaged = finding, byteCount(path + "-shm") > 0 {
            // Another process may have written during the copy. Its -shm exists, so reading through it creates no file.
            return read(path, mode: .readOnly, path: path, checksAllPages: checks)
        }
        return finding
    }

    /// The name of one of SQLite's files beside a database that is a symbolic link: SQLite would write to the file that
    /// it leads to.
    private static func linkedCompanion(of path: String) -> String? {
        // SQLite's files are beside the target if the database itself is a link.
        let target = realpath(path, nil)
        defer { free(target) }
        let resolvedPath = target.map { String(cString: $0) } ?? path
        var status = stat()
        return ["-wal", "-shm", "-journal"].map { resolvedPath + $0 }
            .first { lstat($0, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK }
            .map { ($0 as NSString).lastPathComponent }
    }

    /// The state that follows from the header alone, or nil if the file has to be opened.
    private static func check(_ header: FileHeader, size: Int, hasLog: Bool) -> StoreFileState? {
        guard header.isDatabase else {
            if header.looksLikeDamagedDatabase {
                return .damaged(reason: "The database's header is damaged. Restore the file from a copy.")
            }
            return .foreign(
                reason: "This is \(header.kind), not a Core Data store. Check the path; the file was not changed."
            )
        }
        guard header.hasValidPageSize, header.hasValidConstants else {
            return .damaged(reason: "The database's header is damaged. Restore the file from a copy.")
        }
        if let pages = header.pageCount, !hasLog, pages * header.pageSize > size {
            return .damaged(
                reason:
                    "The file is cut short: it has \(size) of \(pages * header.pageSize) bytes. Restore it from a copy."
            )
        }
        return nil
    }

    /// Inspects a file and its log in place; nil if a copy is required.
    private static func inspectLog(_ path: String, checksAllPages: Bool) -> StoreFileState? {
        // Readers write marks to a -shm, which must not happen in another program's database.
        guard case .store = read(path, mode: .immutable, path: path, checksAllPages: false) else { return nil }
        let finding: StoreFileState
        if byteCount(path + "-shm") > 0 {
            // A process has the file open, or was killed while it had.
            finding = read(path, mode: .readOnly, path: path, checksAllPages: checksAllPages) {
                try $0.keepLogWhenClosed()
            }
        } else {
            guard access(path, W_OK) == 0, access(path + "-wal", W_OK) == 0 else { return nil }
            finding = read(path, mode: .readWrite, path: path, checksAllPages: checksAllPages) { connection in
                // In exclusive mode SQLite keeps the contents of a -shm in memory.
                try connection.keepLogWhenClosed()
                _ = try connection.rows("PRAGMA locking_mode = EXCLUSIVE")
            }
        }
        if case .store = finding { return finding }
        return nil
    }

    /// Reads the metadata, and checks the schema and the entities, through a connection of the given mode.
    private static func read(
        _ file: String,
        mode: OpenMode,
        path: String,
        checksAllPages: Bool,
        prepare: (Connection) throws -> Void = { _ in }
    ) -> StoreFileState {
        do {
            let connection = try Connection(path: file, mode: mode, busyTimeout: 5_000)
            defer { connection.close() }
            try prepare(connection)
            let tables = try connection.rows("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY rowid")
                .compactMap { if case .text(let name)? = $0.first { name } else { nil } }
            guard tables.contains("Z_METADATA"), tables.contains("Z_PRIMARYKEY") else {
                guard !tables.isEmpty else { return .vacant }
                let names = tables.prefix(3).joined(separator: ", ")
                return .foreign(
                    reason:
                        "This is another program's SQLite database (tables \(names)\(tables.count > 3 ? ", …" : "")), "
                        + "not a Core Data store. Check the path; the file was not changed."
                )
            }
            // SQLite compares texts by the bytes of the encoding, and fetches rely on the order of UTF-8.
            if case .text(let encoding)? = try connection.rows("PRAGMA encoding").first?.first, encoding != "UTF-8" {
                return .foreign(
                    reason:
                        "Its texts are in \(encoding), and those of a store are in UTF-8. Copy it into another file "
                        + "with \"sqlite3 file .dump | sqlite3 copy\"; the file was not changed."
                )
            }
            // The check can take a page that could not be read for a damaged one, without an error number.
            if checksAllPages, try connection.firstProblem(checksIndexes: false) != nil,
                let problem = try connection.firstProblem(checksIndexes: false)
            {
                if let reason = unreadable(file, of: path) {
                    return .foreign(reason: "The disk reports an error (\(reason)). Check the disk and try again.")
                }
                return .damaged(reason: "The database is damaged (\(problem)). Restore the file from a copy.")
            }
            _ = try connection.rows("SELECT Z_ENT, Z_NAME, Z_SUPER, Z_MAX FROM Z_PRIMARYKEY")
            return .store(try readMetadata(connection))
        } catch let error as SQLiteError {
            switch error.kind {
            case .inputOutput where !error.isShortRead:
                return .foreign(
                    reason:
                        "The disk reports an error (\(error.message)). Check the disk and try again; the file was not "
                        + "changed."
                )
            case .corrupt, .notADatabase, .inputOutput, .other:
                return .damaged(reason: "The database is damaged (\(error.message)). Restore the file from a copy.")
            default:
                return .foreign(reason: "The file cannot be read: \(error.description)")
            }
        } catch {
            let reason = (error as? StoreFileError)?.reason ?? "\(error)"
            return .damaged(reason: "\(reason) Restore the file from a copy.")
        }
    }

    /// The error of reading a file from its beginning to its end; nil if that works.
    private static func unreadable(_ file: String, of database: String) -> String? {
        do {
            let isRead: Bool? = try DatabaseFiles.reading(file, of: database) { handle in
                while let bytes = try handle.read(upToCount: 1 << 16), !bytes.isEmpty {}
                return true
            }
            return isRead == nil ? "the file cannot be opened" : nil
        } catch {
            return error.localizedDescription
        }
    }

    /// Copies the file with its log or journal and reads the copy, which SQLite may recover.
    private static func inspectCopy(_ path: String, size: Int, checksAllPages: Bool) -> StoreFileState {
        // Copying a large file costs more than an inspection is worth. Reading it in place may create a -shm.
        guard size + byteCount(path + "-wal") <= 256 << 20 else {
            return read(path, mode: .readOnly, path: path, checksAllPages: checksAllPages)
        }
        var folder: String?
        defer { if let folder { ScratchFolders.remove(folder) } }
        let copy: String
        do {
            let scratchFolder = try ScratchFolders.make("")
            folder = scratchFolder
            copy = (scratchFolder as NSString).appendingPathComponent("copy")
            for suffix in ["", "-wal", "-journal"] where byteCount(path + suffix) > 0 {
                try DatabaseFiles.copy(path + suffix, of: path, to: copy + suffix)
                chmod(copy + suffix, 0o600)
            }
        } catch {
            return .foreign(reason: "The file cannot be copied in order to be examined: \(error.localizedDescription)")
        }
        return read(copy, mode: .readWrite, path: path, checksAllPages: checksAllPages)
    }

    private static func header(_ path: String) -> FileHeader? {
        // Bytes that cannot be read are not those of another kind of file.
        try? DatabaseFiles.reading(path, of: path) {
            FileHeader(bytes: [UInt8](try $0.read(upToCount: FileHeader.size) ?? Data()))
        }
    }

    package static func byteCount(_ path: String) -> Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : 0
    }
}

extension Connection {
    /// Prevents a checkpoint on close, even if this is the last connection.
    fileprivate func keepLogWhenClosed() throws {
        graph_sqlite3_keep_log(try handle.requirePointer())
    }
}
