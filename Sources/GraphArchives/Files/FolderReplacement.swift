// Folders of files that are written as a whole, such as models with their versions: readers see the old folder or the
// new. Called by ModelOutput. FileReplacement does the same for one file.
import Foundation

/// Replacing a folder in one step.
package enum FolderReplacement {
    /// Writes a folder, or replaces what is there: nothing half written is seen, also after a kill or a power cut.
    ///
    /// A link is followed. What the old folder held besides is gone.
    ///
    /// - Parameters:
    ///   - files: What the folder is to hold, by paths below it.
    ///   - path: Where the folder is to be; the folder above is made.
    /// - Throws: `CocoaError`s of the file system; the old folder is then as it was.
    package static func write(_ files: [String: Data], to path: String) throws {
        let target = URL(filePath: path).resolvingSymlinksInPath()
        let parent = target.deletingLastPathComponent()
        try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
        let draft = URL(filePath: FilePlacement.draftPath(of: target.path))
        do {
            try FileManager.default.createDirectory(at: draft, withIntermediateDirectories: false)
            for (path, data) in files.sorted(by: { $0.key < $1.key }) {
                let file = draft.appending(path: path)
                let folder = file.deletingLastPathComponent()
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                try data.write(to: file)
                try FilePlacement.synchronize(file.path)
                FilePlacement.synchronizeFolder(of: file.path)
            }
            try put(draft, inPlaceOf: target)
        } catch {
            try? FileManager.default.removeItem(at: draft)
            throw error
        }
    }

    private static func put(_ draft: URL, inPlaceOf target: URL) throws {
        guard FileManager.default.fileExists(atPath: target.path) else {
            return try FilePlacement.move(draft.path, to: target.path)
        }
        if FilePlacement.exchange(draft.path, target.path) {
            FilePlacement.synchronizeFolder(of: target.path)
            // The draft's name now leads to the old folder. Where it cannot be removed the new one is in its place all the same.
            try? FileManager.default.removeItem(at: draft)
            return
        }
        // Without such a call there is a moment at which only the hidden copy of the old folder is there.
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
