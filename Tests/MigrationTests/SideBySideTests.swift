// Two versions of a store side by side: coordinators of both read and write the same rows; then the old one is removed,
// or the new one.
import ExpectationSupport
import Foundation
import GraphPostgreSQL
import GraphSupport
import ManagedGraph
import ManagedGraphPostgreSQL
import PostgreSQLSupport
import Testing

@Suite("PostgreSQL: versions side by side", .enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed"))
struct SideBySideTests {
    private static func attribute(_ name: String, _ type: String, _ more: String = "") -> String {
        "<attribute name=\"\(name)\" attributeType=\"\(type)\" \(more)/>"
    }

    private static func relationship(_ name: String, _ destination: String, _ inverse: String, many: Bool) -> String {
        "<relationship name=\"\(name)\" optional=\"YES\" destinationEntity=\"\(destination)\" inverseName=\"\(inverse)\" "
            + "inverseEntity=\"\(destination)\" \(many ? "toMany=\"YES\"" : "maxCount=\"1\"")/>"
    }

    /// Attributes are renamed, added, removed, widened, made required and made optional; an entity is renamed, another
    /// one added.
    private static let texts = [
        LightweightTests.entity(
            "Album",
            attribute("size", "Integer 16", "optional=\"YES\"") + attribute("title", "String", "optional=\"YES\"")
                + attribute("gone", "String", "defaultValueString=\"old\"")
                + attribute("loose", "Integer 64", "optional=\"YES\"")
                + attribute("strict", "String", "defaultValueString=\"s\"")
                + relationship("songs", "Song", "album", many: true)
        )
            + LightweightTests.entity(
                "Song",
                attribute("title", "String", "optional=\"YES\"") + relationship("album", "Album", "songs", many: false)
            ),
        LightweightTests.entity(
            "Record",
            attribute("size", "Integer 32", "optional=\"YES\"")
                + attribute("name", "String", "optional=\"YES\" elementID=\"title\"")
                + attribute("added", "Integer 32", "defaultValueString=\"7\"")
                + attribute("loose", "Integer 64", "defaultValueString=\"9\"")
                + attribute("strict", "String", "optional=\"YES\"")
                + relationship("songs", "Song", "album", many: true)
                + relationship("label", "Label", "records", many: false),
            "elementID=\"Album\""
        )
            + LightweightTests.entity(
                "Song",
                attribute("title", "String", "optional=\"YES\"") + relationship("album", "Record", "songs", many: false)
            )
            + LightweightTests.entity(
                "Label",
                attribute("name", "String", "optional=\"YES\"") + relationship("records", "Record", "label", many: true)
            ),
    ]

    private func versions() throws -> Versions {
        let versions = try Versions.$areInDatabase.withValue(true) { try Versions(Self.texts) }
        try versions.fill { context in
            for number in 0..<25 {
                let album = context.add("Album", ["title": "a\(number)", "size": number])
                context.add("Song", ["title": "s\(number)", "album": album])
            }
        }
        return versions
    }

    private func side(_ versions: Versions) throws -> PostgreSQLVersions {
        PostgreSQLVersions(at: versions.store, model: try versions.model(2))
    }

    private func views(_ versions: Versions) -> URL {
        URL(string: versions.store.absoluteString + "&versions=views") ?? versions.store
    }

    private func one(_ context: NSManagedObjectContext, _ entity: String, _ format: String) throws -> NSManagedObject {
        context.refreshAllObjects()
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.predicate = NSPredicate(format: format)
        return try #require(try context.fetch(request).first, "\(entity) \(format)")
    }

    @Test("Two coordinators of two versions read and write the same rows; then the old one is removed")
    func bothVersionsWork() throws {
        let versions = try versions()
        let old = try versions.open(1, migrates: false)
        try old.performAndWait { try expectEqual(old.all("Album").count, 25) }
        try side(versions).expand()
        try side(versions).expand()
        let new = try versions.open(2, at: views(versions), migrates: false)
        try new.performAndWait {
            try expectEqual(new.all("Record").count, 25)
            let record = try one(new, "Record", "name == 'a7'")
            expectEqual(record.value(forKey: "size") as? Int, 7)
            expectEqual(record.value(forKey: "added") as? Int, 7)
            expectEqual(record.value(forKey: "loose") as? Int, 9)
            expectEqual((record.value(forKey: "songs") as? Set<NSManagedObject>)?.count, 1)
            record.setValue("renamed", forKey: "name")
            record.setValue(70, forKey: "size")
            record.setValue(new.add("Label", ["name": "l"]), forKey: "label")
            new.add("Record", ["name": "big", "size": 100_000, "strict": "n"])
            new.add("Record", ["name": "new", "size": 5, "strict": "n"])
            try new.save()
            let rows: [[String: Any]] = [["name": "batch 1", "strict": "n"], ["name": "batch 2", "strict": "n"]]
            try new.execute(NSBatchInsertRequest(entityName: "Record", objects: rows))
        }
        try old.performAndWait {
            try expectEqual(one(old, "Album", "title == 'renamed'").value(forKey: "size") as? Int, 70)
            try expectNil(one(old, "Album", "title == 'big'").value(forKey: "size"))
            let album = try one(old, "Album", "title == 'new'")
            expectEqual(album.value(forKey: "gone") as? String, "old")
            try expectEqual(one(old, "Album", "title == 'batch 2'").value(forKey: "gone") as? String, "old")
            album.setValue("by old", forKey: "title")
            album.setValue(6, forKey: "size")
            album.setValue(nil, forKey: "loose")
            old.add("Album", ["title": "late", "size": 3])
            try old.save()
        }
        try new.performAndWait {
            try expectEqual(one(new, "Record", "name == 'by old'").value(forKey: "size") as? Int, 6)
            let late = try one(new, "Record", "name == 'late'")
            expectEqual(late.value(forKey: "size") as? Int, 3)
            expectEqual(late.value(forKey: "added") as? Int, 7)
            expectEqual(late.value(forKey: "loose") as? Int, 9)
            let keys = try new.all("Record").map { $0.objectID.uriRepresentation().lastPathComponent }
            expectEqual(Set(keys).count, 30)
        }
        try expectHistory(new, "Record", ["loose", "name", "size"])
        try expectHistory(old, "Album", ["loose", "size", "title"])
        // A direct migration would remove the tables on which the views depend.
        #expect(throws: NSError.self) { _ = try versions.open(2) }

        try side(versions).contract()
        try versions.expectContracted()
        let failure = old.performAndWait { () -> NSError? in
            old.rollback()
            old.add("Song", ["title": "too late"])
            return #expect(throws: NSError.self) { try old.save() }
        }
        expectEqual(failure?.code, NSPersistentStoreIncompatibleVersionHashError)
        // Programs of the new version keep working.
        try new.performAndWait {
            try one(new, "Record", "name == 'late'").setValue("after", forKey: "name")
            new.add("Record", ["name": "more", "size": 200_000])
            try new.save()
        }
        try versions.use(2) { context in
            try expectEqual(context.all("Record").count, 31)
            context.add("Record", ["name": "last"])
            try context.save()
            let record = try one(context, "Record", "name == 'renamed'")
            expectEqual((record.value(forKey: "label") as? NSManagedObject)?.value(forKey: "name") as? String, "l")
            try expectEqual(one(context, "Record", "name == 'big'").value(forKey: "size") as? Int, 100_000)
        }
    }

    /// Expects the last change of an entity's objects by the other version, in this version's properties.
    private func expectHistory(_ context: NSManagedObjectContext, _ entity: String, _ properties: [String]) throws {
        try context.performAndWait {
            let request = NSPersistentHistoryChangeRequest.fetchHistory(after: Date.distantPast)
            let result = try #require(context.execute(request) as? NSPersistentHistoryResult)
            let changes = try #require(result.result as? [NSPersistentHistoryTransaction]).flatMap { $0.changes ?? [] }
            let updates = changes.filter { $0.changeType == .update && $0.changedObjectID.entity.name == entity }
            let names = (updates.last?.updatedProperties ?? []).map(\.name).sorted()
            expectEqual(names, properties)
        }
    }

    private func titles(_ context: NSManagedObjectContext, _ entity: String) throws -> [String] {
        try context.all(entity).compactMap { $0.value(forKey: "title") as? String }.sorted()
    }

    @Test("A new entity gets the name of one that was renamed")
    func reusedName() throws {
        let title = LightweightTests.title
        let versions = try Versions.$areInDatabase.withValue(true) {
            try Versions(
                LightweightTests.entity("Album", title) + LightweightTests.entity("Song", title),
                LightweightTests.entity("Record", title, "elementID=\"Album\"")
                    + LightweightTests.entity("Album", title, "elementID=\"Photos\"")
                    + LightweightTests.entity("Song", title)
            )
        }
        try versions.fill { context in
            for number in 0..<3 { context.add("Album", ["title": "a\(number)"]) }
        }
        try side(versions).expand()
        let new = try versions.open(2, at: views(versions), migrates: false)
        try new.performAndWait {
            try expectEqual(titles(new, "Record"), ["a0", "a1", "a2"])
            new.add("Album", ["title": "photos"])
            try new.save()
        }
        try side(versions).contract()
        try versions.expectContracted()
        try versions.use(2) { context in
            try expectEqual(titles(context, "Album"), ["photos"])
            context.add("Record", ["title": "a3"])
            context.add("Album", ["title": "more"])
            try context.save()
            try expectEqual(titles(context, "Record"), ["a0", "a1", "a2", "a3"])
            try expectEqual(titles(context, "Album"), ["more", "photos"])
        }
    }

    @Test("A second version can be given up, and leaves the store as it was")
    func goingBack() throws {
        let versions = try versions()
        let before = try SchemaTables(versions.store)
        try side(versions).expand()
        try side(versions).abandon()
        // Opening creates the check constraints.
        try versions.use(1) { _ in }
        let differences = try SchemaTables(versions.store).differences(from: before)
        expectEqual(differences.filter { !$0.contains("_store.next_") }, [])
        try versions.use(1) { context in
            context.add("Album", ["title": "more"])
            try context.save()
            try expectEqual(context.all("Album").count, 26)
        }
        try versions.use(2) { try expectEqual($0.all("Record").count, 26) }
    }

    @Test("Going back with another model than that of the second version is refused, and nothing is changed")
    func goingBackWithAnotherModel() throws {
        let versions = try versions()
        try side(versions).expand()
        let before = try versions.content()
        let other = try versions.model(2)
        let record = try #require(other.entitiesByName["Record"])
        record.properties.removeAll { $0.name == "added" }
        let error = #expect(throws: NSError.self) {
            try PostgreSQLVersions(at: versions.store, model: other).abandon()
        }
        expectEqual(error?.localizedDescription.contains("another model"), true, "\(String(describing: error))")
        try expectEqual(versions.content(), before)
        try versions.use(2, at: views(versions)) { try expectEqual($0.all("Record").count, 25) }
        try side(versions).abandon()
        try versions.use(1) { try expectEqual($0.all("Album").count, 25) }
    }

    @Test("A change that moves rows is refused with its reason, and nothing is changed")
    func obstacles() throws {
        let title = LightweightTests.title
        let versions = try Versions.$areInDatabase.withValue(true) {
            try Versions(
                LightweightTests.entity("Base", title) + LightweightTests.entity("Note", "", "parentEntity=\"Base\""),
                LightweightTests.entity("Base", title) + LightweightTests.entity("Note", title)
            )
        }
        try versions.fill { $0.add("Note", ["title": "a"]) }
        let before = try versions.content()
        let error = #expect(throws: NSError.self) { try side(versions).expand() }
        expectEqual(error?.code, NSMigrationError)
        expectEqual(error?.localizedDescription.contains("side by side"), true)
        try expectEqual(versions.content(), before)
    }
}

extension Versions {
    /// Expects the tables of a new store of the last version, apart from the objects of a second version.
    fileprivate func expectContracted() throws {
        // Opening creates the check constraints.
        try use(names.count) { _ in }
        let differences = try differencesFromNewStore().filter { !$0.contains("_store.next_") }
        expectEqual(differences, [])
    }
}
