// Stores of unknown origin, opened with the model that fits them.
import CollectionSupport
import ExpectationSupport
import Foundation
import GraphSQLite
import GraphUpkeep
import ManagedGraph
import Testing

struct StoreOpeningTests {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "upkeep-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    /// Copies files of Tests/Fixtures; returns the first copy.
    private func copy(_ names: String...) throws -> URL {
        for name in names {
            try FileManager.default.copyItem(
                at: Collections.fixtures.folder.appending(path: name),
                to: folder.appending(path: name)
            )
        }
        return folder.appending(path: names[0])
    }

    private func content() throws -> [String: Data] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        return try Dictionary(
            uniqueKeysWithValues: names.map { ($0, try Data(contentsOf: folder.appending(path: $0))) }
        )
    }

    private func saves(_ coordinator: NSPersistentStoreCoordinator) throws -> Int {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return try context.performAndWait {
            let request = NSPersistentHistoryChangeRequest.fetchHistory(after: .distantPast)
            request.resultType = .count
            let result = try context.execute(request) as? NSPersistentHistoryResult
            return try #require(result?.result as? Int)
        }
    }

    @Test func factsNameTheEntitiesWithTheirRows() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let facts = try StoreOpening.facts(of: copy("Album.sqlite"))
        expectEqual(facts.type, NSSQLiteStoreType)
        expectEqual(facts.modelSource, "cache")
        expectEqual(facts.entities.map(\.name), ["Album", "Photo"])
        expectEqual(facts.entities.map(\.rows), [2, 3])
    }

    @Test func aSnapshotReadsTheLogAndWritesNoFile() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let url = try copy("HarbourLogged.sqlite", "HarbourLogged.sqlite-wal")
        let before = try content()
        let coordinator = try StoreOpening.snapshot(of: url)
        expectEqual(coordinator.persistentStores.first?.isReadOnly, true)
        #expect(coordinator.managedObjectModel.entitiesByName["Vessel"] != nil)
        try expectEqual(content(), before)
    }

    @Test func aDamagedStoreIsRefusedWithTheReason() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let url = folder.appending(path: "Broken.sqlite")
        try Data("no database".utf8).write(to: url)
        let error = #expect(throws: (any Error).self) { try StoreOpening.facts(of: url) }
        expectEqual((error as? NSError)?.localizedDescription.contains("Broken.sqlite"), true)
        #expect(throws: (any Error).self) { try StoreOpening.snapshot(of: folder.appending(path: "None.sqlite")) }
        #expect(throws: (any Error).self) { try StoreOpening.writable(url) }
        try expectEqual(content(), ["Broken.sqlite": Data("no database".utf8)])
    }

    @Test func aWritableStoreContinuesItsHistory() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let coordinator = try StoreOpening.writable(copy("Album.sqlite"))
        let before = try saves(coordinator)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            let album = NSEntityDescription.insertNewObject(forEntityName: "Album", into: context)
            for (name, attribute) in album.entity.attributesByName where !attribute.isOptional {
                if attribute.attributeType == .stringAttributeType { album.setValue("New", forKey: name) }
            }
            try context.save()
        }
        expectEqual(before, 3)
        try expectEqual(saves(coordinator), 4)
    }

    @Test func theNewestTransactionsAreReadAlone() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = try StoreOpening.snapshot(of: copy("Album.sqlite"))
        try context.performAndWait {
            let two = try StoreHistory.latest(2, in: context)
            expectEqual(two.transactions.map(\.transactionNumber), [2, 3])
            #expect(!two.isComplete)
            expectEqual(two.transactions.last?.changes?.first?.tombstone?["title"] as? String, "Blurred")
            let all = try StoreHistory.latest(3, in: context)
            expectEqual(all.transactions.map(\.transactionNumber), [1, 2, 3])
            #expect(all.isComplete)
        }
    }

    @Test func theNewestTransactionsAreReadAcrossGapsInTheirNumbers() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try copy("Album.sqlite")
        let connection = try Connection(path: store.path)
        try connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = 1000 WHERE Z_NAME = 'TRANSACTION'")
        connection.close()
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = try StoreOpening.snapshot(of: store)
        try context.performAndWait {
            let two = try StoreHistory.latest(2, in: context)
            expectEqual(two.transactions.map(\.transactionNumber), [2, 3])
            #expect(!two.isComplete)
            #expect(try StoreHistory.latest(3, in: context).isComplete)
        }
    }

    @Test func aStoreWithoutHistoryHasNoTransactions() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = try StoreOpening.snapshot(of: copy("Ledger.sqlite"))
        try context.performAndWait {
            let latest = try StoreHistory.latest(2, in: context)
            #expect(latest.transactions.isEmpty && latest.isComplete)
        }
    }
}
