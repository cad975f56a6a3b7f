// Names with characters that SQL takes in quotes only: a model made in code may have any.
import ExpectationSupport
import Foundation
import GraphSupport
import ManagedGraph
import ManagedGraphTools
import Testing

@Suite("Names that SQL takes in quotes only") struct NamesInSQLTests {
    private static let text = "full text"
    private static let team = "Team \"A\""
    private static let person = "Person-1"

    /// Every kind of property and relationship, with names that need quotes.
    private func model(more: [NSPropertyDescription] = []) -> NSManagedObjectModel {
        let team = NSEntityDescription(
            Self.team,
            [
                NSAttributeDescription("name"), NSAttributeDescription(Self.text),
                NSAttributeDescription("rank no", .integer64AttributeType),
            ]
        )
        let count = NSDerivedAttributeDescription()
        (count.name, count.attributeType, count.isOptional) = ("member count", .integer64AttributeType, true)
        count.derivationExpression = NSExpression(
            forFunction: "count:",
            arguments: [NSExpression(forKeyPath: "all_members")]
        )
        let picture = NSAttributeDescription("large picture", .binaryDataAttributeType)
        picture.allowsExternalBinaryDataStorage = true
        let kept = NSAttributeDescription("kept text")
        kept.preservesValueInHistoryOnDeletion = true
        let person = NSEntityDescription(Self.person, [NSAttributeDescription("name"), kept, picture] + more)
        team.properties.append(count)
        team.relate("all_members", toMany: true, to: person, "its team")
        team.relate("in order", toMany: true, to: person, "ordered team", rule: .cascadeDeleteRule, ordered: true)
        person.relate("best friends", toMany: true, to: person, "friends of", inverseToMany: true)
        team.relate("the fans", toMany: true, to: person, "fan of", inverseToMany: true, ordered: true)
        person.uniquenessConstraints = [["kept text"]]
        let index = NSFetchIndexDescription(
            name: "by text",
            elements: [NSFetchIndexElementDescription(property: team.properties[1], collationType: .binary)]
        )
        team.indexes = [index]
        let model = NSManagedObjectModel()
        model.entities = [team, person]
        return model
    }

    private func fill(_ context: NSManagedObjectContext) throws {
        let team = context.make(Self.team, ["name": "t", Self.text: "some text", "rank no": 3])
        let people = ["a", "b", "c"].map { name in
            context.make(Self.person, ["name": name, "kept text": "k" + name, "its team": team])
        }
        team.setValue(NSOrderedSet(array: [people[2], people[0]]), forKey: "in order")
        team.setValue(NSOrderedSet(array: [people[1], people[0]]), forKey: "the fans")
        people[0].setValue(Set(people[1...]), forKey: "best friends")
        people[0].setValue(Data(repeating: 7, count: 200_000), forKey: "large picture")
        try context.save()
    }

    private func one(_ name: String, _ entity: String, _ context: NSManagedObjectContext) throws -> NSManagedObject {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.predicate = NSPredicate(format: "name == %@", name)
        return try #require(try context.fetch(request).first)
    }

