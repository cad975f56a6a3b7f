// Which file a path leads to, whatever its name. Compared by file stamps, and by stores before they open a file a second time.
import Foundation

/// A file, under whatever name.
package struct FileIdentity: Hashable, Sendable {
    private let device: UInt64
    private let number: UInt64

    /// The file at a path; nil where there is none.
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
