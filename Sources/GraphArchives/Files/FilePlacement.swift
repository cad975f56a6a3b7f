// The steps by which a finished file or folder takes its place, and by which it is durable there. Called by FileDraft,
// FolderReplacement, and for stores by StoreFile.
import Foundation

/// Steps of putting finished files in their places.
package enum FilePlacement {
    /// A hidden name beside a file for what is to take its place, on the same volume.
    package static func draftPath(of target: String) -> String {
        let url = URL(filePath: target)
        let name = ".\(url.lastPathComponent)-\(UUID().uuidString).new"
        return url.deletingLastPathComponent().appending(path: name).path
    }

    /// Gives a file or folder its place, where a file may be that is replaced, and makes the name durable.
    ///
    /// - Throws: `CocoaError`; both files are then where they were.
    package static func move(_ draft: String, to target: String) throws(CocoaError) {
        guard rename(draft, target) == 0 else { throw CocoaError(system: errno, path: target) }
        synchronizeFolder(of: target)
    }

    /// Gives a file a place where none may be, and makes the name durable.
    ///
    /// - Throws: `CocoaError`, `fileWriteFileExists` for a file that is there; the draft is then where it was.
    package static func install(_ draft: String, at target: String) throws(CocoaError) {
        if link(draft, target) != 0 {
            let code = errno
            guard code != EEXIST, access(target, F_OK) != 0 else { throw CocoaError(system: EEXIST, path: target) }
            // Some file systems have no hard links; renaming is the next best.
            guard rename(draft, target) == 0 else { throw CocoaError(system: code, path: target) }
        }
        synchronizeFolder(of: target)
    }

    /// Gives two files each other's names in one step; false where the system cannot.
    static func exchange(_ one: String, _ other: String) -> Bool {
        #if canImport(Darwin)
            return renamex_np(one, other, UInt32(RENAME_SWAP)) == 0
        #elseif os(Linux)
            // Declared for GNU programs only, and not by all C libraries.
            typealias Exchange =
                @convention(c) (Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>, UInt32) -> Int32
            guard let symbol = dlsym(nil, "renameat2") else { return false }
            let exchange = unsafeBitCast(symbol, to: Exchange.self)
            return exchange(AT_FDCWD, one, AT_FDCWD, other, 2) == 0
        #else
            return false
        #endif
    }

    /// Waits until a file, or the names in a folder, are on the disk.
    package static func synchronize(_ path: String) throws(CocoaError) {
        let descriptor = open(path, O_RDONLY)
        guard descriptor >= 0 else { throw CocoaError(system: errno, path: path) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw CocoaError(system: errno, path: path) }
    }

    /// Waits until the name of a file is on the disk; some file systems cannot, and need not be asked.
    package static func synchronizeFolder(of path: String) {
        let parent = (path as NSString).deletingLastPathComponent
        let descriptor = open(parent.isEmpty ? "." : parent, O_RDONLY)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}
