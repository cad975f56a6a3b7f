// Stores that were prepared for an attack: links, triggers, names and patterns in them reach nothing else.
import ExpectationSupport
import Foundation
import GraphSQLite
import GraphSupport
import ManagedGraph
import ManagedGraphTools
import Testing

@testable import StoreProgram

struct HostileStoreTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "hostile-\(UUID().uuidString)")
    private var url: URL { folder.appending(path: "Notes.sqlite") }
    private var files: URL { folder.appending(path: ".Notes_SUPPORT/_EXTERNAL_DATA") }
    private static let size = 150_000

    /// Makes a store with one large value.
    private func makeStore() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try NoteStore.model.withStore(at: url) { context in
            let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
            note.setValue(1, forKey: "id")
            note.setValue(String(repeating: "é", count: 40), forKey: "title")
            note.setValue(Data(repeating: 7, count: Self.size), forKey: "picture")
            try context.save()
        }
    }

    /// Makes a file beside the store that no store has a right to.
    private func makeSecret() throws -> URL {
        let secret = folder.appending(path: "secret")
        try Data("secret".utf8).write(to: secret)
        return secret
    }

    private func note(_ context: NSManagedObjectContext) throws -> NSManagedObject {
        try #require(try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note")).first)
    }

    @Test("A link in the place of a large value is not followed")
    func linkedFiles() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try makeStore()
        let secret = try makeSecret()
        for name in try FileManager.default.contentsOfDirectory(atPath: files.path) {
            let file = files.appending(path: name)
            try FileManager.default.removeItem(at: file)
            try FileManager.default.createSymbolicLink(at: file, withDestinationURL: secret)
        }
        try NoteStore.model.withStore(at: url) { context in
            let request = NSFetchRequest<NSDictionary>(entityName: "Note")
            request.resultType = .dictionaryResultType
            request.propertiesToFetch = ["picture"]
            let error = #expect(throws: NSError.self) { try context.fetch(request) }
            let information = String(describing: error?.userInfo)
            #expect(information.contains("symbolic link"))
            let value = try note(context).value(forKey: "picture")
            expectNil(value)
        }
        try expectEqual(String(contentsOf: secret, encoding: .utf8), "secret")
    }

    @Test("Nothing is written or removed behind a link in the place of the folder of large values")
    func linkedFolder() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try makeStore()
        let elsewhere = folder.appending(path: "elsewhere")
        try FileManager.default.createDirectory(at: elsewhere, withIntermediateDirectories: true)
        let other = elsewhere.appending(path: UUID().uuidString)
        try Data("other".utf8).write(to: other)
        for name in try FileManager.default.contentsOfDirectory(atPath: files.path) {
            try FileManager.default.moveItem(at: files.appending(path: name), to: elsewhere.appending(path: name))
        }
        try FileManager.default.removeItem(at: files)
        try FileManager.default.createSymbolicLink(at: files, withDestinationURL: elsewhere)
        let before = try FileManager.default.contentsOfDirectory(atPath: elsewhere.path).sorted()
        try NoteStore.model.withStore(at: url) { context in
            let note = try note(context)
            expectEqual((note.value(forKey: "picture") as? Data)?.count, Self.size)
            note.setValue(Data(repeating: 8, count: Self.size), forKey: "picture")
            let error = #expect(throws: NSError.self) { try context.save() }
            let information = String(describing: error?.userInfo)
            #expect(information.contains("symbolic link"))
            context.rollback()
            context.delete(note)
            try context.save()
        }
        try expectEqual(FileManager.default.contentsOfDirectory(atPath: elsewhere.path).sorted(), before)
    }

    @Test("Triggers of a file call no function that may take long, and a slow pattern of a fetch is an error")
    func functions() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try makeStore()
        let connection = try Connection(path: url.path)
        try connection.execute(
            "CREATE TRIGGER hostile AFTER UPDATE ON ZNOTE BEGIN SELECT MGMatches('x', '(a*)*\\1b', 0); END"
        )
        connection.close()
        try NoteStore.model.withStore(at: url) { context in
            let note = try note(context)
            note.setValue(2, forKey: "id")
            #expect(throws: NSError.self) { try context.save() }
            context.rollback()
            let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
            request.predicate = NSPredicate(format: "title MATCHES %@", "(é+)+x")
            #expect(throws: NSError.self) { try context.fetch(request) }
            request.predicate = NSPredicate(format: "id == 1")
            try expectEqual(context.count(for: request), 1)
        }
    }

    @Test("A large value names no file outside of its folder", arguments: ["../../secret", "SECRET"])
    func namesOfFiles(_ name: String) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try makeStore()
        let secret = try makeSecret()
        let path = name == "SECRET" ? secret.path : name
        let connection = try Connection(path: url.path)
        try connection.execute("UPDATE ZNOTE SET ZPICTURE = x'02' || CAST('\(path)' AS BLOB) || x'00'")
        connection.close()
        try NoteStore.model.withStore(at: url) { context in
            let note = try note(context)
            let value = note.value(forKey: "picture") as? Data
            #expect(value.map { String(decoding: $0, as: UTF8.self).contains("secret") && $0.count == 6 } != true)
            context.delete(note)
            try context.save()
        }
        try expectEqual(String(contentsOf: secret, encoding: .utf8), "secret")
    }

    @Test(
        "No file is changed through a link in the place of a file of SQLite's",
        arguments: ["-wal", "-shm", "-journal"]
    )
    func links(_ suffix: String) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try makeStore()
        let secret = try makeSecret()
        let link = URL(filePath: url.path + suffix)
        try? FileManager.default.removeItem(at: link)
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: secret)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: NoteStore.model)
        let attempts: [() throws -> Void] = [
            { try coordinator.addPersistentStore(type: .sqlite, at: url) },
            { try coordinator.destroyPersistentStore(at: url, type: .sqlite) },
            {
                try NSPersistentStoreCoordinator.setMetadata(
                    ["a": 1],
                    forPersistentStoreOfType: NSSQLiteStoreType,
                    at: url
                )
            },
        ]
        for attempt in attempts {
            let error = #expect(throws: NSError.self) { try attempt() }
            #expect(String(describing: error).contains("symbolic link"), "\(String(describing: error))")
            try expectEqual(String(contentsOf: secret, encoding: .utf8), "secret")
        }
        // By force, the link is removed.
        try coordinator.destroyPersistentStore(
            at: url,
            type: .sqlite,
            options: [NSPersistentStoreForceDestroyOption: true]
        )
        try expectEqual(String(contentsOf: secret, encoding: .utf8), "secret")
        #expect(throws: CocoaError.self) { try FileManager.default.destinationOfSymbolicLink(atPath: link.path) }
    }

    @Test("Views without end in the place of tables are refused", arguments: ["ZNOTE", "Z_METADATA", "Z_PRIMARYKEY"])
    func views(_ table: String) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try makeStore()
        let connection = try Connection(path: url.path)
        let columns = try connection.columnNames(of: table)
        try connection.execute("ALTER TABLE \(table) RENAME TO hidden")
        try connection.execute(
            "CREATE VIEW \(table) AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT "
                + columns.map { "x AS \($0)" }.joined(separator: ", ") + " FROM c"
        )
        connection.close()
        #expect(throws: NSError.self) {
            try NoteStore.model.withStore(at: url) { try $0.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note")) }
        }
        #expect(!StoreChecker().check(url, with: NoteStore.model).problems.isEmpty)
        // The view is removed with the rest.
        try? NSPersistentStoreCoordinator(managedObjectModel: NoteStore.model)
            .destroyPersistentStore(at: url, type: .sqlite)
    }

    @Test(
        "A trigger of the file that does not end makes a save fail",
        arguments: [
            "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT max(x) FROM c",
            "SELECT length(hex(zeroblob(500000000)))",
        ]
    )
    func triggers(_ query: String) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try makeStore()
        let connection = try Connection(path: url.path)
        try connection.execute("CREATE TABLE results (value)")
        let end = "INSERT INTO results \(query); END"
        try connection.execute("CREATE TRIGGER hostile AFTER UPDATE ON ZNOTE BEGIN \(end)")
        connection.close()
        try NoteStore.model.withStore(at: url) { context in
            let note = try note(context)
            note.setValue(2, forKey: "id")
            #expect(throws: NSError.self) { try context.save() }
            context.rollback()
            let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
            request.predicate = NSPredicate(format: "id == 1")
            try expectEqual(context.count(for: request), 1)
        }
    }

    /// Makes a store with a history of one transaction, and changes its tables; returns the token of the history.
    private func makeHistory(_ sql: String) throws -> NSPersistentHistoryToken? {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let store = try NoteStore(url)
        let token = try store.container.performAndWait { () throws in
            let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: store.container)
            note.setValue(1, forKey: "id")
            note.setValue("title", forKey: "title")
            try store.container.save()
            return store.container.persistentStoreCoordinator?.currentPersistentHistoryToken(fromStores: nil)
        }
        try store.close()
        let connection = try Connection(path: url.path)
        defer { connection.close() }
        try connection.execute(sql)
        return token
    }

    @Test("A history that has a transaction twice is read")
    func repeatedTransactions() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        _ = try makeHistory(
            "CREATE TABLE copies AS SELECT * FROM ATRANSACTION; DROP TABLE ATRANSACTION; "
                + "ALTER TABLE copies RENAME TO ATRANSACTION; INSERT INTO ATRANSACTION SELECT * FROM ATRANSACTION"
        )
        let store = try NoteStore(url)
        try store.container.performAndWait { () throws in
            let request = NSPersistentHistoryChangeRequest.fetchHistory(after: nil as NSPersistentHistoryToken?)
            let result = try store.container.execute(request) as? NSPersistentHistoryResult
            let transactions = result?.result as? [NSPersistentHistoryTransaction]
            expectEqual(transactions?.map { $0.changes?.count ?? 0 }, [1, 0])
        }
        try store.close()
    }

    @Test("A history whose last number is the greatest of all is refused")
    func greatestTransaction() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let token = try makeHistory(
            "DELETE FROM ATRANSACTION; UPDATE Z_PRIMARYKEY SET Z_MAX = \(Int64.max) WHERE Z_NAME = 'TRANSACTION'"
        )
        let store = try NoteStore(url)
        try store.container.performAndWait { () throws in
            let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
            #expect(throws: NSError.self) { try store.container.execute(request) }
        }
        try store.close()
    }

    @Test("Names in the store's own tables are not run as SQL")
    func namesInTables() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try makeStore()
        let connection = try Connection(path: url.path)
        for table in ["Z_PRIMARYKEY WHERE Z_NAME = 'Note'", "Z_PRIMARYKEY"] {
            let parts = table.components(separatedBy: " WHERE ")
            try connection.execute(
                "UPDATE \(parts[0]) SET Z_NAME = Z_NAME || '\"; DROP TABLE ZNOTE; --'"
                    + (parts.count > 1 ? " WHERE \(parts[1])" : "")
            )
            // The store is refused, or opened with its rows.
            try? NoteStore.model.withStore(at: url) { context in
                _ = try? context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note"))
                NSEntityDescription.insertNewObject(forEntityName: "Note", into: context).setValue(5, forKey: "id")
                try? context.save()
            }
            guard case .integer(let count)? = try connection.rows("SELECT COUNT(*) FROM ZNOTE").first?.first else {
                Issue.record("the table is gone")
                return
            }
            #expect(count >= 1)
        }
        connection.close()
    }
}
