// Files that are read and written as a whole: replaced in one step, and known again. Called by stores that are one file, and by
// whoever writes into folders of users.
import Foundation

/// What tells a file from what it was before.
package struct FileStamp: Hashable, Sendable {
    private let device: UInt64
    private let number: UInt64
    private let size: Int64
    private let seconds: Int
    private let nanoseconds: Int

    /// The stamp of the file at a path; nil where there is none.
    package init?(path: String) {
        var found = stat()
        guard stat(path, &found) == 0 else { return nil }
        device = UInt64(found.st_dev)
        number = UInt64(found.st_ino)
        size = Int64(found.st_size)
        #if canImport(Darwin)
            let time = found.st_mtimespec
        #else
            let time = found.st_mtim
        #endif
        seconds = time.tv_sec
        nanoseconds = time.tv_nsec
    }
}

/// Replacing a file in one step.
package enum FileReplacement {
    /// Writes a file, or replaces the one that is there: whoever looks sees the old content or the new, also after a kill
    /// or a power cut.
    ///
    /// A link is followed, and the old file's permissions are kept.
    ///
    /// - Parameters:
    ///   - data: The new content.
    ///   - path: Where the file is to be; its folder is made.
    /// - Throws: `CocoaError`s of the file system; the old file is then as it was.
    package static func write(_ data: Data, to path: String) throws {
        let target = URL(filePath: path).resolvingSymlinksInPath()
        let folder = target.deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        var old = stat()
        let isThere = stat(target.path, &old) == 0
        guard !isThere || access(target.path, W_OK) == 0 else {
            throw CocoaError(.fileWriteNoPermission, userInfo: [NSFilePathErrorKey: target.path])
        }
        let draft = folder.appending(path: ".\(target.lastPathComponent)-\(UUID().uuidString).new")
        do {
            try data.write(to: draft, options: .withoutOverwriting)
            let handle = try FileHandle(forUpdating: draft)
            defer { try? handle.close() }
            try handle.synchronize()
            if isThere { chmod(draft.path, old.st_mode & 0o7777) }
            guard rename(draft.path, target.path) == 0 else {
                throw CocoaError(
                    .fileWriteUnknown,
                    userInfo: [
                        NSFilePathErrorKey: target.path, NSDebugDescriptionErrorKey: String(cString: strerror(errno)),
                    ]
                )
            }
        } catch {
            try? FileManager.default.removeItem(at: draft)
            throw error
        }
        // The new name is to be on the disk too.
        let descriptor = open(folder.path, O_RDONLY)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}
