// Tests the history of a migrated store: it refers to the new model's entities and properties.
import ExpectationSupport
import Foundation
import ManagedGraph
import Testing

@Suite(.inDatabasesToo) struct HistoryMigrationTests {
    private static func text(_ name: String, _ more: String = "") -> String {
        "<attribute name=\"\(name)\" optional=\"YES\" attributeType=\"String\" \(more)/>"
    }

    private static let preservation = "preserveAfterDeletion=\"YES\""

    @Test func changesAreThoseOfTheNewModelsEntitiesAndProperties() throws {
        let versions = try Versions(
            LightweightTests.entity("Album", Self.text("name"))
                + LightweightTests.entity("Note", Self.text("body") + Self.text("title", Self.preservation)),
            // Removing Album shifts the entity numbers; one property is inserted before others, one is renamed.
            LightweightTests.entity(
                "Note",
                Self.text("body") + Self.text("again", Self.preservation)
                    + Self.text("zero", "elementID=\"title\" \(Self.preservation)")
            )
        )
        let options: [AnyHashable: Any] = [NSPersistentHistoryTrackingKey: true]
        try versions.use(1, options: options) { context in
            context.add("Album", ["name": "x"])
            let notes = ["a", "b"].map { context.add("Note", ["title": $0, "body": $0]) }
            try context.save()
            notes[0].setValue("changed", forKey: "title")
            try context.save()
            notes[0].setValue("changed", forKey: "body")
            try context.save()
            context.delete(notes[1])
            try context.save()
        }
        try versions.use(2, options: options) { context in
            let request = NSPersistentHistoryChangeRequest.fetchHistory(after: Date.distantPast)
            let result = try #require(context.execute(request) as? NSPersistentHistoryResult)
            let transactions = try #require(result.result as? [NSPersistentHistoryTransaction])
            let changes = transactions.flatMap { $0.changes ?? [] }
            #expect(changes.allSatisfy { $0.changedObjectID.entity.name == "Note" })
            expectEqual(changes.map(\.changeType), [.insert, .insert, .update, .update, .delete])
            let updated = changes.map { ($0.updatedProperties ?? []).map(\.name).sorted() }
            expectEqual(updated[2], ["zero"])
            expectEqual(updated[3], ["body"])
            expectEqual(changes[4].tombstone?["zero"] as? String, "b")
            expectNil(changes[4].tombstone?["again"])
        }
    }

    @Test func theHistoryOfAFileGoesOnAfterAMappingModel() throws {
        let versions = try Versions(
            LightweightTests.entity("Note", Self.text("body")),
            LightweightTests.entity("Note", Self.text("body") + Self.text("title"))
        )
        // A database records the objects that the migration makes, too.
        guard versions.schema == nil else { return }
        try MappingFileText.write("Note", from: 1, to: 2, attributes: ["body"], relationships: [], versions)
        func save(_ body: String, _ context: NSManagedObjectContext) throws -> NSPersistentHistoryToken {
            context.add("Note", ["body": body])
            try context.save()
            return try #require(context.persistentStoreCoordinator?.currentPersistentHistoryToken(fromStores: nil))
        }
        func changes(_ token: NSPersistentHistoryToken, _ context: NSManagedObjectContext) throws -> Int {
            let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
            request.resultType = .changesOnly
            let result = try #require(context.execute(request) as? NSPersistentHistoryResult)
            return try #require(result.result as? [NSPersistentHistoryChange]).count
        }
        let options: [AnyHashable: Any] = [NSPersistentHistoryTrackingKey: true]
        let tokens = try versions.use(1, options: options) { context in
            [try save("a", context), try save("b", context)]
        }
        try versions.use(2) { context in
            // The objects have other keys, so the changes before are of no use.
            let error = #expect(throws: NSError.self) { _ = try changes(tokens[0], context) }
            expectEqual(error?.code, NSPersistentHistoryTokenExpiredError)
            try expectEqual(changes(tokens[1], context), 0)
            _ = try save("c", context)
            try expectEqual(changes(tokens[1], context), 1)
        }
    }
}
