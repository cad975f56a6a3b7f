// The identity of a file's content, to detect changes by other programs. Stores that are one file compare it before
// they replace the file; browsers of stores look at it repeatedly.
import Foundation

/// Distinguishes versions of a file.
package struct FileStamp: Hashable, Sendable {
    private let identity: FileIdentity
    /// The number of bytes.
    package let size: Int64
    private let seconds: Int
    private let nanoseconds: Int

    /// The stamp of the file at a path; nil if there is none.
    ///
    /// - Throws: `CocoaError` if the file system reports another error, so that an existing file is not taken for a
    ///   missing one.
    package init?(path: String) throws(CocoaError) {
        var status = stat()
        guard stat(path, &status) == 0 else {
            guard errno == ENOENT || errno == ENOTDIR else { throw CocoaError(reading: errno, path: path) }
            return nil
        }
        self.init(status)
    }

    /// The size and the time of the last change, as a text that changes with them.
    package var text: String { "\(size).\(seconds).\(nanoseconds)" }

    init(_ status: stat) {
        identity = FileIdentity(status)
        size = Int64(status.st_size)
        #if canImport(Darwin)
            let time = status.st_mtimespec
        #else
            let time = status.st_mtim
        #endif
        seconds = time.tv_sec
        nanoseconds = time.tv_nsec
    }
}
