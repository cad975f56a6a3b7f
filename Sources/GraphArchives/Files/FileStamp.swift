// The identity of a file's content, to detect changes by other programs. Stores that are one file compare it before
// they replace the file.
import Foundation

/// Distinguishes versions of a file.
package struct FileStamp: Hashable, Sendable {
    private let identity: FileIdentity
    private let size: Int64
    private let seconds: Int
    private let nanoseconds: Int

    /// The stamp of the file at a path; nil if there is none.
    ///
    /// - Throws: `CocoaError` if the file system reports another error, so that an existing file is not taken for a
    ///   missing one.
    package init?(path: String) throws(CocoaError) {
        var found = stat()
        guard stat(path, &found) == 0 else {
            guard errno == ENOENT || errno == ENOTDIR else { throw CocoaError(reading: errno, path: path) }
            return nil
        }
        self.init(found)
    }

    init(_ found: stat) {
        identity = FileIdentity(found)
        size = Int64(found.st_size)
        #if canImport(Darwin)
            let time = found.st_mtimespec
        #else
            let time = found.st_mtim
        #endif
        seconds = time.tv_sec
        nanoseconds = time.tv_nsec
    }
}
