// Moves a finished file or folder to its path, and makes the change durable. Called by FileDraft and FolderReplacement,
// and for stores by StoreFile.
import Foundation

/// The steps of moving finished files to their paths.
package enum FilePlacement {
    /// A hidden name for a draft next to a file, on the same volume.
    package static func draftPath(of target: String) -> String {
        let url = URL(filePath: target)
        let name = ".\(url.lastPathComponent)-\(UUID().uuidString).new"
        return url.deletingLastPathComponent().appending(path: name).path
    }

    /// Moves a file or folder to its path, replaces an existing file, and makes the name durable.
    ///
    /// - Throws: `CocoaError`; both files are then unchanged.
    package static func move(_ draft: String, to target: String) throws(CocoaError) {
        guard rename(draft, target) == 0 else { throw CocoaError(system: errno, path: target) }
        synchronizeFolder(of: target)
    }

    /// Moves a file to a path that must not exist, and makes the name durable.
    ///
    /// - Throws: `CocoaError`, `fileWriteFileExists` if a file exists; the draft then keeps its name.
    package static func install(_ draft: String, at target: String) throws(CocoaError) {
        if link(draft, target) != 0 {
            let code = errno
            guard code != EEXIST, access(target, F_OK) != 0 else { throw CocoaError(system: EEXIST, path: target) }
            // Some file systems have no hard links; rename instead.
            guard rename(draft, target) == 0 else { throw CocoaError(system: code, path: target) }
        }
        synchronizeFolder(of: target)
    }

    /// Exchanges the names of two files atomically; returns false if the system does not support it.
    static func exchange(_ one: String, _ other: String) -> Bool {
        #if canImport(Darwin)
            return renamex_np(one, other, UInt32(RENAME_SWAP)) == 0
        #elseif os(Linux)
            // Declared for GNU programs only, and not in all C libraries.
            typealias Exchange =
                @convention(c) (Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>, UInt32) -> Int32
            guard let symbol = dlsym(nil, "renameat2") else { return false }
            let exchange = unsafeBitCast(symbol, to: Exchange.self)
            return exchange(AT_FDCWD, one, AT_FDCWD, other, 2) == 0
        #else
            return false
        #endif
    }

    /// Creates a folder and its missing parents, and makes their names durable.
    ///
    /// Without the latter, a power failure can take away a folder with files that were synchronized.
    ///
    /// - Throws: `CocoaError`s of the file system.
    package static func makeFolder(_ path: String) throws {
        var missing: [String] = []
        var place = URL(filePath: path).path
        while place.count > 1, access(place, F_OK) != 0 {
            missing.append(place)
            place = (place as NSString).deletingLastPathComponent
        }
        // Throws also if a file is in the folder's place.
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        for folder in missing.reversed() { synchronizeFolder(of: folder) }
    }

    /// Calls fsync on a file, or on a folder to make its names durable.
    package static func synchronize(_ path: String) throws(CocoaError) {
        let descriptor = open(path, O_RDONLY)
        guard descriptor >= 0 else { throw CocoaError(system: errno, path: path) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw CocoaError(system: errno, path: path) }
    }

    /// Calls fsync on the folder of a path; failures are ignored, as some file systems do not support it.
    package static func synchronizeFolder(of path: String) {
        let parent = (path as NSString).deletingLastPathComponent
        let descriptor = open(parent.isEmpty ? "." : parent, O_RDONLY)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}
