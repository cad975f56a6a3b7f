// A file that is written to a temporary name and moved to its path atomically. Created by FileReplacement, and by the
// commands that write long files in pieces.
import Foundation

/// A file that exists at its path only when it is complete.
package final class FileDraft {
    private let target: String
    private let path: String
    private var descriptor: Int32

    /// Begins a file; its path does not change before `place(permissions:)`.
    ///
    /// - Parameters:
    ///   - target: The file's path. Its folder must exist, and a link is replaced.
    ///   - permissions: Those of the file while it is written, and afterwards.
    /// - Throws: `CocoaError`.
    package init(of target: String, _ permissions: FilePermissions = .usual) throws(CocoaError) {
        self.target = target
        FilePlacement.removeAbandonedDrafts(of: target)
        path = FilePlacement.draftPath(of: target)
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL, permissions.fileMode)
        guard descriptor >= 0 else { throw CocoaError(system: errno, path: target) }
    }

    deinit {
        guard descriptor >= 0 else { return }
        close(descriptor)
        unlink(path)
    }

    /// Appends bytes.
    package func write(_ bytes: UnsafeRawBufferPointer) throws(CocoaError) {
        var start = 0
        while start < bytes.count {
            let count = Foundation.write(descriptor, bytes.baseAddress?.advanced(by: start), bytes.count - start)
            if count >= 0 { start += count } else if errno != EINTR { throw CocoaError(system: errno, path: target) }
        }
    }

    /// Moves the file to its path, with the permissions if there are any.
    ///
    /// - Parameter permissions: Those of the file; nil for those of the draft.
    /// - Returns: The file's stamp.
    /// - Throws: `CocoaError`; the path is then unchanged, and deinitializing this object removes the draft.
    @discardableResult
    package func place(permissions: mode_t? = nil) throws(CocoaError) -> FileStamp {
        if let permissions { fchmod(descriptor, permissions) }
        var status = stat()
        guard fsync(descriptor) == 0, fstat(descriptor, &status) == 0 else {
            throw CocoaError(system: errno, path: target)
        }
        try FilePlacement.move(path, to: target)
        close(descriptor)
        descriptor = -1
        return FileStamp(status)
    }
}