    private func withStore(_ body: (NSManagedObjectContext, URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "names-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let url = folder.appending(path: "Names.sqlite")
        let options: [AnyHashable: Any] = [NSPersistentHistoryTrackingKey: true]
        try model().withStore(at: url, options: options) { try fill($0) }
        try model().withStore(at: url, options: options) { try body($0, url) }
        expectEqual(StoreChecker().check(url, with: model()).problems, [])
    }

    @Test func objectsAreRead() throws {
        try withStore { context, _ in
            let team = try one("t", Self.team, context)
            expectEqual(team.value(forKey: Self.text) as? String, "some text")
            expectEqual(team.value(forKey: "member count") as? Int, 3)
            expectEqual(team.names("all_members"), ["a", "b", "c"])
            expectEqual(team.names("in order"), ["c", "a"])
            expectEqual(team.names("the fans"), ["b", "a"])
            let first = try one("a", Self.person, context)
            expectEqual(first.names("best friends"), ["b", "c"])
            expectEqual((first.value(forKey: "large picture") as? Data)?.count, 200_000)
            let request = NSFetchRequest<NSManagedObject>(entityName: Self.team)
            request.relationshipKeyPathsForPrefetching = ["all_members", "in order", "the fans"]
            request.predicate = NSPredicate(
                format: "%K BEGINSWITH[cd] 'SOME' AND ANY all_members.name == 'b'",
                Self.text
            )
            request.sortDescriptors = [NSSortDescriptor(key: "rank no", ascending: true)]
            try expectEqual(context.fetch(request).map { $0.names("in order") }, [["c", "a"]])
        }
    }

    @Test func objectsAreChanged() throws {
        try withStore { context, _ in
            let team = try one("t", Self.team, context)
            let (a, b, c) = try (
                one("a", Self.person, context), one("b", Self.person, context), one("c", Self.person, context)
            )
            team.setValue(NSOrderedSet(array: [a, b, c]), forKey: "in order")
            team.setValue(NSOrderedSet(array: [c]), forKey: "the fans")
            c.setValue(nil, forKey: "its team")
            a.setValue(Set([c]), forKey: "best friends")
            // Two rows exchange their unique values.
            a.setValue("kb", forKey: "kept text")
            b.setValue("ka", forKey: "kept text")
            try context.save()
            context.reset()
            let saved = try one("t", Self.team, context)
            expectEqual(saved.names("in order"), ["a", "b", "c"])
            expectEqual(saved.names("the fans"), ["c"])
            expectEqual(saved.value(forKey: "member count") as? Int, 2)
            try expectEqual(one("a", Self.person, context).names("best friends"), ["c"])
            try expectEqual(one("a", Self.person, context).value(forKey: "kept text") as? String, "kb")
        }
    }

    @Test func objectsAreDeleted() throws {
        try withStore { context, _ in
            // The cascade deletes c and a.
            context.delete(try one("t", Self.team, context))
            try context.save()
            try expectEqual(context.fetch(NSFetchRequest<NSManagedObject>(entityName: Self.person)).count, 1)
            let request = NSPersistentHistoryChangeRequest.fetchHistory(after: .distantPast)
            let result = try context.execute(request) as? NSPersistentHistoryResult
            let changes = (result?.result as? [NSPersistentHistoryTransaction])?.last?.changes ?? []
            let tombstones = changes.compactMap { $0.tombstone?["kept text"] as? String }
            expectEqual(tombstones.sorted(), ["ka", "kc"])
        }
    }

    @Test func batchesChangeTheirRows() throws {
        try withStore { context, _ in
            let update = NSBatchUpdateRequest(entityName: Self.person)
            update.predicate = NSPredicate(format: "%K == 'ka'", "kept text")
            update.propertiesToUpdate = ["kept text": "new"]
            try context.execute(update)
            try expectEqual(one("a", Self.person, context).value(forKey: "kept text") as? String, "new")
            let insert = NSBatchInsertRequest(entityName: Self.person, objects: [["name": "b2", "kept text": "kb"]])
            context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            try context.execute(insert)
            try expectEqual(one("b2", Self.person, context).value(forKey: "kept text") as? String, "kb")
            let people = NSFetchRequest<any NSFetchRequestResult>(entityName: Self.person)
            people.predicate = NSPredicate(format: "%K == 'new'", "kept text")
            try context.execute(NSBatchDeleteRequest(fetchRequest: people))
            let teams = NSFetchRequest<any NSFetchRequestResult>(entityName: Self.team)
            try context.execute(NSBatchDeleteRequest(fetchRequest: teams))
            try expectEqual(context.fetch(NSFetchRequest<NSManagedObject>(entityName: Self.person)).count, 1)
        }
    }

    @Test func aStoreIsMigratedCopiedAndCheckedForDuplicates() throws {
        try withStore { _, url in
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model())
            let history: [AnyHashable: Any] = [NSPersistentHistoryTrackingKey: true]
            let store = try coordinator.addPersistentStore(type: .sqlite, at: url, options: history)
            let copy = url.deletingLastPathComponent().appending(path: "Copy.xml")
            _ = try coordinator.migratePersistentStore(store, to: copy, options: nil, type: .xml)
            let back = url.deletingLastPathComponent().appending(path: "Back.sqlite")
            let second = NSPersistentStoreCoordinator(managedObjectModel: model())
            let atomic = try second.addPersistentStore(type: .xml, at: copy)
            let moved = try second.migratePersistentStore(atomic, to: back, options: nil, type: .sqlite)
            try second.remove(moved)
            let grown = model(more: [NSAttributeDescription("one more", .UUIDAttributeType)])
            let options: [AnyHashable: Any] = [
                NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
            ]
            try grown.withStore(at: back, options: options) { context in
                try expectEqual(one("t", Self.team, context).names("in order"), ["c", "a"])
                for person in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: Self.person)) {
                    person.setValue("same", forKey: "name")
                }
                try context.save()
            }
            expectEqual(StoreChecker().check(back, with: grown).problems, [])
            let unique = model(more: [NSAttributeDescription("one more", .UUIDAttributeType)])
            unique.entitiesByName[Self.person]?.uniquenessConstraints = [["name"]]
            let error = #expect(throws: NSError.self) {
                try unique.withStore(at: back, options: options) { _ in }
            }
            let reason = error.map { "\($0.userInfo)" } ?? ""
            #expect(reason.contains("1 values are there more than once"), "\(reason)")
        }
    }
}
