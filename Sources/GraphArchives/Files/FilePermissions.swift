// The permissions of a store's files: the usual ones, or the owner's alone. Chosen by a store's options, applied when
// files are created, and to files that are there.
import Foundation

/// The permissions of files and folders.
package enum FilePermissions: Sendable {
    /// As the process's mask (`umask`) leaves them.
    case usual
    /// Only the owner may read and write.
    case ownerOnly

    /// The mode of a new file.
    var fileMode: mode_t { self == .usual ? 0o666 : 0o600 }

    /// The permissions of a file that replaces one with these.
    func limiting(_ mode: mode_t) -> mode_t { mode & (self == .usual ? 0o7777 : 0o700) }

    /// Creates the empty file of a database, with SQLite's mode if the permissions are the usual ones.
    ///
    /// - Throws: `CocoaError` if a file is there, or none can be made.
    package func create(_ path: String) throws(CocoaError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL, fileMode & 0o644)
        guard descriptor >= 0 else { throw CocoaError(system: errno, path: path) }
        close(descriptor)
    }

    /// Takes the permissions of others from a file or folder that is there; does nothing for the usual ones.
    ///
    /// - Throws: `CocoaError` if it belongs to another user.
    package func apply(to path: String) throws(CocoaError) {
        guard self == .ownerOnly else { return }
        var status = stat()
        guard stat(path, &status) == 0 else {
            guard errno == ENOENT else { throw CocoaError(system: errno, path: path) }
            return
        }
        guard status.st_mode & 0o077 != 0 else { return }
        guard chmod(path, status.st_mode & 0o700) == 0 else { throw CocoaError(system: errno, path: path) }
    }
}
