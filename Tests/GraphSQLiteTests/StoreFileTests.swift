import ExpectationSupport
import Foundation
import GraphEngine
import GraphModel
import GraphSQL
import GraphSQLite
import TestSupport
import Testing

struct StoreFileTests {
    private let folder: TemporaryFolder
    private let path: String
    private let schema: StoreSchema

    init() throws {
        folder = try TemporaryFolder()
        path = folder.file("Tasks.sqlite")
        let text = Attribute(common: PropertyCommon(name: "text"), type: .string)
        schema = StoreSchema(
            model: Model(entities: [
                Entity(name: "Task", properties: [.attribute(text)]),
                Entity(name: "HighTask", superentityName: "Task"),
            ])
        )
    }

    private var newMetadata: StoreMetadata {
        StoreMetadata(
            uuid: "6F99DCEB-E351-44B4-A9EE-E419C7F1A040",
            versionHashes: ["Task": Data(repeating: 1, count: 32), "HighTask": Data(repeating: 2, count: 32)],
            versionHashesDigest: "digest",
            versionChecksum: "checksum",
            versionIdentifiers: ["1"]
        )
    }

    private func createStore() throws { try StoreFile.create(at: path, schema: schema, metadata: newMetadata) }

    /// Inspects the file, and checks that no byte and no file has changed.
    private func inspect() throws -> StoreFileState {
        let before = try folder.contents()
        let state = StoreFile.inspect(path)
        try expectEqual(folder.contents(), before)
        return state
    }

    @Test("A new store has Apple's settings, tables, keys and metadata, and is one file")
    func creation() throws {
        #expect(isMissing(try inspect()))
        try createStore()
        try expectEqual(folder.contents().keys.sorted(), ["Tasks.sqlite"])
        guard case .store(let metadata) = try inspect() else {
            Issue.record("no store")
            return
        }
        expectEqual(metadata.uuid, "6F99DCEB-E351-44B4-A9EE-E419C7F1A040")
        expectEqual(metadata.versionHashes.keys.sorted(), ["HighTask", "Task"])
        expectEqual(metadata.values["NSStoreModelVersionHashesVersion"] as? Int, 3)
        expectEqual(metadata.values["_NSAutoVacuumLevel"] as? String, "2")
        expectEqual(metadata.values["NSStoreType"] as? String, "SQLite")
        let connection = try StoreFile.open(at: path)
        for (pragma, value) in [
            ("page_size", SQLValue.integer(4096)), ("auto_vacuum", .integer(2)), ("journal_mode", .text("wal")),
            ("synchronous", .integer(2)), ("encoding", .text("UTF-8")), ("user_version", .integer(0)),
        ] {
            try expectEqual(connection.rows("PRAGMA \(pragma)"), [[value]], "\(pragma)")
        }
        try expectEqual(
            connection.rows("SELECT * FROM Z_PRIMARYKEY"),
            [
                [.integer(1), .text("Task"), .integer(0), .integer(0)],
                [.integer(2), .text("HighTask"), .integer(1), .integer(0)],
            ]
        )
    }

    #if os(Linux)
        @Test("Repeated reads of an open database use one descriptor, which is closed with the last connection")
        func keptDescriptors() throws {
            try createStore()
            let first = try StoreFile.open(at: path)
            let second = try StoreFile.open(at: path)
            try first.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_NAME = 'Task'")
            func descriptors() throws -> Int {
                try OpenFiles.paths().filter { $0.hasPrefix(folder.path) }.count
            }
            let header = DatabaseFiles.head(path, count: 100)
            let index = DatabaseFiles.head(path + "-shm", of: path, count: 96)
            expectEqual(header?.count, 100)
            expectEqual(index?.count, 96)
            let count = try descriptors()
            for _ in 0..<20 {
                expectEqual(DatabaseFiles.head(path, count: 100), header)
                expectEqual(DatabaseFiles.head(path + "-shm", of: path, count: 96), index)
                #expect(ContentState(path: path) != nil)
            }
            try expectEqual(descriptors(), count)
            first.close()
            second.close()
            try expectEqual(descriptors(), 0)
        }
    #endif

