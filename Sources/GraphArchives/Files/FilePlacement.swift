// Moves a finished file or folder to its path, and makes the change durable. Called by FileDraft and FolderReplacement,
// and for stores by StoreFile.
import Foundation

/// The steps of moving finished files to their paths.
package enum FilePlacement {
    /// The most bytes of a target's name in its draft's name: file systems allow 255, and SQLite adds an ending to it.
    private static let nameLimit = 200

    /// A name for a draft next to a file, on the same volume.
    ///
    /// - Parameters:
    ///   - target: The path of the file.
    ///   - ending: The name's ending, one of those that leftovers have.
    ///   - isHidden: Whether the name begins with a period.
    /// - Returns: The path of the draft.
    package static func draftPath(of target: String, ending: String = ".new", isHidden: Bool = true) -> String {
        let url = URL(filePath: target)
        let name = "\(isHidden ? "." : "")\(draftStem(of: url.lastPathComponent))-\(UUID().uuidString)\(ending)"
        return url.deletingLastPathComponent().appending(path: name).path
    }

    /// The part of a target's name that is in its drafts' names.
    static func draftStem(of name: String) -> String {
        if name.utf8.count <= nameLimit { return name }
        var (stem, bytes) = ("", 0)
        for character in name {
            bytes += character.utf8.count
            if bytes > nameLimit { break }
            stem.append(character)
        }
        return stem
    }

    /// Moves a file or folder to its path, replaces an existing file, and makes the name durable.
    ///
    /// The replaced file is kept under the draft's name until the new one is durable.
    ///
    /// - Throws: `CocoaError`; both files are then as before. On a file system that cannot exchange two names, a
    ///   replaced file stays replaced if the folder cannot be synchronized.
    package static func move(_ draft: String, to target: String) throws(CocoaError) {
        var existing = stat()
        let isThere = lstat(target, &existing) == 0
        if isThere, existing.st_mode & S_IFMT == S_IFREG, try exchangeDurably(draft, target) {
            // A file that cannot be removed is an abandoned draft.
            unlink(draft)
            return
        }
        guard rename(draft, target) == 0 else { throw CocoaError(system: errno, path: target) }
        try synchronizeFolder(of: target) { if !isThere { rename(target, draft) } }
    }

    /// Whether there is a file or a folder at a path.
    ///
    /// - Throws: `CocoaError` if the file system reports another error, so that an existing file is not taken for a
    ///   missing one.
    package static func isThere(_ path: String) throws(CocoaError) -> Bool { try isFolder(path) != nil }

    /// Whether a path is that of a folder; nil if there is nothing.
    ///
    /// - Throws: `CocoaError` if the file system reports another error.
    package static func isFolder(_ path: String) throws(CocoaError) -> Bool? {
        var status = stat()
        if stat(path, &status) == 0 { return status.st_mode & S_IFMT == S_IFDIR }
        guard errno != ENOENT, errno != ENOTDIR else { return nil }
        throw CocoaError(reading: errno, path: path)
    }

    /// Gives a file a path that must not exist, and makes the name durable.
    ///
    /// The draft's name may remain as a second name of the file; the caller removes it.
    ///
    /// - Throws: `CocoaError`, `fileWriteFileExists` if a file exists; the draft then keeps its name.
    package static func install(_ draft: String, at target: String) throws(CocoaError) {
        if link(draft, target) != 0 {
            let code = errno
            guard code != EEXIST, access(target, F_OK) != 0 else { throw CocoaError(system: EEXIST, path: target) }
            // Some file systems have no hard links.
            try renameUnlessThere(draft, to: target, code)
            return try synchronizeFolder(of: target) { rename(target, draft) }
        }
        try synchronizeFolder(of: target) { unlink(target) }
    }

    /// Renames a draft if nothing has the target's name.
    ///
    /// If the system has no such call, the rename replaces a file that another process creates meanwhile.
    ///
    /// - Throws: `CocoaError`; `code` is that of the attempt before, for a rename that fails too.
    private static func renameUnlessThere(_ draft: String, to target: String, _ code: Int32) throws(CocoaError) {
        let exclusive = renameIf(.missing, draft, target)
        if exclusive == 0 { return }
        if exclusive == EEXIST { throw CocoaError(system: EEXIST, path: target) }
        guard rename(draft, target) == 0 else { throw CocoaError(system: code, path: target) }
    }

    /// Exchanges the names of a draft and of the file or folder that it replaces, and makes the names durable; returns
    /// false if the system does not support it.
    ///
    /// - Throws: `CocoaError`; the names are then as before.
    static func exchangeDurably(_ draft: String, _ target: String) throws(CocoaError) -> Bool {
        guard exchange(draft, target) else { return false }
        try synchronizeFolder(of: target) { _ = exchange(draft, target) }
        return true
    }

    /// Exchanges the names of two files atomically; returns false if the system does not support it.
    private static func exchange(_ first: String, _ second: String) -> Bool {
        renameIf(.exchanged, first, second) == 0
    }

    /// The form of a rename that the C library does not have everywhere.
    private enum RenameForm {
        /// Only if nothing has the new name.
        case missing
        /// The file that has the new name gets the former one.
        case exchanged
    }

    /// Renames a file atomically; returns the code of the error, and 0 for success.
    private static func renameIf(_ form: RenameForm, _ first: String, _ second: String) -> Int32 {
        #if canImport(Darwin)
            let flags = UInt32(form == .missing ? RENAME_EXCL : RENAME_SWAP)
            return renamex_np(first, second, flags) == 0 ? 0 : errno
        #elseif os(Linux)
            // Declared for GNU programs only, and not in all C libraries.
            typealias Rename =
                @convention(c) (Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>, UInt32) -> Int32
            guard let symbol = dlsym(nil, "renameat2") else { return ENOSYS }
            let rename = unsafeBitCast(symbol, to: Rename.self)
            return rename(AT_FDCWD, first, AT_FDCWD, second, form == .missing ? 1 : 2) == 0 ? 0 : errno
        #else
            return ENOSYS
        #endif
    }

    /// Creates a folder and its missing parents, and makes their names durable.
    ///
    /// Without synchronizing the parent, a power failure can remove a folder with files that were synchronized.
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
        for folder in missing.reversed() {
            // Removed, so that the next attempt creates them again: it synchronizes only folders that it creates.
            try synchronizeFolder(of: folder) { for createdFolder in missing { rmdir(createdFolder) } }
        }
    }

    /// Performs work while no other caller of this method, also in other processes, works in the same folder.
    ///
    /// Performs it without a lock if the folder cannot be opened: the work itself then reports why.
    ///
    /// - Parameters:
    ///   - folder: The folder's path; empty for the current one.
    ///   - work: The work, such as a look at a file and its replacement.
    /// - Returns: The result of the work.
    /// - Throws: The work's errors.
    package static func locking<Result, Failure: Error>(
        _ folder: String,
        _ work: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let descriptor = open(folder.isEmpty ? "." : folder, O_RDONLY | O_CLOEXEC)
        defer { if descriptor >= 0 { close(descriptor) } }
        // After a signal, flock has failed with EINTR: retry.
        while descriptor >= 0, flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
        return try work()
    }

    /// Calls fsync on a file, or on a folder to make its names durable.
    package static func synchronize(_ path: String) throws(CocoaError) {
        let descriptor = open(path, O_RDONLY)
        guard descriptor >= 0 else { throw CocoaError(system: errno, path: path) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw CocoaError(system: errno, path: path) }
    }

    /// Calls fsync on the folder of a path, so that the names in it are durable.
    ///
    /// Does nothing for a folder that may not be listed, and on file systems that do not support it.
    ///
    /// - Parameters:
    ///   - path: The path of a file or folder.
    ///   - undo: Takes the change of names back; called before an error is thrown.
    /// - Throws: `CocoaError` if the disk fails.
    package static func synchronizeFolder(of path: String, orElse undo: () -> Void = {}) throws(CocoaError) {
        let parent = (path as NSString).deletingLastPathComponent
        let descriptor = open(parent.isEmpty ? "." : parent, O_RDONLY)
        var code = descriptor < 0 ? errno : 0
        if descriptor >= 0 {
            if fsync(descriptor) != 0 { code = errno }
            close(descriptor)
        }
        guard code != 0, ![EACCES, EINVAL, ENOTSUP, EBADF].contains(code) else { return }
        undo()
        throw CocoaError(system: code, path: path)
    }
}
