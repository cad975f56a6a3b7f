// Tests deferred migrations: the remaining columns and metadata, use of the store by any process in the meantime, and
// that each remaining task is done once.
import ExpectationSupport
import Foundation
import GraphSQLite
import ManagedGraph
import Testing

struct DeferredTests {
    private static var options: [AnyHashable: Any] { [NSPersistentStoreDeferredLightweightMigrationOptionKey: true] }
    private static let key = NSPersistentStoreDeferredLightweightMigrationOptionKey

    /// Version 2 removes two attributes, an entity and a relationship, and adds an attribute.
    private func versions() throws -> Versions {
        func text(_ name: String) -> String {
            "<attribute name=\"\(name)\" optional=\"YES\" attributeType=\"String\"/>"
        }
        let tags = RelationshipMigrationTests.relation("tags", "Tag", "notes", many: true)
        let notes = RelationshipMigrationTests.relation("notes", "Note", "tags", many: true)
        let versions = try Versions(
            LightweightTests.entity("Note", ["title", "x", "y"].map(text).joined() + tags)
                + LightweightTests.entity("Old", text("z")) + LightweightTests.entity("Tag", text("name") + notes),
            LightweightTests.entity("Note", ["title", "more"].map(text).joined())
                + LightweightTests.entity("Tag", text("name"))
        )
        try versions.fill { context in
            let note = context.add("Note", ["title": "a", "x": "x", "y": "y"])
            note.setValue(Set([context.add("Tag", ["name": "t"])]), forKey: "tags")
            context.add("Old", ["z": "z"])
        }
        return versions
    }

    private func columns(_ versions: Versions) throws -> [String: [String]] {
        let connection = try Connection(path: versions.store.path)
        defer { connection.close() }
        return try StoreFile.tables(connection).mapValues { $0.sorted() }
    }

