// Tests content that a migration keeps or recreates besides rows: large files, derived attributes, versions, metadata.
import ExpectationSupport
import Foundation
import GraphSQLite
import ManagedGraph
import Testing

struct KeptContentTests {
    private static func photo(_ isExternal: Bool) -> String {
        LightweightTests.entity(
            "Note",
            "<attribute name=\"photo\" optional=\"YES\" attributeType=\"Binary\" "
                + (isExternal ? "allowsExternalBinaryDataStorage=\"YES\"" : "") + "/>"
        )
    }

    @Test(arguments: [true, false])
    func largeValuesMoveIntoFilesAndOutOfThem(isExternal: Bool) throws {
        let versions = try Versions(Self.photo(isExternal), Self.photo(!isExternal))
        // The small value begins with the byte that marks an external file.
        let values = [Data(repeating: 1, count: 300_000), Data([1, 2, 3])]
        try versions.fill { context in for value in values { context.add("Note", ["photo": value]) } }
        try versions.use(2) { try expectEqual($0.values("photo", "Note"), values) }
        try versions.expectTablesOfNewStore()
    }

    @Test func filesOfLargeValuesStayBesideTheStore() throws {
        let added = "<attribute name=\"x\" optional=\"YES\" attributeType=\"String\"/></entity>"
        let versions = try Versions(Self.photo(true), Self.photo(true).replacing("</entity>", with: added))
        let value = Data(repeating: 9, count: 300_000)
        try versions.fill { $0.add("Note", ["photo": value]) }
        try versions.use(2) { try expectEqual($0.values("photo", "Note"), [value]) }
        try versions.expectTablesOfNewStore()
    }

    @Test func indexesAndTriggersOfOtherProgramsMayHaveAnyNames() throws {
        let added = "<attribute name=\"x\" optional=\"YES\" attributeType=\"String\"/>"
        let versions = try Versions(
            LightweightTests.entity("Note", LightweightTests.title),
            LightweightTests.entity("Note", LightweightTests.title + added)
        )
        try versions.fill { $0.add("Note", ["title": "a"]) }
        let connection = try Connection(path: versions.store.path)
        try connection.execute("CREATE INDEX \"i\"\" i\" ON ZNOTE (ZTITLE)")
        try connection.execute("CREATE TRIGGER \"t\"\"; --\" AFTER UPDATE ON ZNOTE BEGIN SELECT 1; END")
        connection.close()
        try versions.use(2) { try expectEqual($0.values("title", "Note"), ["a"]) }
        try versions.expectTablesOfNewStore()
    }

    @Test(
        "The uniqueness constraint of a table that an old framework has made ends with that of the model",
        arguments: [false, true]
    )
    func constraintOfATable(isDeferred: Bool) throws {
        let code = "<attribute name=\"code\" optional=\"YES\" attributeType=\"String\"/>"
        let unique =
            "<uniquenessConstraints><uniquenessConstraint><constraint value=\"code\"/></uniquenessConstraint>"
            + "</uniquenessConstraints>"
        // The deferred migration leaves the column for later.
        let versions = try Versions(
            LightweightTests.entity("Note", code + LightweightTests.title + unique),
            LightweightTests.entity("Note", (isDeferred ? "" : code) + LightweightTests.title)
        )
        try versions.fill { $0.add("Note", ["code": "a", "title": "t"]) }
        let connection = try Connection(path: versions.store.path)
        try connection.execute(
            "DROP INDEX Z_Note_UNIQUE_code; ALTER TABLE ZNOTE RENAME TO FORMER; "
                + "CREATE TABLE ZNOTE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCODE VARCHAR, "
                + "ZTITLE VARCHAR, CONSTRAINT ZCODE UNIQUE (ZCODE)); "
                + "INSERT INTO ZNOTE SELECT Z_PK, Z_ENT, Z_OPT, ZCODE, ZTITLE FROM FORMER; DROP TABLE FORMER"
        )
        connection.close()
        let options: [AnyHashable: Any] =
            isDeferred ? [NSPersistentStoreDeferredLightweightMigrationOptionKey: true] : [:]
        try versions.use(2, options: options) { context in
            context.add("Note", isDeferred ? ["title": "t"] : ["code": "a", "title": "t"])
            try context.save()
            try context.persistentStoreCoordinator?.finishDeferredLightweightMigration()
            try expectEqual(context.values("title", "Note"), ["t", "t"])
        }
        try versions.expectTablesOfNewStore()
    }

