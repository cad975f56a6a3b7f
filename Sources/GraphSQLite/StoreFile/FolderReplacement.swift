// Folders of files that are written as a whole, such as models with their versions: whoever looks sees the old folder or the new.
// Called by ModelOutput. FileReplacement does the same for one file.
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
        let draft = parent.appending(path: ".\(target.lastPathComponent)-\(UUID().uuidString).new")
        do {
            try FileManager.default.createDirectory(at: draft, withIntermediateDirectories: false)
            for (path, data) in files.sorted(by: { $0.key < $1.key }) {
                let file = draft.appending(path: path)
                let folder = file.deletingLastPathComponent()
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                try data.write(to: file)
                let handle = try FileHandle(forUpdating: file)
                defer { try? handle.close() }
                try handle.synchronize()
                StoreFile.syncFolder(of: file.path)
            }
            try put(draft, inPlaceOf: target)
        } catch {
            try? FileManager.default.removeItem(at: draft)
            throw error
        }
        StoreFile.syncFolder(of: target.path)
    }

    private static func put(_ draft: URL, inPlaceOf target: URL) throws {
        guard FileManager.default.fileExists(atPath: target.path) else {
            try rename(draft, to: target)
            return
        }
        if exchange(draft, target) {
            // The draft's name now leads to the old folder. Where it cannot be removed the new one is in its place all the same.
            try? FileManager.default.removeItem(at: draft)
            return
        }
        // Without such a call there is a moment at which only the hidden copy of the old folder is there.
        let old = draft.appendingPathExtension("old")
        try rename(target, to: old)
        do {
            try rename(draft, to: target)
        } catch {
            try? rename(old, to: target)
            throw error
        }
        try? FileManager.default.removeItem(at: old)
    }

    private static func rename(_ source: URL, to target: URL) throws {
        guard Foundation.rename(source.path, target.path) == 0 else {
            throw CocoaError(
                .fileWriteUnknown,
                userInfo: [
                    NSFilePathErrorKey: target.path, NSDebugDescriptionErrorKey: String(cString: strerror(errno)),
                ]
            )
        }
    }

    /// Gives two files each other's names in one step; false where the system cannot.
    private static func exchange(_ one: URL, _ other: URL) -> Bool {
        #if canImport(Darwin)
            return renamex_np(one.path, other.path, UInt32(RENAME_SWAP)) == 0
        #elseif os(Linux)
            // Declared for GNU programs only, and not by all C libraries.
            typealias Exchange =
                @convention(c) (Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>, UInt32) -> Int32
            guard let symbol = dlsym(nil, "renameat2") else { return false }
            let exchange = unsafeBitCast(symbol, to: Exchange.self)
            return exchange(AT_FDCWD, one.path, AT_FDCWD, other.path, 2) == 0
        #else
            return false
        #endif
    }
}
