// A migration of several steps that counts as one: on a copy, which replaces the store after the last step. Called by
// staged migrations for stages with handlers of the program.
import Foundation
import GraphArchives
import GraphSQLite

extension StoreMigrator {
    /// Puts a changed copy in the store's place, while it is not open elsewhere.
    ///
    /// The copy is a store beside this one, with files of large values that are links to the same data.
    ///
    /// - Parameters:
    ///   - hashes: The version hashes that the store has to have; nothing is done if it has others by now, or, for nil,
    ///     those of the model that it is to have.
    ///   - body: Changes the copy.
    /// - Throws: The errors of `body`; the store is then unchanged.
    package func withCopy(of hashes: [String: Data]? = nil, _ body: (URL) throws -> Void) throws {
        if let database {
            let expectedHashes = try hashes ?? metadata().versionHashes
            return try CoreDataError.mapping(url) {
                try database.replace(at: url, of: expectedHashes, isCopy: true, body)
            }
        }
        try withExclusiveStore(of: hashes) { connection, metadata in
            // The lock stays with the connection; a file that is being written could not be copied.
            try connection.rollback()
            let folder = try FilePlacement.makeFolder(for: .migration, of: url.path, isLocked: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let copy = folder.appending(path: url.lastPathComponent)
            try StoreFile.copy(connection, to: copy.path, replaces: false)
            try ExternalFiles.copyFolder(from: url, to: copy, linksFiles: true)
            try body(copy)
            try finish(copy, uuid: metadata.uuid)
            try replace(with: copy, connection)
        }
    }
}
