// The versions and stores of the tests that kill or fail migrations, and the invariants of such a store: it has one
// version, and nothing is missing.
import ExpectationSupport
import Foundation
import GraphSQLite
import ManagedGraph
import Testing

/// Stores of linked notes, every thousandth with a large value in a file.
struct KillVersions {
    let versions: Versions
    let way: KillWay
    let count: Int

    private static func note(_ attributes: String...) -> String {
        LightweightTests.entity(
            "Note",
            attributes.map { name in
                name == "number"
                    ? "<attribute name=\"number\" attributeType=\"Integer 32\" defaultValueString=\"1\"/>"
                    : "<attribute name=\"\(name)\" optional=\"YES\" attributeType=\"String\"/>"
            }
            .joined()
                + "<attribute name=\"photo\" optional=\"YES\" attributeType=\"Binary\" "
                + "allowsExternalBinaryDataStorage=\"YES\"/>"
                + RelationshipMigrationTests.relation("next", "Note", "before", many: false)
                + RelationshipMigrationTests.relation("before", "Note", "next", many: true)
        )
    }

    init(_ way: KillWay, count: Int) throws {
        self.way = way
        self.count = count
        switch way {
        // Version 2 removes the body, so that rows are copied or the column is left for later, and adds a number.
        case .inPlace, .deferred, .mappingModel:
            versions = try Versions(Self.note("title", "body"), Self.note("title", "number"))
        case .staged:
            versions = try Versions(
                Self.note("title", "body"),
                Self.note("title", "body", "name"),
                Self.note("title", "name"),
                Self.note("title", "name", "number")
            )
        }
        if way == .mappingModel {
            try MappingFileText.write(
                "Note",
                from: 1,
                to: 2,
                attributes: ["title", "photo"],
                relationships: ["next"],
                versions
            )
        }
        try versions.fill { context in
            var last: NSManagedObject?
            for number in 0..<count {
                let note = context.add("Note", ["title": "\(number)", "body": String(repeating: "x", count: 100)])
                if number % 1_000 == 0 { note.setValue(Data(repeating: 5, count: 150_000), forKey: "photo") }
                last?.setValue(note, forKey: "next")
                last = note
            }
        }
        let files = FileManager.default
        try files.createDirectory(at: kept, withIntermediateDirectories: false)
        for name in [store, support] {
            try files.copyItem(at: versions.folder.appending(path: name), to: kept.appending(path: name))
        }
    }

    private var kept: URL { versions.folder.appending(path: "Kept") }
    private let store = "Store.sqlite"
    private let support = ".Store_SUPPORT"

    /// Restores the first version's store.
    func restore() throws {
        for suffix in ["", "-wal", "-shm", "-journal"] {
            try? FileManager.default.removeItem(atPath: versions.store.path + suffix)
        }
        try FileManager.default.removeItem(at: versions.folder.appending(path: support))
        for name in [store, support] {
            try FileManager.default.copyItem(at: kept.appending(path: name), to: versions.folder.appending(path: name))
        }
    }

    /// Returns the store's version, and checks that all objects, relationships and large values are present.
    func check(_ url: URL? = nil, _ location: SourceLocation = #_sourceLocation) throws -> Int {
        let connection = try Connection(path: (url ?? versions.store).path)
        defer { connection.close() }
        func number(_ sql: String) throws -> Int64 {
            guard case .integer(let number)? = try connection.rows(sql).first?.first else { return -1 }
            return number
        }
        func expect(_ sql: String, _ expected: Int) throws {
            let actual = try number(sql)
            expectEqual(actual, Int64(expected), "\(sql)", sourceLocation: location)
        }
        let state = try connection.rows("PRAGMA integrity_check")
        #expect(state == [[.text("ok")]], sourceLocation: location)
        try expect("SELECT COUNT(*) FROM ZNOTE", count)
        try expect("SELECT COUNT(DISTINCT ZTITLE) FROM ZNOTE", count)
        try expect("SELECT COUNT(*) FROM ZNOTE a JOIN ZNOTE b ON a.ZNEXT = b.Z_PK", count - 1)
        let hashes = try StoreFile.readMetadata(connection).versionHashes
        let version = try (1...versions.names.count).first {
            try versions.model($0).entityVersionHashesByName == hashes
        }
        let columns = Set(try connection.columnNames(of: "ZNOTE"))
        switch (way, version) {
        case (_, 1?): try expect("SELECT COUNT(ZBODY) FROM ZNOTE", count)
        case (.staged, 2?):
            try expect("SELECT COUNT(ZBODY) FROM ZNOTE", count)
            // Changes saved by a handler before the process ended are discarded.
            try expect("SELECT COUNT(ZNAME) FROM ZNOTE", 0)
        case (.staged, let later?):
            try expect("SELECT COUNT(*) FROM ZNOTE WHERE ZNAME = 'named ' || ZTITLE", count)
            #expect(columns.contains("ZNUMBER") == (later == 4), sourceLocation: location)
        case (_, 2?): try expect("SELECT SUM(ZNUMBER) FROM ZNOTE", count)
        default: Issue.record("the store has no version of the model", sourceLocation: location)
        }
        let folder = (url ?? versions.store).deletingLastPathComponent().appending(path: support)
        for row in try connection.rows("SELECT ZPHOTO FROM ZNOTE WHERE ZPHOTO NOT NULL") {
            guard case .blob(let reference)? = row.first, reference.first == 2 else { continue }
            let name = String(decoding: reference.dropFirst().prefix(36), as: UTF8.self)
            let size = try FileManager.default.attributesOfItem(
                atPath: folder.appending(path: "_EXTERNAL_DATA/\(name)").path
            )[.size]
            #expect((size as? NSNumber)?.intValue == 150_000, sourceLocation: location)
        }
        try expect("SELECT COUNT(*) FROM ZNOTE WHERE ZPHOTO NOT NULL", (count + 999) / 1_000)
        return version ?? 0
    }

    var arguments: [String] { [versions.store.path, versions.bundle.path, way.argument] }
}
