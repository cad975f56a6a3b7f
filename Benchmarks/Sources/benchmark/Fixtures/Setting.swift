// The environment of an entrant's preparation: a size, files and open databases. Runner creates one for each round and
// subject, and closes it after the round.
import Foundation
import GRDB

/// The environment of one round of one subject.
final class Setting {
    let rows: Int
    private let fixtures: Fixtures
    private var files: [URL] = []
    private var open: [() throws -> Void] = []

    init(rows: Int, fixtures: Fixtures) {
        self.rows = rows
        self.fixtures = fixtures
    }

    /// The rows of the entry table.
    var entries: [InputRow] { fixtures.entries(rows) }

    /// The file that the C API and GRDB read; it must not be changed.
    func plain(_ dataset: Dataset, rows: Int? = nil) throws -> URL {
        try fixtures.file(dataset, rows ?? self.rows, isManaged: false)
    }

    /// The file that ManagedGraph reads; it must not be changed.
    func managed(_ dataset: Dataset, rows: Int? = nil) throws -> URL {
        try fixtures.file(dataset, rows ?? self.rows, isManaged: true)
    }

    /// A copy of a file for this round.
    func copy(_ file: URL) throws -> URL {
        let copy = newFile()
        try FileManager.default.copyItem(at: file, to: copy)
        // Flush the copy now, so that its write-back is not part of the timed work.
        sync()
        return copy
    }

    /// A path for this round; the file is removed after it.
    func newFile() -> URL {
        let file = fixtures.scratchFile()
        files.append(file)
        return file
    }

    /// Opens a file with the C API.
    func c(_ file: URL, _ dataset: Dataset, synchronous: String = "FULL") throws -> CDatabase {
        let database = try CDatabase(file, synchronous: synchronous)
        try database.execute(dataset.schema)
        open.append { withExtendedLifetime(database) {} }
        return database
    }

    /// Opens a file with GRDB.
    func grdb(_ file: URL, _ dataset: Dataset, synchronous: String = "FULL") throws -> DatabaseQueue {
        let queue = try GRDBFile.open(file, dataset, synchronous: synchronous) { try DatabaseQueue(path: $0) }
        open.append { try queue.close() }
        return queue
    }

    /// Opens a file with ManagedGraph.
    func store(_ file: URL, synchronous: String = "FULL", keepsHistory: Bool = false) throws -> ManagedStore {
        let store = try ManagedStore(file, synchronous: synchronous, keepsHistory: keepsHistory)
        open.append { try store.close() }
        return store
    }

    /// Closes the open databases and removes the files of this round.
    func close() throws {
        while let last = open.popLast() { try last() }
        for file in files { try Fixtures.remove(file) }
        files = []
    }
}
