// Folders in the temporary folder that hold copies of stores, which other users must not be able to read. Each is
// registered here so that a terminating program can remove them all.
import Foundation
import Synchronization

/// The temporary copies created by this process and not removed yet.
package enum ScratchFolders {
    private static let paths = Mutex<Set<String>>([])

    /// Creates a folder that only this user may read.
    ///
    /// - Parameter name: The beginning of its name.
    /// - Returns: Its path.
    /// - Throws: Errors of the file system.
    package static func make(_ name: String) throws -> String {
        let path = (NSTemporaryDirectory() as NSString).appendingPathComponent(name + UUID().uuidString)
        paths.withLock { _ = $0.insert(path) }
        do {
            try FileManager.default.createDirectory(
                atPath: path,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            paths.withLock { _ = $0.remove(path) }
            throw error
        }
        return path
    }

    /// Removes a folder and its contents; does nothing if it no longer exists.
    package static func remove(_ path: String) {
        try? FileManager.default.removeItem(atPath: path)
        paths.withLock { _ = $0.remove(path) }
    }

    /// Removes all folders; called by a program that ends without unwinding.
    package static func removeAll() {
        for path in paths.withLock({ $0 }) { remove(path) }
    }
}
