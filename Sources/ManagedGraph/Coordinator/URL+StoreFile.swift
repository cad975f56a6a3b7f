// The file at a store's location, examined without opening the store. A file that cannot be examined is an error, so
// that it is never taken for a missing one.
import Foundation
import GraphArchives

extension URL {
    /// Whether there is a file; throws if the file system reports another error.
    package func fileIsThere() throws -> Bool {
        try reportingUnreadable { path throws(CocoaError) in try FilePlacement.isThere(path) }
    }

    /// The stamp of the file; nil if there is none.
    ///
    /// Throws if the file system reports another error.
    package func fileStamp() throws -> FileStamp? {
        try reportingUnreadable { path throws(CocoaError) in try FileStamp(path: path) }
    }

    private func reportingUnreadable<R>(_ look: (String) throws(CocoaError) -> R) throws -> R {
        do {
            return try look(path)
        } catch {
            throw CoreDataError.cannotOpen(
                self,
                reason: "the file cannot be examined: \(error.systemReason)",
                remedy: "Check the disk and the permissions of \(deletingLastPathComponent().path), and try again.",
                code: error.code.rawValue,
                underlying: error
            )
        }
    }

    /// Creates the store's parent folder.
    func makeFolderOfStore() throws {
        do {
            try FilePlacement.makeFolder(deletingLastPathComponent().path)
        } catch {
            throw CoreDataError.noFolder(self, error)
        }
    }
}
