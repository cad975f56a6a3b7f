// Large binary values in separate files beside the store, as Apple keeps them:
// `.<store>_SUPPORT/_EXTERNAL_DATA/<UUID>`, with a marker and the name in the row. Used by the SQLite store: a file is
// written before its row, and removed after the commit that drops the reference, so that a killed process can leave an
// unused file but never a missing one.
//
// The row's value:
//
//   OFFSET  SIZE  DESCRIPTION
//   0       1     1: the value follows; 2: it is in a file
//   1       n     the value; or the file's name, 36 characters of ASCII
//   37      1     after a name: 0
import Foundation
import GraphArchives
import GraphEngine

/// The files of one store.
package final class ExternalFiles {
    /// The size in bytes above which a value is stored in a file.
    package static let threshold = 100 * 1024

    private let folder: URL
    private let warn: (String) -> Void
    private let permissions: FilePermissions
    /// Files written by this save, to be removed if it fails.
    private var written: [String] = []
    /// Files of values that this save replaces or deletes, to be removed after its commit.
    private var dropped: [String] = []
    /// Files that rows no longer reference but contexts pinned to a query generation may still read.
    private var waiting: [String] = []
    /// Whether the folder and its name are known to be durable.
    private var isFolderDurable = false

    /// - Parameters:
    ///   - store: The store's file.
    ///   - permissions: Those of a new folder.
    ///   - warn: Receives messages about failures that are not thrown.
    package init(store: URL, _ permissions: FilePermissions = .usual, warn: @escaping (String) -> Void = { _ in }) {
        self.warn = warn
        self.permissions = permissions
        folder = Self.support(of: store).appending(path: "_EXTERNAL_DATA")
    }

    /// The folder beside a store that has the folder of its large values.
    static func support(of store: URL) -> URL {
        let base = store.deletingPathExtension().lastPathComponent
        return store.deletingLastPathComponent().appending(path: ".\(base)_SUPPORT")
    }

    /// Whether another database in the store's folder has the same folder of large values.
    ///
    /// Apple's layout names the folder without the store's extension, so its files may belong to the other database. Also
    /// true if the store's folder cannot be read.
    package static func isShared(_ store: URL) -> Bool {
        let parent = store.deletingLastPathComponent()
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: parent.path) else { return true }
        let folderName = support(of: store).lastPathComponent
        let identity = FileIdentity(store.path)
        return names.contains { name in
            guard name != store.lastPathComponent else { return false }
            let other = parent.appending(path: name)
            guard Self.support(of: other).lastPathComponent == folderName, FileIdentity(other.path) != identity else {
                return false
            }
            // The files that SQLite puts beside a database have other signatures.
            return DatabaseFiles.head(other.path, count: FileHeader.size).map {
                FileHeader(bytes: [UInt8]($0)).isDatabase
            } ?? false
        }
    }

    /// Copies all files of a store beside another, and makes the copies durable; existing files already have the same
    /// content.
    ///
    /// A file is never modified, so a hard link on the same volume is as good as a copy.
    package static func copyFolder(
        from store: URL,
        to destination: URL,
        _ permissions: FilePermissions = .usual,
        linksFiles: Bool = false
    ) throws {
        let source = support(of: store).appending(path: "_EXTERNAL_DATA")
        let target = ExternalFiles(store: destination, permissions)
        do {
            guard try FilePlacement.isThere(source.path) else { return }
            let names = try FileManager.default.contentsOfDirectory(atPath: source.path)
            try target.makeFolder()
            for name in names {
                let (file, copy) = (source.appending(path: name), target.folder.appending(path: name))
                guard try !FilePlacement.isThere(copy.path) else { continue }
                if linksFiles, link(file.path, copy.path) == 0 { continue }
                // Under another name first: a file whose copying ended midway must not be taken for a copy. One with
                // such a name is removed when the store is opened.
                let draft = target.folder.appending(path: UUID().uuidString).path
                defer { unlink(draft) }
                do {
                    try FileManager.default.copyItem(atPath: file.path, toPath: draft)
                } catch CocoaError.fileReadNoSuchFile, CocoaError.fileNoSuchFile {
                    // A save has removed the value meanwhile.
                    continue
                }
                try FilePlacement.synchronize(draft)
                guard rename(draft, copy.path) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
            }
            try FilePlacement.synchronize(target.folder.path)
        } catch {
            throw target.failure(error, nil)
        }
    }

    /// Makes a copy of a store read the original's files through a symbolic link.
    package static func linkFolder(of store: URL, to copy: URL) throws {
        guard try FilePlacement.isThere(support(of: store).path) else { return }
        try FileManager.default.createSymbolicLink(
            at: support(of: copy),
            withDestinationURL: support(of: store).standardizedFileURL
        )
    }

    /// Moves all files of a store beside another one, on the same volume, and calls fsync on the folder.
    package static func moveFolder(of store: URL, to destination: URL) throws {
        let source = support(of: store).appending(path: "_EXTERNAL_DATA")
        guard try FilePlacement.isThere(source.path) else { return }
        let names = try FileManager.default.contentsOfDirectory(atPath: source.path)
        guard !names.isEmpty else { return }
        let target = ExternalFiles(store: destination)
        try target.makeFolder()
        for name in names {
            let place = target.folder.appending(path: name)
            // A file with the same name has the same content.
            guard try !FilePlacement.isThere(place.path) else { continue }
            try FileManager.default.moveItem(at: source.appending(path: name), to: place)
        }
        try FilePlacement.synchronize(target.folder.path)
    }

    /// Removes all files of a store, unless another store has the same folder.
    package static func removeFolder(of store: URL) {
        guard !isShared(store) else { return }
        try? FileManager.default.removeItem(at: support(of: store))
    }

    // MARK: Reading

    /// The contents of a file, mapped; nil if it does not exist.
    ///
    /// - Throws: `EngineError` if the file exists and cannot be read, so that its value is not taken for a missing one.
    package func contents(_ name: String) throws -> Data? {
        guard UUID(uuidString: name) != nil else { return nil }
        let file = folder.appending(path: name)
        if Self.isLink(file) {
            throw EngineError(
                .file,
                "The file \(name) of a large value beside the store is a symbolic link, which is not followed.",
                remedy: "Replace the link in \(folder.path) by the file."
            )
        }
        do {
            return try Data(contentsOf: file, options: .mappedIfSafe)
        } catch CocoaError.fileReadNoSuchFile, CocoaError.fileNoSuchFile {
            return nil
        } catch {
            let cause = error as NSError
            throw EngineError(
                .file,
                "The file \(name) of a large value beside the store could not be read.",
                reason: "\(error)",
                remedy: "Check the disk and the permissions of \(folder.path), and read again.",
                code: cause.domain == NSCocoaErrorDomain ? cause.code : CocoaError.Code.fileReadUnknown.rawValue
            )
        }
    }

    // MARK: Writing

    /// Returns a value as stored in a row, after writing and syncing its file if it needs one.
    func stored(_ data: Data) throws -> Data {
        guard data.count > Self.threshold else { return LargeValue.inline(data) }
        let name = UUID().uuidString
        do {
            try makeFolder()
            written.append(name)
            let file = folder.appending(path: name)
            try data.write(to: file, options: .withoutOverwriting)
            try FilePlacement.synchronize(file.path)
        } catch {
            throw failure(error, data.count)
        }
        return LargeValue.reference(to: name)
    }

    /// Marks a value whose file must be removed once the save is committed.
    func drop(_ stored: Data) {
        if let name = LargeValue.name(in: stored) { dropped.append(name) }
    }

    /// Calls fsync on the folder so that new file names are durable; called before the commit.
    func prepareCommit() throws {
        guard !written.isEmpty else { return }
        do {
            try FilePlacement.synchronize(folder.path)
        } catch {
            throw failure(error, nil)
        }
    }

    /// Removes the dropped files, or keeps them for now if pinned contexts may read them.
    ///
    /// - Parameters:
    ///   - isPinned: Whether pinned contexts may read the files.
    ///   - makeDurable: Makes the commit durable: a power failure must not undo it once the files are gone. If this
    ///     fails, the files are kept for now.
    func commit(isPinned: Bool, makeDurable: () throws -> Void) {
        waiting += dropped
        written = []
        dropped = []
        guard !isPinned, !waiting.isEmpty else { return }
        do {
            try makeDurable()
        } catch {
            return warn("The log could not be synchronized, so files beside the store are removed later: \(error)")
        }
        removeWaiting()
    }

    /// Removes the files kept for pinned contexts; called when there are none, and when the store is closed.
    func removeWaiting() {
        remove(waiting)
        waiting = []
    }

    /// A state of a save to which its files can be put back.
    struct Mark {
        fileprivate let written: Int
        fileprivate let dropped: Int
    }

    /// The current state, for a savepoint.
    var mark: Mark { Mark(written: written.count, dropped: dropped.count) }

    /// Undoes the file changes of the save since a mark.
    func rollback(to mark: Mark) {
        if written.count > mark.written {
            remove(written[mark.written...])
            written.removeSubrange(mark.written...)
        }
        dropped.removeSubrange(mark.dropped...)
    }

    func rollback() {
        remove(written)
        written = []
        dropped = []
    }

    private static func isLink(_ url: URL) -> Bool {
        var status = stat()
        return lstat(url.path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
    }

    /// Whether the folder is elsewhere: nothing is written or removed there.
    var isLinked: Bool { Self.isLink(folder) || Self.isLink(folder.deletingLastPathComponent()) }

    private func makeFolder() throws {
        guard !isLinked else {
            throw EngineError(
                .file,
                "The folder of large values beside the store is a symbolic link, and nothing is written there.",
                remedy: "Replace the link \(folder.path) by the folder."
            )
        }
        let isThere = try FilePlacement.isThere(folder.path)
        // A folder that is there may be left by a save that failed to synchronize it.
        guard !isThere || !isFolderDurable else { return }
        if !isThere {
            // First the outer one, which keeps others out of it.
            let support = folder.deletingLastPathComponent()
            try FileManager.default.createDirectory(at: support, withIntermediateDirectories: true)
            try permissions.apply(to: support.path)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        }
        try FilePlacement.synchronize(folder.deletingLastPathComponent().path)
        try FilePlacement.synchronize(folder.deletingLastPathComponent().deletingLastPathComponent().path)
        isFolderDurable = true
    }

    private func failure(_ error: any Error, _ count: Int?) -> EngineError {
        let cause = error as NSError
        return EngineError(
            .file,
            "A value\(count.map { " of \($0) bytes" } ?? "") could not be written to a file beside the store.",
            reason: "\(error)",
            remedy: "Check the space and the permissions of \(folder.path).",
            code: cause.domain == NSCocoaErrorDomain ? cause.code : CocoaError.Code.fileWriteOutOfSpace.rawValue
        )
    }

    // MARK: Leftovers

    /// The names of all files.
    ///
    /// - Throws: `CocoaError` if the folder exists and cannot be listed.
    package var names: Set<String> {
        get throws {
            guard try FilePlacement.isThere(folder.path) else { return [] }
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            return Set(names.filter { UUID(uuidString: $0) != nil })
        }
    }

    /// The path of a file.
    package func path(of name: String) -> String { folder.appending(path: name).path }

    /// Removes files; ignores those that no longer exist.
    package func remove(_ names: some Sequence<String>) {
        guard !isLinked else { return warn("The folder \(folder.path) is a symbolic link: no file is removed there.") }
        for name in names {
            do {
                try FileManager.default.removeItem(at: folder.appending(path: name))
            } catch CocoaError.fileNoSuchFile {
                continue
            } catch {
                warn("The file \(name) beside the store could not be removed: \(error)")
            }
        }
    }
}
