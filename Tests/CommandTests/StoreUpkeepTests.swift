// Tests `managedgraph store vacuum` and `history`.
import ExpectationSupport
import Foundation
import GraphSQLite
import GraphSupport
import ManagedGraph
import ManagedGraphTools
import Testing

@Suite("managedgraph store vacuum, history")
struct StoreUpkeepTests {
    @Test("Free pages and files without a row are removed, all rows stay")
    func vacuum() async throws {
        let sample = try SampleStore()
        let connection = try Connection(path: sample.store.path)
        try connection.execute(
            """
            CREATE TABLE filler(x); WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
            INSERT INTO filler SELECT zeroblob(1000) FROM n; DROP TABLE filler
            """
        )
        connection.close()
        let files = sample.folder.appending(path: ".Store_SUPPORT/_EXTERNAL_DATA")
        let orphan = files.appending(path: UUID().uuidString)
        try Data(count: 50_000).write(to: orphan)
        let result = try await Command.run(["vacuum", sample.store.path, "--json"], of: "store")
        let outcome = try #require(result.objects.first, "\(result.errors)")
        let (before, after) = (outcome["before"] as? Int ?? 0, outcome["after"] as? Int ?? 0)
        #expect(before > 2_000_000 && after < before - 2_000_000, "\(result.output)")
        expectEqual(outcome["files"] as? Int, 1)
        expectEqual(outcome["fileBytes"] as? Int, 50_000)
        #expect(!FileManager.default.fileExists(atPath: orphan.path))
        #expect(try await sample.problems().isEmpty)
        try expectEqual(FileManager.default.contentsOfDirectory(atPath: files.path).count, 2)
        let mode = try await Command.run(["info", sample.store.path, "--json"], of: "store")
        expectEqual(mode.objects.first?["journalMode"] as? String, "wal")
    }

    @Test("A store that another connection has open is not compacted and stays unchanged")
    func busy() async throws {
        let sample = try SampleStore()
        let connection = try Connection(path: sample.store.path)
        _ = try connection.rows("SELECT count(*) FROM ZITEM")
        let result = try await Command.run(["vacuum", sample.store.path], of: "store")
        expectEqual(result.status, 1, "\(result.errors)")
        #expect(result.errors.contains("another process has it open"), "\(result.errors)")
        connection.close()
        #expect(try await sample.problems().isEmpty)
        #expect(try await Command.run(["vacuum", sample.store.path], of: "store").status == 0)
    }

    @Test("Compaction killed at any moment leaves a store without problems", .timeLimit(.minutes(2)))
    func killed() async throws {
        let sample = try SampleStore()
        let connection = try Connection(path: sample.store.path)
        try connection.execute(
            """
            CREATE TABLE filler(x); WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
            INSERT INTO filler SELECT zeroblob(1000) FROM n; DELETE FROM filler WHERE rowid % 2
            """
        )
        connection.close()
        for milliseconds in [60, 90, 120, 160, 220] {
            let line =
                "timeout -s KILL 0.\(milliseconds < 100 ? "0" : "")\(milliseconds) \(Command.url.path) store vacuum \(sample.store.path)"
            _ = try await Command.shell(line)
            #expect(try await sample.problems().isEmpty)
            let again = try Connection(path: sample.store.path)
            try expectEqual(again.rows("SELECT count(*) FROM filler").first?.first, .integer(10_000))
            again.close()
        }
    }

    @Test("A file that is not a SQLite store is not compacted")
    func noStore() async throws {
        let file = try Command.file(Data("text".utf8))
        defer { try? FileManager.default.removeItem(at: file) }
        let text = try await Command.run(["vacuum", file.path], of: "store")
        expectEqual(text.status, 1)
        #expect(text.errors.hasPrefix(file.path + ": "))
        try expectEqual(Data(contentsOf: file), Data("text".utf8))
        let missing = try await Command.run(["vacuum", "/nowhere.sqlite"], of: "store")
        expectEqual(missing.status, 1)
        #expect(missing.errors.contains("the file does not exist"))
    }

    @Test("The history lists each change with its author, starts at the given point, and omits other entities")
    func history() async throws {
        let sample = try SampleStore()
        let middle = Date()
        let coordinator = NSPersistentStoreCoordinator(
            managedObjectModel: try NSManagedObjectModel(readingFrom: sample.model)
        )
        let opened = try coordinator.addPersistentStore(type: .sqlite, at: sample.store)
        let context = coordinator.makeContext()
        context.transactionAuthor = "the test"
        try context.performAndWait { () throws in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
            request.predicate = NSPredicate(format: "size == 1")
            for item in try context.fetch(request) { item.setValue("changed", forKey: "title") }
            try context.save()
            let badge = NSFetchRequest<NSManagedObject>(entityName: "Badge")
            try context.fetch(badge).first.map(context.delete)
            try context.save()
        }
        try coordinator.remove(opened)
        let before = try sample.content()
        func run(_ arguments: String...) async throws -> Command {
            try await Command.run(
                ["history", sample.store.path, "--model", sample.model.path] + arguments,
                of: "store"
            )
        }
        let all = try await run("--json")
        expectEqual(all.objects.map { $0["transaction"] as? Int }, [1, 2, 3], "\(all.errors)")
        expectEqual(all.objects[1]["author"] as? String, "the test")
        let changes = all.objects[1]["changes"] as? [[String: Any]] ?? []
        expectEqual(changes.map { $0["type"] as? String }, ["update", "update"])
        #expect(changes.allSatisfy { $0["properties"] as? [String] == ["title"] && $0["entity"] as? String == "Item" })
        #expect(try await run("--since", "2", "--json").objects.map { $0["transaction"] as? Int } == [3])
        let date = try #require(DateText.text(middle.timeIntervalSinceReferenceDate))
        #expect(try await run("--since", date, "--json").objects.count == 2)
        #expect(try await run("--entity", "Special", "--json").objects.count == 1)
        let token = NSPersistentHistoryToken([opened.identifier ?? "": 1])
        let archive = try NSKeyedArchiver.archivedData(withRootObject: token, requiringSecureCoding: true)
        #expect(try await run("--since", archive.base64EncodedString(), "--json").objects.count == 2)
        let text = try await run("--since", "2")
        #expect(text.output.contains("transaction 3") && text.output.contains("delete  Badge/p"))
        for wrong in ["yesterday", Data("bplist00 nonsense".utf8).base64EncodedString()] {
            let result = try await run("--since", wrong)
            expectEqual(result.status, 1, "\(result.errors)")
            #expect(result.errors.contains("is not a point in a history"), "\(result.errors)")
        }
        try expectEqual(sample.content(), before)
        let none = try SampleStore(hasHistory: false)
        let result = try await Command.run(["history", none.store.path, "--model", none.model.path], of: "store")
        expectEqual(result.status, 1)
        #expect(result.errors.contains("The store has no history."))
    }
}
