// A SQLite file that several processes write, with the checks after kills: everything that was acknowledged is there, and
// nothing by half.
import Foundation
import GraphSQL
import GraphSQLite
import ManagedGraph
import ManagedGraphTools
import SharedStoreSupport
import Testing

/// A shared store in a file of a temporary folder.
final class SharedFile: KilledStore {
    let folder: URL
    var url: URL { folder.appending(path: "Shared.sqlite") }

    init(counters: Int = 0, registers: Int = 0) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "shared-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let store = try SharedStore(url.path)
        try store.fill(counters: counters, registers: registers)
        try store.close()
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    var address: String { url.path }

    func settle() {}

    func check(_ writer: Int) throws -> (last: Int, violations: [String]) {
        let content = try content()
        return (content.lastStep(of: writer), content.violations())
    }

    func authors() throws -> [String] { try content().authors }

    /// Reads the tables in one snapshot, beside the writers.
    private func content() throws -> SharedContent {
        let connection = try Connection(path: url.path, mode: .readOnly)
        defer { connection.close() }
        return try connection.transaction(.deferred) { () throws in try SharedContent(connection) }
    }

    /// The rows of a statement, read beside the writers.
    func rows(_ sql: String) throws -> [[SQLValue]] {
        let connection = try Connection(path: url.path, mode: .readOnly)
        defer { connection.close() }
        return try connection.rows(sql)
    }

    /// The problems of the file's pages, rows and relationships.
    func problems() -> [String] { StoreChecker().check(url, with: SharedStore.model).problems.map { "\($0)" } }
}
