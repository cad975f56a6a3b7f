// Writes whole files atomically. Called by stores that are one file, and by commands that write into folders of users.
// FolderReplacement does the same for a folder.
import Foundation

/// Atomic replacement of a file.
package enum FileReplacement {
    /// Writes or replaces a file: readers see the old content or the new content, even after a crash or a power
    /// failure.
    ///
    /// Follows a link, and keeps the permissions of an existing file.
    ///
    /// - Parameters:
    ///   - data: The new content.
    ///   - path: The file's path; its folder is created.
    ///   - permissions: Those of a new file, and the most that an existing one keeps.
    /// - Returns: The stamp of the new file.
    /// - Throws: `CocoaError`s of the file system; the old file is then unchanged.
    @discardableResult
    package static func write(
        _ data: Data,
        to path: String,
        _ permissions: FilePermissions = .usual
    ) throws -> FileStamp {
        let target = URL(filePath: path).resolvingSymlinksInPath()
        let folder = target.deletingLastPathComponent()
        try FilePlacement.makeFolder(folder.path)
        var old = stat()
        let isThere = stat(target.path, &old) == 0
        guard !isThere || access(target.path, W_OK) == 0 else {
            throw CocoaError(system: errno, path: target.path)
        }
        let draft = try FileDraft(of: target.path, permissions)
        try data.withUnsafeBytes { try draft.write($0) }
        return try draft.place(permissions: isThere ? permissions.limiting(old.st_mode & 0o7777) : nil)
    }
}
