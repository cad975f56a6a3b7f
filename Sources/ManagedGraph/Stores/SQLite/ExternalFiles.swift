// Large binary values in files of their own beside the store, as Apple keeps them: `.<store>_SUPPORT/_EXTERNAL_DATA/<UUID>`,
// a row holding a marker and the name. Used by the SQLite store: files are written before their rows, and removed after the
// commit that no longer names them, so that a killed process can leave a file too many, never one too few.
import Foundation

/// The files of one store.
final class ExternalFiles {
    /// Bytes from which a value gets a file.
    static let threshold = 100 * 1024
    static let inlineMarker: UInt8 = 1
    static let fileMarker: UInt8 = 2

    private let folder: URL
    /// Files of this save, to be removed where it fails.
    private var written: [String] = []
    /// Files of values that this save replaces or deletes, to be removed once it is committed.
    private var dropped: [String] = []

    init(store: URL) {
        folder = Self.support(of: store).appending(path: "_EXTERNAL_DATA")
    }

    private static func support(of store: URL) -> URL {
        let base = store.deletingPathExtension().lastPathComponent
        return store.deletingLastPathComponent().appending(path: ".\(base)_SUPPORT")
    }

    /// Copies all files of a store beside another; those that are there already have the same content.
    static func copyFolder(from store: URL, to other: URL) throws {
        let source = support(of: store).appending(path: "_EXTERNAL_DATA")
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: source.path) else { return }
        let target = support(of: other).appending(path: "_EXTERNAL_DATA")
        try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
        for name in names where !FileManager.default.fileExists(atPath: target.appending(path: name).path) {
            try FileManager.default.copyItem(at: source.appending(path: name), to: target.appending(path: name))
        }
    }

    /// Removes all files of a store.
    static func removeFolder(of store: URL) {
        try? FileManager.default.removeItem(at: support(of: store))
    }

    /// What a row holds for a value, after the file, if it takes one, is on the disk.
    func stored(_ data: Data) throws -> Data {
        guard data.count > Self.threshold else { return Data([Self.inlineMarker]) + data }
        let name = UUID().uuidString
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appending(path: name)
        written.append(name)
        do {
            try data.write(to: file)
            let handle = try FileHandle(forUpdating: file)
            try handle.synchronize()
            try handle.close()
        } catch {
            throw CoreDataError.make(
                (error as NSError).domain == NSCocoaErrorDomain ? (error as NSError).code : NSFileWriteOutOfSpaceCode,
                "A value of \(data.count) bytes could not be written to a file beside the store.",
                reason: "\(error)",
                remedy: "Check the space and the permissions of \(folder.path).",
                underlying: error
            )
        }
        return Data([Self.fileMarker]) + Data(name.utf8) + Data([0])
    }

    /// The name in a row's value; nil where the data are in the row.
    static func name(in stored: Data) -> String? {
        guard stored.first == fileMarker else { return nil }
        let name = String(decoding: stored.dropFirst().prefix { $0 != 0 }, as: UTF8.self)
        return UUID(uuidString: name) == nil ? nil : name
    }

    /// The contents of a file; nil where it is not there.
    func contents(_ name: String) -> Data? {
        guard UUID(uuidString: name) != nil else { return nil }
        return try? Data(contentsOf: folder.appending(path: name))
    }

    /// A value that a row will no longer name once the save is committed.
    func drop(_ stored: Data) {
        if let name = Self.name(in: stored) { dropped.append(name) }
    }

    func commit() {
        remove(dropped)
        written = []
        dropped = []
    }

    func rollback() {
        remove(written)
        written = []
        dropped = []
    }

    /// Removes files that a killed process has left: those that no row names and that are not being written now.
    func removeLeftovers(named: () throws -> Set<String>) throws {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path), !names.isEmpty else {
            return
        }
        let used = try named()
        // Another process may have written its file and not yet its row.
        let limit = Date().addingTimeInterval(-3600)
        for name in names where UUID(uuidString: name) != nil && !used.contains(name) {
            let attributes = try? FileManager.default.attributesOfItem(atPath: folder.appending(path: name).path)
            if let date = attributes?[.modificationDate] as? Date, date < limit { remove([name]) }
        }
    }

    private func remove(_ names: [String]) {
        for name in names {
            do {
                try FileManager.default.removeItem(at: folder.appending(path: name))
            } catch {
                Diagnosis.log.warning("The file \(name) beside the store could not be removed: \(error)")
            }
        }
    }
}
