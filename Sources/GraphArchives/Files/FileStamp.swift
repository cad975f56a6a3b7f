// The identity of a file's content, so that changes by other programs are noticed. Compared by stores that are one
// file, before they replace it.
import Foundation

/// What tells a file from what it was before.
package struct FileStamp: Hashable, Sendable {
    private let identity: FileIdentity
    private let size: Int64
    private let seconds: Int
    private let nanoseconds: Int

    /// The stamp of the file at a path; nil where there is none.
    package init?(path: String) {
        var found = stat()
        guard stat(path, &found) == 0 else { return nil }
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
