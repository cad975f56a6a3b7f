// A SQLite file that several processes write, with the checks after kills: everything that was acknowledged is there, and
// nothing by half.
import Foundation
import GraphSQLite
import ManagedGraph
import ManagedGraphTools
import SharedStoreSupport
import Testing

/// A shared store in a file of a temporary folder.
final class SharedFile {
    let folder: URL
    var url: URL { folder.appending(path: "Shared.sqlite") }

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "shared-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let store = try SharedStore(url.path)
        try store.fill()
        try store.close()
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func startWriter(_ writer: Int, from first: Int, seed: Int) throws -> SharedStoreProcess {
        try SharedStoreProcess(["write", url.path, "\(writer)", "\(first)", "\(seed)"])
    }

    /// Reads the tables in one snapshot, beside the writers.
    func content() throws -> SharedContent {
        let connection = try Connection(path: url.path, mode: .readOnly)
        defer { connection.close() }
        return try connection.transaction(.deferred) { () throws in try SharedContent(connection) }
    }

    /// The problems of the file's pages, rows and relationships.
    func problems() -> [String] { StoreChecker().check(url, with: SharedStore.model).problems.map { "\($0)" } }
}