    @Test("Entities with the names of the history's own keep their objects, and the history its numbers")
    func namesOfTheHistory() throws {
        let names = ["CHANGE", "TRANSACTION"]
        let entities = { (more: String) in
            names.map { LightweightTests.entity($0, LightweightTests.title + more) }.joined()
        }
        let added = "<attribute name=\"x\" optional=\"YES\" attributeType=\"String\"/>"
        let versions = try Versions(entities(""), entities(added))
        let options: [AnyHashable: Any] = [NSPersistentHistoryTrackingKey: true]
        for number in [1, 1, 2, 2] {
            try versions.use(number, options: options) { context in
                for name in names { context.add(name, ["title": "\(number)"]) }
                try context.save()
            }
        }
        try versions.use(2, options: options) { context in
            for name in names { try expectEqual(context.values("title", name), ["1", "1", "2", "2"], "\(name)") }
            let request = NSPersistentHistoryChangeRequest.fetchHistory(after: Date.distantPast)
            let result = try #require(context.execute(request) as? NSPersistentHistoryResult)
            let transactions = try #require(result.result as? [NSPersistentHistoryTransaction])
            expectEqual(transactions.map { $0.changes?.count ?? 0 }, [2, 2, 2, 2])
        }
    }

    @Test func aNewDerivedAttributeIsComputedForTheObjectsThereAre() throws {
        let list = { (derived: String) in
            LightweightTests.entity(
                "List",
                derived + "<relationship name=\"items\" optional=\"YES\" toMany=\"YES\" destinationEntity=\"Item\" "
                    + "inverseName=\"list\" inverseEntity=\"Item\"/>"
            )
                + LightweightTests.entity(
                    "Item",
                    "<relationship name=\"list\" optional=\"YES\" maxCount=\"1\" destinationEntity=\"List\" "
                        + "inverseName=\"items\" inverseEntity=\"List\"/>"
                )
        }
        let versions = try Versions(
            list(""),
            list(
                "<attribute name=\"count\" optional=\"YES\" attributeType=\"Integer 64\" derived=\"YES\" "
                    + "derivationExpression=\"items.@count\"/>"
            )
        )
        try versions.fill { context in
            let list = context.add("List")
            for _ in 0..<3 { context.add("Item", ["list": list]) }
        }
        try versions.use(2) { context in
            try expectEqual(context.values("count", "List"), [3])
            context.add("Item", ["list": try context.all("List")[0]])
            try context.save()
            context.refreshAllObjects()
            try expectEqual(context.values("count", "List"), [4])
        }
        try versions.expectTablesOfNewStore()
    }

    @Test func keysVersionsIdentityAndOwnMetadataStay() throws {
        let versions = try Versions(
            LightweightTests.entity(
                "Note",
                LightweightTests.title + "<attribute name=\"x\" optional=\"YES\" attributeType=\"String\"/>"
            ),
            LightweightTests.entity("Note", LightweightTests.title)
        )
        try versions.fill { context in for name in ["a", "b", "c"] { context.add("Note", ["title": name]) } }
        try versions.use(1) { context in
            let notes = try context.all("Note")
            notes[1].setValue("changed", forKey: "title")
            context.delete(notes[2])
            let store = try #require(context.persistentStoreCoordinator?.persistentStores.first)
            context.persistentStoreCoordinator?.setMetadata(
                (store.metadata ?? [:]).merging(["mine": "kept"]) { $1 },
                for: store
            )
            try context.save()
        }
        let before = try facts(versions)
        try versions.use(2) { context in
            let store = try #require(context.persistentStoreCoordinator?.persistentStores.first)
            expectEqual(store.metadata["mine"] as? String, "kept")
        }
        let after = try facts(versions)
        expectEqual(after, before)
        // The key of a deleted object is not reused.
        try versions.use(2) { context in
            let note = context.add("Note", ["title": "d"])
            try context.save()
            expectEqual(note.objectID.uriRepresentation().lastPathComponent, "p4")
        }
    }

    private func facts(_ versions: Versions) throws -> [String] {
        let connection = try Connection(path: versions.store.path)
        defer { connection.close() }
        return try [
            "SELECT Z_PK, Z_OPT, ZTITLE FROM ZNOTE ORDER BY 1", "SELECT Z_MAX FROM Z_PRIMARYKEY",
            "SELECT Z_UUID FROM Z_METADATA",
        ]
        .map { "\(try connection.rows($0))" }
    }
}
