// Putting a finished file at its place in one step. Called by StoreFile.create.
import Foundation

/// Puts a file at a path where none may be, and makes the folder's entry durable.
///
/// - Throws: `StoreFileError`; the draft is then where it was.
func installFile(_ draft: String, at path: String) throws {
    if link(draft, path) != 0 {
        let code = errno
        guard code != EEXIST, access(path, F_OK) != 0 else {
            throw StoreFileError(kind: .exists, path: path, reason: "A file is there already; it was not changed.")
        }
        // Some file systems have no hard links; renaming is the next best.
        guard rename(draft, path) == 0 else {
            throw StoreFileError(
                kind: .metadata,
                path: path,
                reason: "The store cannot be put there: \(String(cString: strerror(code)))."
            )
        }
    }
    StoreFile.syncFolder(of: path)
}
