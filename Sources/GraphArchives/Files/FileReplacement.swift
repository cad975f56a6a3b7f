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
        let prepared = try prepare(data, path, permissions)
        return try prepared.draft.place(permissions: prepared.permissions)
    }

    /// Writes or replaces a file as `write(_:to:_:)` does, if the file there is one that may be replaced.
    ///
    /// Callers of this method exclude each other, also those in other processes: none replaces the file between the
    /// look at it and its replacement.
    ///
    /// - Parameters:
    ///   - data: The new content.
    ///   - path: The file's path; its folder is created.
    ///   - permissions: Those of a new file, and the most that an existing one keeps.
    ///   - mayReplace: Whether the file with a stamp may be replaced; the stamp is nil if there is none.
    /// - Returns: The stamp of the new file; nil if the present one was left as it is.
    /// - Throws: `CocoaError`s of the file system; the old file is then unchanged.
    package static func write(
        _ data: Data,
        to path: String,
        _ permissions: FilePermissions,
        if mayReplace: (FileStamp?) -> Bool
    ) throws -> FileStamp? {
        let prepared = try prepare(data, path, permissions)
        return try FilePlacement.locking(prepared.folder) { () throws -> FileStamp? in
            guard mayReplace(try FileStamp(path: prepared.target)) else { return nil }
            return try prepared.draft.place(permissions: prepared.permissions)
        }
    }

    private struct Prepared {
        let draft: FileDraft
        let target: String
        let folder: String
        /// Those of the file that is there.
        let permissions: mode_t?
    }

    /// Writes the content to a draft.
    private static func prepare(_ data: Data, _ path: String, _ permissions: FilePermissions) throws -> Prepared {
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
        return Prepared(
            draft: draft,
            target: target.path,
            folder: folder.path,
            permissions: isThere ? permissions.limiting(old.st_mode & 0o7777) : nil
        )
    }
}
