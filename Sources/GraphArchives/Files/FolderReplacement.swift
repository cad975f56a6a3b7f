// Writes whole folders of files atomically, such as models with their versions: readers see the old folder or the new
// one. Called by ModelOutput. FileReplacement does the same for one file.
import Foundation

/// Atomic replacement of a folder.
package enum FolderReplacement {
    /// Writes or replaces a folder: readers never see a partial folder, even after a crash or a power failure.
    ///
    /// Follows a link. Other files of the old folder are removed.
    ///
    /// - Parameters:
    ///   - files: The content of the files, by paths relative to the folder.
    ///   - path: The folder's path; its parent folder is created.
    /// - Throws: `CocoaError`s of the file system; the old folder is then unchanged.
    package static func write(_ files: [String: Data], to path: String) throws {
        let target = URL(filePath: path).resolvingSymlinksInPath()
        let parent = target.deletingLastPathComponent()
        try FilePlacement.makeFolder(parent.path)
        FilePlacement.removeAbandonedDrafts(of: target.path)
        let draft = URL(filePath: FilePlacement.draftPath(of: target.path))
        do {
            try FileManager.default.createDirectory(at: draft, withIntermediateDirectories: false)
            for (path, data) in files.sorted(by: { $0.key < $1.key }) {
                let file = draft.appending(path: path)
                let folder = file.deletingLastPathComponent()
                try FilePlacement.makeFolder(folder.path)
                try data.write(to: file)
                try FilePlacement.synchronize(file.path)
                try FilePlacement.synchronizeFolder(of: file.path)
            }
            try put(draft, inPlaceOf: target)
        } catch {
            try? FileManager.default.removeItem(at: draft)
            throw error
        }
    }

    private static func put(_ draft: URL, inPlaceOf target: URL) throws {
        guard try FilePlacement.isThere(target.path) else {
            return try FilePlacement.move(draft.path, to: target.path)
        }
        if try FilePlacement.exchangeDurably(draft.path, target.path) {
            // The draft's name now refers to the old folder. Failing to remove it does not affect the new folder.
            try? FileManager.default.removeItem(at: draft)
            return
        }
        // Without an atomic exchange, only the hidden copy of the old folder exists for a moment.
        let old = draft.appendingPathExtension("old")
        try FilePlacement.move(target.path, to: old.path)
        do {
            try FilePlacement.move(draft.path, to: target.path)
        } catch {
            try? FilePlacement.move(old.path, to: target.path)
            throw error
        }
        try? FileManager.default.removeItem(at: old)
    }
}
