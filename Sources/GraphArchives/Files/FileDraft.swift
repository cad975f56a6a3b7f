// A file on its way to its place: written beside it, and put there in one step. Made by FileReplacement, and by the
// commands that write long files piece by piece.
import Foundation

/// A file that is complete at its place, or not there at all.
package final class FileDraft {
    private let target: String
    private let path: String
    private var descriptor: Int32

    /// Begins a file; nothing is at its place before `place(permissions:)`.
    ///
    /// - Parameter target: The file's place. Its folder must be there, and a link is replaced.
    /// - Throws: `CocoaError`.
    package init(of target: String) throws(CocoaError) {
        self.target = target
        path = FilePlacement.draftPath(of: target)
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL, 0o666)
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

    /// Puts the file at its place, with permissions where some are given.
    ///
    /// - Throws: `CocoaError`; the place is then as it was, and the draft is gone with this object.
    package func place(permissions: mode_t? = nil) throws(CocoaError) {
        if let permissions { fchmod(descriptor, permissions) }
        guard fsync(descriptor) == 0 else { throw CocoaError(system: errno, path: target) }
        try FilePlacement.move(path, to: target)
        close(descriptor)
        descriptor = -1
    }
}
