// Files that are written as a whole. Called by stores that are one file, and by commands that write into folders of
// users. FolderReplacement does the same for a folder.
import Foundation

/// Replacing a file in one step.
package enum FileReplacement {
    /// Writes a file, or replaces the one that is there: readers see the old content or the new, also after a kill or a
    /// power cut.
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
        let draft = try FileDraft(of: target.path)
        try data.withUnsafeBytes { try draft.write($0) }
        try draft.place(permissions: isThere ? old.st_mode & 0o7777 : nil)
    }
}