    @Test("A new store does not overwrite a file")
    func noOverwriting() throws {
        try Data("mine".utf8).write(to: URL(fileURLWithPath: path))
        let before = try folder.contents()
        let error = #expect(throws: StoreFileError.self) { try createStore() }
        expectEqual(error?.kind, .exists)
        try expectEqual(folder.contents(), before)
    }

    @Test("Keys are reserved on the root's row, one after the other, and returned by a rollback")
    func keys() throws {
        try createStore()
        let connection = try StoreFile.open(at: path)
        try expectEqual(StoreFile.reserveKeys(1, rootEntity: 1, in: connection), 1...1)
        try expectEqual(StoreFile.reserveKeys(10, rootEntity: 1, in: connection), 2...11)
        try connection.begin()
        try expectEqual(StoreFile.reserveKeys(5, rootEntity: 1, in: connection), 12...16)
        try connection.rollback()
        try expectEqual(StoreFile.reserveKeys(1, rootEntity: 1, in: connection), 12...12)
        // Some migrations of other frameworks leave rows with keys above the counter.
        try connection.execute("CREATE TABLE KEYED (Z_PK INTEGER PRIMARY KEY); INSERT INTO KEYED VALUES(40)")
        try expectEqual(StoreFile.reserveKeys(2, rootEntity: 1, above: "KEYED", in: connection), 41...42)
        try expectEqual(StoreFile.reserveKeys(1, rootEntity: 1, above: "KEYED", in: connection), 43...43)
        let error = #expect(throws: StoreFileError.self) {
            try StoreFile.reserveKeys(1, rootEntity: 77, in: connection)
        }
        expectEqual(error?.kind, .damaged)
    }

    @Test("Metadata is replaced as a whole, and values that do not fit a property list are refused")
    func metadata() throws {
        try createStore()
        let connection = try StoreFile.open(at: path)
        var metadata = try StoreFile.readMetadata(connection)
        metadata.values["mine"] = ["a", "b"]
        try StoreFile.writeMetadata(metadata, connection)
        try expectEqual(StoreFile.readMetadata(connection).values["mine"] as? [String], ["a", "b"])
        try expectEqual(connection.rows("SELECT count(*) FROM Z_METADATA"), [[.integer(1)]])
        metadata.values["mine"] = NSObject()
        #expect(throws: StoreFileError.self) { try StoreFile.writeMetadata(metadata, connection) }
    }

    @Test("Pragmas of the caller take precedence, and only words are accepted")
    func pragmas() throws {
        try createStore()
        let connection = try StoreFile.open(at: path, pragmas: ["synchronous": "NORMAL"])
        try expectEqual(connection.rows("PRAGMA synchronous"), [[.integer(1)]])
        #expect(throws: StoreFileError.self) {
            try StoreFile.open(at: path, pragmas: ["synchronous": "1; DROP TABLE ZTASK"])
        }
    }

    @Test("A store whose last changes are only in its log is read with them, and stays unchanged")
    func unfinishedLog() throws {
        try createStore()
        let writer = try StoreFile.open(at: path)
        var metadata = try StoreFile.readMetadata(writer)
        metadata.values["mine"] = "in the log"
        try StoreFile.writeMetadata(metadata, writer)
        // As after kill -9: a copy of the files of the open connection.
        let killed = try TemporaryFolder()
        for (name, data) in try folder.contents() where !name.hasSuffix("-shm") {
            try data.write(to: URL(fileURLWithPath: killed.file(name)))
        }
        writer.close()
        let before = try killed.contents()
        expectEqual(before.keys.sorted(), ["Tasks.sqlite", "Tasks.sqlite-wal"])
        guard case .store(let metadata) = StoreFile.inspect(killed.file("Tasks.sqlite")) else {
            Issue.record("no store")
            return
        }
        expectEqual(metadata.values["mine"] as? String, "in the log")
        try expectEqual(killed.contents(), before)
    }

    @Test("An empty file is empty")
    func empty() throws {
        try Data().write(to: URL(fileURLWithPath: path))
        guard case .empty = try inspect() else {
            Issue.record("not empty")
            return
        }
    }

    @Test(
        "A file of another kind is foreign, and the reason names the kind",
        arguments: [
            (Data("Dear diary,\n".utf8), "a text file"),
            (Data("version https://git-lfs.github.com/spec/v1\noid sha256:00\n".utf8), "git lfs pull"),
            (Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]), "a PNG image"),
            (Data("<?xml version=\"1.0\"?><database/>".utf8), "an XML file"),
            (Data("CoreData\u{0}\u{0}\u{0}\u{1}".utf8), "a binary Core Data store"),
            (Data(repeating: 0, count: 8192), "a file of another kind"),
        ]
    )
    func foreign(data: Data, kind: String) throws {
        try data.write(to: URL(fileURLWithPath: path))
        try expectEqual(reason(try inspect(), isDamage: false)?.contains(kind), true)
    }

    @Test("A folder is foreign")
    func folderAtPath() throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        expectEqual(reason(StoreFile.inspect(path), isDamage: false)?.contains("a folder"), true)
    }

    @Test("Another program's database is foreign, and its tables are named", arguments: ["delete", "wal"])
    func otherDatabase(journal: String) throws {
        let other = try Connection(path: path, mode: .create)
        try other.execute("PRAGMA journal_mode = \(journal); CREATE TABLE songs (a); CREATE TABLE artists (b)")
        defer { other.close() }
        try expectEqual(reason(try inspect(), isDamage: false)?.contains("songs, artists"), true)
        other.close()
        try expectEqual(reason(try inspect(), isDamage: false)?.contains("songs, artists"), true)
    }

    @Test("A store in UTF-16 is foreign, as its texts have another order", arguments: ["UTF-16le", "UTF-16be"])
    func otherEncoding(encoding: String) throws {
        let other = try Connection(path: path, mode: .create)
        try other.execute("PRAGMA encoding = '\(encoding)'")
        try StoreFile.fill(other, schema: schema, metadata: newMetadata)
        other.close()
        try expectEqual(reason(try inspect(), isDamage: false)?.contains(encoding), true)
    }

    @Test("A truncated file is damaged", arguments: [50, 100, 4_096, 10_000, -1])
    func truncated(length: Int) throws {
        try createStore()
        let data = try #require(FileManager.default.contents(atPath: path))
        try data.prefix(length < 0 ? data.count + length : length).write(to: URL(fileURLWithPath: path))
        #expect(reason(try inspect(), isDamage: true) != nil)
    }

    @Test("A header with a flipped bit is damaged or harmless, never foreign", arguments: 0..<24)
    func flippedHeader(offset: Int) throws {
        try createStore()
        var data = try #require(FileManager.default.contents(atPath: path))
        data[offset] ^= 0x40
        try data.write(to: URL(fileURLWithPath: path))
        switch try inspect() {
        case .damaged: break
        // The reserved space and the file's versions allow other values.
        case .store: #expect((18...20).contains(offset))
        default: Issue.record("offset \(offset)")
        }
    }

    @Test("A garbage page is damage, wherever it is")
    func malformedPages() throws {
        try createStore()
        let original = try #require(FileManager.default.contents(atPath: path))
        for page in 1..<(original.count / 4096) {
            var data = original
            data.replaceSubrange(page * 4096..<page * 4096 + 64, with: Data(repeating: 0xA5, count: 64))
            try data.write(to: URL(fileURLWithPath: path))
            #expect(reason(try inspect(), isDamage: true) != nil, "page \(page)")
        }
    }

    private func isMissing(_ state: StoreFileState) -> Bool {
        if case .missing = state { true } else { false }
    }

    private func reason(_ state: StoreFileState, isDamage: Bool) -> String? {
        switch state {
        case .damaged(let reason): isDamage ? reason : nil
        case .foreign(let reason): isDamage ? nil : reason
        default: nil
        }
    }
}