    private func isPending(_ versions: Versions) throws -> Bool {
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: versions.store)
        return metadata[Self.key] as? Bool == true
    }

    @Test func removalsAreDeferredAndFinishedPieceByPiece() throws {
        let versions = try versions()
        try versions.use(2, options: Self.options) { context in
            try expectEqual(context.values("title", "Note"), ["a"])
            let coordinator = try #require(context.persistentStoreCoordinator)
            let store = try #require(coordinator.persistentStores.first)
            expectEqual(coordinator.metadata(for: store)[Self.key] as? Bool, true)
            try #expect(isPending(versions))
            let tables = try columns(versions)
            expectEqual(tables["ZNOTE"]?.contains("ZX"), true)
            expectEqual(tables["ZNOTE"]?.contains("ZMORE"), true)
            #expect(tables["ZOLD"] != nil)
            // The store is readable and writable in the meantime.
            context.add("Note", ["title": "b", "more": "m"])
            try context.save()
            var pieces = 0
            while coordinator.metadata(for: store)[Self.key] != nil, pieces < 10 {
                try coordinator.finishDeferredLightweightMigrationTask()
                pieces += 1
                context.refreshAllObjects()
                try expectEqual(context.values("title", "Note"), ["a", "b"])
            }
            expectEqual(pieces, 4)
            try #expect(!isPending(versions))
            // No work remains.
            try coordinator.finishDeferredLightweightMigration()
            context.add("Note", ["title": "c"])
            try context.save()
        }
        try versions.use(2) { try expectEqual($0.values("more", "Note"), [nil, "m", nil]) }
        try versions.expectTablesOfNewStore()
    }

    @Test func aProcessWithoutTheOptionUsesTheStoreAndLeavesTheWork() throws {
        let versions = try versions()
        try versions.use(2, options: Self.options) { _ in }
        try versions.use(2) { context in
            context.add("Note", ["title": "b"])
            let store = try #require(context.persistentStoreCoordinator?.persistentStores.first)
            // Custom metadata does not remove the framework's entry.
            context.persistentStoreCoordinator?.setMetadata(["mine": 1], for: store)
            try context.save()
        }
        try #expect(isPending(versions))
        // A process that uses plain SQL is allowed too.
        let connection = try StoreFile.open(at: versions.store.path)
        try connection.execute("UPDATE ZNOTE SET ZTITLE = ZTITLE || '!'")
        connection.close()
        try versions.use(2) { context in
            try context.persistentStoreCoordinator?.finishDeferredLightweightMigration()
            try expectEqual(context.values("title", "Note"), ["a!", "b!"])
            let store = try #require(context.persistentStoreCoordinator?.persistentStores.first)
            expectEqual(store.metadata["mine"] as? Int, 1)
        }
        try #expect(!isPending(versions))
        try versions.expectTablesOfNewStore()
    }

    @Test func theNextMigrationFinishesTheOneBefore() throws {
        func text(_ name: String) -> String {
            "<attribute name=\"\(name)\" optional=\"YES\" attributeType=\"String\"/>"
        }
        let (one, two) = (text("title") + text("x"), text("title"))
        // The removed attribute is added again: its old values must not reappear.
        let versions = try Versions(
            [one, two, one].map { LightweightTests.entity("Note", $0) } + [
                LightweightTests.entity("Note", one + text("y"))
            ]
        )
        try versions.fill { $0.add("Note", ["title": "a", "x": "old"]) }
        try versions.use(2, options: Self.options) { _ in }
        try versions.use(4, options: Self.options) { context in
            try expectEqual(context.values("title", "Note"), ["a"])
            try expectEqual(context.values("x", "Note"), [String?.none])
        }
        try #expect(!isPending(versions))
        try versions.expectTablesOfNewStore()
    }

    @Test func tasksOfADamagedListRunNoOtherStatementsAndRemoveNoTableOfTheStoreItself() throws {
        let versions = try versions()
        try versions.use(2, options: Self.options) { _ in }
        let hostile = "ZOLD\"; DELETE FROM ZNOTE; --"
        func tables(_ connection: Connection) throws -> Int {
            try connection.rows(
                "SELECT 1 FROM sqlite_master WHERE name IN ('Z_PRIMARYKEY', 'Z_METADATA', 'Z_MODELCACHE', 'NOTES')"
            ).count
        }
        var connection = try StoreFile.open(at: versions.store.path)
        try connection.execute("CREATE TABLE \"\(hostile.replacing("\"", with: "\"\""))\" (A); CREATE TABLE NOTES (A)")
        var metadata = try StoreFile.readMetadata(connection)
        metadata.values["_NSDeferredLightweightMigrationTasks"] = [
            hostile, "Z_PRIMARYKEY", "z_modelcache", "Z_METADATA", "NOTES", "ZNOTE.ZTITLE",
        ]
        try connection.transaction(.immediate) { try StoreFile.writeMetadata(metadata, connection) }
        connection.close()
        try versions.use(2) { context in
            try context.persistentStoreCoordinator?.finishDeferredLightweightMigration()
            try expectEqual(context.values("title", "Note"), ["a"])
        }
        try #expect(!isPending(versions))
        connection = try StoreFile.open(at: versions.store.path)
        defer { connection.close() }
        try expectEqual(tables(connection), 4)
        try #expect(connection.columnNames(of: hostile).isEmpty)
    }

    @Test func workThatCannotWaitIsDoneImmediately() throws {
        let versions = try LightweightTests.titleMovingDown()
        try versions.use(2, options: Self.options) { try expectEqual($0.values("title", "Child"), ["kept"]) }
        try #expect(!isPending(versions))
        try versions.expectTablesOfNewStore()
    }

    @Test func aRenamedAttributeThatIsMadeRequiredKeepsItsValues() throws {
        let name = "<attribute name=\"name\" attributeType=\"String\" defaultValueString=\"none\" elementID=\"title\"/>"
        let versions = try Versions(
            LightweightTests.entity("Note", LightweightTests.title),
            LightweightTests.entity("Note", name)
        )
        try versions.fill { context in
            context.add("Note", ["title": "a"])
            context.add("Note")
        }
        try versions.use(2, options: Self.options) { try expectEqual($0.values("name", "Note"), ["a", "none"]) }
        try versions.expectTablesOfNewStore()
    }

    @Test func withoutAStoreThereIsNothingToFinish() throws {
        let versions = try versions()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try versions.model(2))
        #expect(throws: (any Error).self) { try coordinator.finishDeferredLightweightMigration() }
    }

    // MARK: Progress

    @Test func theCurrentProgressIsReportedAndCanCancel() throws {
        let versions = try versions()
        let whole = Progress(totalUnitCount: 100)
        whole.becomeCurrent(withPendingUnitCount: 100)
        whole.cancel()
        let error = #expect(throws: (any Error).self) { () throws in _ = try versions.open(2) } as NSError?
        whole.resignCurrent()
        expectEqual(error?.code, NSMigrationCancelledError)
        try versions.use(1) { try expectEqual($0.all("Note").count, 1) }
        let progress = Progress(totalUnitCount: 100)
        progress.becomeCurrent(withPendingUnitCount: 100)
        try versions.use(2) { try expectEqual($0.all("Note").count, 1) }
        progress.resignCurrent()
        expectEqual(progress.fractionCompleted, 1)
    }
}
