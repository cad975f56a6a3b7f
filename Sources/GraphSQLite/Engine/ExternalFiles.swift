// Large binary values in files of their own beside the store, as Apple keeps them: `.<store>_SUPPORT/_EXTERNAL_DATA/<UUID>`,
// a row holding a marker and the name. Used by the SQLite store: files are written before their rows, and removed after the
// commit that no longer names them, so that a killed process can leave a file too many, never one too few.
//
// What a row holds:
//
//   OFFSET  SIZE  DESCRIPTION
//   0       1     1: the value follows; 2: a file holds it
//   1       n     the value; or the file's name, 36 characters of ASCII
//   37      1     behind a name: 0
import Foundation
import GraphEngine

/// The files of one store.
package final class ExternalFiles {
    /// The size in bytes above which a value gets a file.
    package static let threshold = 100 * 1024

    private let folder: URL
    private let warn: (String) -> Void
    /// Another store's files: they are read, and values written here get none.
    private let isBorrowed: Bool
    /// Files of this save, to be removed where it fails.
    private var written: [String] = []
    /// Files of values that this save replaces or deletes, to be removed once it is committed.
    private var dropped: [String] = []
    /// Files that no row names any more, and that contexts may read which are pinned to a query generation.
    private var waiting: [String] = []

    /// - Parameters:
    ///   - store: The store.
    ///   - warn: Takes what goes wrong without an error.
    package init(store: URL, warn: @escaping (String) -> Void = { _ in }) {
        self.warn = warn
        folder = Self.support(of: store).appending(path: "_EXTERNAL_DATA")
        isBorrowed = false
    }

    /// For a store in memory that was filled from a file: its values stand where they stood.
    init(borrowedFrom other: ExternalFiles) {
        folder = other.folder
        warn = other.warn
        isBorrowed = true
    }

    private static func support(of store: URL) -> URL {
        let base = store.deletingPathExtension().lastPathComponent
        return store.deletingLastPathComponent().appending(path: ".\(base)_SUPPORT")
    }

    /// Copies all files of a store beside another; those that are there already have the same content.
    ///
    /// A file is never written a second time, so that on one volume a link is as good as a copy.
    package static func copyFolder(from store: URL, to other: URL, linksFiles: Bool = false) throws {
        let source = support(of: store).appending(path: "_EXTERNAL_DATA")
        guard FileManager.default.fileExists(atPath: source.path) else { return }
        let names = try FileManager.default.contentsOfDirectory(atPath: source.path)
        let target = support(of: other).appending(path: "_EXTERNAL_DATA")
        try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
        for name in names where !FileManager.default.fileExists(atPath: target.appending(path: name).path) {
            let (file, copy) = (source.appending(path: name), target.appending(path: name))
            if linksFiles, link(file.path, copy.path) == 0 { continue }
            try FileManager.default.copyItem(at: file, to: copy)
        }
    }

    /// Lets a copy of a store read the original's files.
    package static func linkFolder(of store: URL, to copy: URL) throws {
        guard FileManager.default.fileExists(atPath: support(of: store).path) else { return }
        try FileManager.default.createSymbolicLink(
            at: support(of: copy),
            withDestinationURL: support(of: store).standardizedFileURL
        )
    }

    /// Moves all files of a store beside another one, on the same volume, and sees that their names are on the disk.
    package static func moveFolder(of store: URL, to other: URL) throws {
        let source = support(of: store).appending(path: "_EXTERNAL_DATA")
        guard FileManager.default.fileExists(atPath: source.path) else { return }
        let names = try FileManager.default.contentsOfDirectory(atPath: source.path)
        guard !names.isEmpty else { return }
        let target = ExternalFiles(store: other)
        try target.makeFolder()
        for name in names {
            let place = target.folder.appending(path: name)
            // A file of that name is the same file.
            guard !FileManager.default.fileExists(atPath: place.path) else { continue }
            try FileManager.default.moveItem(at: source.appending(path: name), to: place)
        }
        try synchronize(target.folder)
    }

    /// Removes all files of a store.
    package static func removeFolder(of store: URL) {
        try? FileManager.default.removeItem(at: support(of: store))
    }

    // MARK: Reading

    /// The contents of a file, mapped; nil where it is not there.
    package func contents(_ name: String) -> Data? {
        guard UUID(uuidString: name) != nil else { return nil }
        return try? Data(contentsOf: folder.appending(path: name), options: .mappedIfSafe)
    }

    // MARK: Writing

    /// What a row holds for a value, after the file, if it takes one, is on the disk.
    func stored(_ data: Data) throws -> Data {
        guard data.count > Self.threshold, !isBorrowed else { return LargeValue.inline(data) }
        let name = UUID().uuidString
        do {
            try makeFolder()
            written.append(name)
            let file = folder.appending(path: name)
            try data.write(to: file, options: .withoutOverwriting)
            try Self.synchronize(file)
        } catch {
            throw failure(error, data.count)
        }
        return LargeValue.reference(to: name)
    }

    /// A value that a row will no longer name once the save is committed.
    func drop(_ stored: Data) {
        if !isBorrowed, let name = LargeValue.name(in: stored) { dropped.append(name) }
    }

    /// Sees that the names of new files are on the disk too; called before the commit.
    func prepareCommit() throws {
        guard !written.isEmpty else { return }
        do {
            try Self.synchronize(folder)
        } catch {
            throw failure(error, nil)
        }
    }

    /// Removes what no row names now; later, where pinned contexts may still read it.
    func commit(isPinned: Bool) {
        waiting += dropped
        written = []
        dropped = []
        if !isPinned { removeWaiting() }
    }

    /// Removes what pinned contexts may have read; called when there are none, and when the store is closed.
    func removeWaiting() {
        remove(waiting)
        waiting = []
    }

    func rollback() {
        remove(written)
        written = []
        dropped = []
    }

    private func makeFolder() throws {
        guard !FileManager.default.fileExists(atPath: folder.path) else { return }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Self.synchronize(folder.deletingLastPathComponent())
        try Self.synchronize(folder.deletingLastPathComponent().deletingLastPathComponent())
    }

    /// Sees that a file, or what a folder lists, is on the disk.
    private static func synchronize(_ url: URL) throws {
        let handle = try FileHandle(forReadingFrom: url)
        defer { try? handle.close() }
        try handle.synchronize()
    }

    private func failure(_ error: any Error, _ count: Int?) -> EngineError {
        let found = error as NSError
        return EngineError(
            .file,
            "A value\(count.map { " of \($0) bytes" } ?? "") could not be written to a file beside the store.",
            reason: "\(error)",
            remedy: "Check the space and the permissions of \(folder.path).",
            code: found.domain == NSCocoaErrorDomain ? found.code : CocoaError.Code.fileWriteOutOfSpace.rawValue
        )
    }

    // MARK: Leftovers

    /// The names of all files.
    package var names: Set<String> {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return Set(names.filter { UUID(uuidString: $0) != nil })
    }

    /// Where a file is.
    package func path(of name: String) -> String { folder.appending(path: name).path }

    /// Removes files; one that is gone already is no fault.
    package func remove(_ names: some Sequence<String>) {
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
