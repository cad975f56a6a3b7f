// The identity of a file, independent of its path. Compared by file stamps, and by stores that may reopen a file.
import Foundation

/// The identity of a file under any name.
package struct FileIdentity: Hashable, Sendable {
    private let device: UInt64
    private let number: UInt64

    /// The identity of the file at a path; nil if there is none.
    package init?(_ path: String) {
        var found = stat()
        guard stat(path, &found) == 0 else { return nil }
        self.init(found)
    }

    init(_ found: stat) {
        device = UInt64(found.st_dev)
        number = UInt64(found.st_ino)
    }
}
