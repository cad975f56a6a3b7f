// NSBatchDeleteRequest: the deleted rows, nullified references, reported identifiers.
import ExpectationSupport
import Foundation
import Testing

@testable import ManagedGraph
@testable import StackSupport

@Suite("Batch deletes")
struct BatchDeleteTests {
    private func delete(
        _ stack: Stack,
        _ request: NSBatchDeleteRequest,
        _ type: NSBatchDeleteRequestResultType = .resultTypeCount
    ) throws -> Any? {
        request.resultType = type
        return try stack.execute(request, as: NSBatchDeleteResult.self)?.result
    }

    private func request(_ entity: String, _ format: String = "TRUEPREDICATE") -> NSFetchRequest<NSManagedObject> {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.predicate = NSPredicate(format: format)
        return request
    }

    /// A class with a typed request beside the one of its superclass, like generated classes.
    private final class Typed: NSManagedObject {
        @nonobjc class func fetchRequest() -> NSFetchRequest<Typed> { NSFetchRequest(entityName: "Typed") }
    }

    @Test("A request needs no result type, and one of a class may have its own")
    func types() throws {
        let stack = try Stack()
        try stack.fill(places: 1, tasks: 2)
        try expectEqual(
            delete(stack, NSBatchDeleteRequest(fetchRequest: NSFetchRequest(entityName: "Task"))) as? Int,
            2
        )
        let typed: NSFetchRequest<Typed> = Typed.fetchRequest()
        expectEqual(NSBatchDeleteRequest(fetchRequest: typed).fetchRequest.entityName, "Typed")
        // Compiles as on Apple's platforms, with the superclass's method.
        _ = { NSBatchDeleteRequest(fetchRequest: Typed.fetchRequest()) }
    }

    @Test("Members whose rows are not in memory leave the relationships that were read")
    func unreadMembers() throws {
        let stack = try Stack()
        try stack.fill(places: 1, tasks: 3)
        try stack.context.run { () throws in
            stack.context.reset()
            let place = try #require(
                try stack.context.fetch(NSFetchRequest<TestLocation>(entityName: "Location")).first
            )
            let identifiers = place.objectIDs(forRelationshipNamed: "tasks")
            expectEqual(place.tasks?.count, 3)
            try stack.context.execute(NSBatchDeleteRequest(objectIDs: Array(identifiers.prefix(2))))
            var changes = 0
            stack.context.observingChanges {
                changes += 1
            } during: {
                NSManagedObjectContext.mergeChanges(
                    fromRemoteContextSave: [NSDeletedObjectsKey: Array(identifiers.prefix(2))],
                    into: [stack.context]
                )
            }
            expectEqual(place.tasks?.count, 1)
            expectEqual(changes, 1)
        }
    }

    @Test("Deletes the rows that the request fetches, with its limit and order")
    func fetched() throws {
        let stack = try Stack()
        try stack.fill(places: 3, tasks: 4)
        try expectEqual(delete(stack, NSBatchDeleteRequest(fetchRequest: request("Task", "text == 't1'"))) as? Int, 4)
        let limited = request("Task")
        limited.fetchLimit = 3
        limited.sortDescriptors = [NSSortDescriptor(key: "text", ascending: false)]
        try expectEqual(delete(stack, NSBatchDeleteRequest(fetchRequest: limited)) as? Int, 3)
        try expectEqual(
            stack.rows("SELECT ZTEXT, count(*) FROM ZTASK GROUP BY 1 ORDER BY 1"),
            [
                [.text("t0"), .integer(4)], [.text("t2"), .integer(1)],
            ]
        )
    }

    @Test("Deletes rows of the stores alone that the fetch request affects")
    func affectedStores() throws {
        let stack = try Stack()
        try stack.fill(places: 1, tasks: 2)
        let second = try stack.addStore("Second.sqlite")
        let context = stack.context
        try context.run { () throws in
            for text in ["a", "b", "c"] { context.assign(context.task(text), to: second) }
            try context.save()
        }
        let fetch = request("Task")
        fetch.affectedStores = [second]
        let deletion = NSBatchDeleteRequest(fetchRequest: fetch)
        expectEqual(deletion.affectedStores, [second])
        try expectEqual(delete(stack, deletion) as? Int, 3)
        try expectEqual(stack.rows("SELECT count(*) FROM ZTASK"), [[.integer(2)]])
    }

    @Test("Deletes the rows of the given identifiers and reports all deleted rows")
    func identifiers() throws {
        let stack = try Stack(model: TasksModel.make(tasksRule: .cascadeDeleteRule))
        try stack.fill(places: 2, tasks: 3)
        let places = try stack.context.performAndWait { () throws in
            try stack.context.fetch(request("Location", "name == '0'")).map(\.objectID)
        }
        let gone = try delete(stack, NSBatchDeleteRequest(objectIDs: places), .resultTypeObjectIDs)
        let identifiers = try #require(gone as? [NSManagedObjectID])
        expectEqual(identifiers.count, 4)
        expectEqual(Set(identifiers.compactMap(\.entity.name)), ["Task", "Location"])
        try expectEqual(stack.rows("SELECT count(*) FROM ZTASK"), [[.integer(3)]])
        try expectEqual(delete(stack, NSBatchDeleteRequest(objectIDs: [])) as? Int, 0)
    }

    @Test("Identifiers of rows that are gone are not part of the result")
    func identifiersWithoutRows() throws {
        let stack = try Stack()
        try stack.fill(places: 1, tasks: 3)
        let tasks = try stack.context.performAndWait { () throws in
            try stack.context.fetch(request("Task")).map(\.objectID)
        }
        try expectEqual(delete(stack, NSBatchDeleteRequest(objectIDs: Array(tasks.prefix(1)))) as? Int, 1)
        let gone = try delete(stack, NSBatchDeleteRequest(objectIDs: tasks), .resultTypeObjectIDs)
        expectEqual(Set(gone as? [NSManagedObjectID] ?? []), Set(tasks.dropFirst()))
        try expectEqual(delete(stack, NSBatchDeleteRequest(objectIDs: tasks)) as? Int, 0)
    }

    @Test("Identifiers of another coordinator stand for the rows of their own store alone")
    func identifiersOfOtherCoordinators() throws {
        let model = TasksModel.make()
        let (stack, other) = (try Stack(model: model), try Stack(model: model))
        for stack in [stack, other] { try stack.fill(places: 1, tasks: 3) }
        func identifiers(_ context: NSManagedObjectContext) throws -> [NSManagedObjectID] {
            try context.performAndWait { () throws in try context.fetch(request("Task")).map(\.objectID) }
        }
        // The keys are the same in both files.
        try expectEqual(delete(stack, NSBatchDeleteRequest(objectIDs: identifiers(other.context))) as? Int, 0)
        try expectEqual(stack.rows("SELECT count(*) FROM ZTASK"), [[.integer(3)]])
        // The same file, with a model of its own, as the second store of its coordinator.
        let second = try Stack()
        try second.coordinator.addPersistentStore(type: .sqlite, at: stack.url)
        let foreign = try identifiers(second.context).filter { $0.persistentStore?.url == stack.url }
        expectEqual(foreign.count, 3)
        try expectEqual(delete(stack, NSBatchDeleteRequest(objectIDs: Array(foreign.prefix(2)))) as? Int, 2)
        try expectEqual(stack.rows("SELECT count(*) FROM ZTASK"), [[.integer(1)]])
        try expectEqual(other.rows("SELECT count(*) FROM ZTASK"), [[.integer(3)]])
    }

    @Test("Identifiers stay valid when their store is added again")
    func identifiersOfAStoreAddedAgain() throws {
        let stack = try Stack()
        try stack.fill(places: 1, tasks: 2)
        let context = stack.context
        let (places, tasks) = try context.performAndWait { () throws in
            (try context.fetch(request("Location")).map(\.objectID), try context.fetch(request("Task")).map(\.objectID))
        }
        try stack.coordinator.remove(try #require(stack.coordinator.persistentStores.first))
        try stack.coordinator.addPersistentStore(type: .sqlite, at: stack.url)
        let place = try #require(places.first)
        let insertion = NSBatchInsertRequest(entityName: "Task", objects: [["text": "new", "location": place]])
        insertion.resultType = .count
        try expectEqual(stack.execute(insertion, as: NSBatchInsertResult.self)?.result as? Int, 1)
        try expectEqual(stack.rows("SELECT count(*) FROM ZTASK WHERE ZLOCATION NOT NULL"), [[.integer(3)]])
        try expectEqual(delete(stack, NSBatchDeleteRequest(objectIDs: tasks)) as? Int, 2)
        try expectEqual(stack.rows("SELECT count(*) FROM ZTASK"), [[.integer(1)]])
    }

    @Test("Identifiers count once each, in any order", arguments: [NSDeleteRule.nullifyDeleteRule, .cascadeDeleteRule])
    func repeatedIdentifiers(rule: NSDeleteRule) throws {
        let stack = try Stack(model: TasksModel.make(tasksRule: rule))
        try stack.fill(places: 2, tasks: 3)
        let places = try stack.context.performAndWait { () throws in
            try stack.context.fetch(request("Location")).map(\.objectID)
        }
        expectEqual(places.count, 2)
        let gone = try delete(stack, NSBatchDeleteRequest(objectIDs: places.reversed() + places), .resultTypeObjectIDs)
        let identifiers = try #require(gone as? [NSManagedObjectID])
        let isCascade = rule == .cascadeDeleteRule
        expectEqual(identifiers.count, isCascade ? 8 : 2)
        expectEqual(Set(identifiers).count, identifiers.count)
        try expectEqual(stack.rows("SELECT count(*) FROM ZLOCATION"), [[.integer(0)]])
        try expectEqual(stack.rows("SELECT count(*) FROM ZTASK"), [[.integer(isCascade ? 0 : 6)]])
    }

    @Test("Nullify clears references in columns and join tables and increments versions")
    func nullify() throws {
        let stack = try Stack()
        try stack.fill(places: 1, tasks: 2)
        try stack.context.run { () throws in
            let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: stack.context)
            tag.setValue(Set(try stack.context.tasks()) as NSSet, forKey: "tagged")
            try stack.context.save()
        }
        try expectEqual(delete(stack, NSBatchDeleteRequest(fetchRequest: request("Location"))) as? Int, 1)
        try expectEqual(stack.rows("SELECT count(*) FROM ZTASK WHERE ZLOCATION IS NULL AND Z_OPT > 1"), [[.integer(2)]])
        try expectEqual(delete(stack, NSBatchDeleteRequest(fetchRequest: request("Tag"))) as? Int, 1)
        let joins = try stack.rows(
            "SELECT name FROM sqlite_master WHERE name LIKE 'Z\\__T%' ESCAPE '\\' AND type = 'table'"
        )
        guard case .text(let table)? = joins.first?.first else { throw CancellationError() }
        try expectEqual(stack.rows("SELECT count(*) FROM \(table)"), [[.integer(0)]])
        try expectEqual(stack.rows("SELECT count(*) FROM ZTASK"), [[.integer(2)]])
    }

    @Test("Contexts detach deleted objects and update relationships if the request says so")
    func merging() throws {
        let stack = try Stack()
        try stack.fill(places: 2, tasks: 2)
        let context = stack.context
        try context.run { () throws in
            let tasks = try context.tasks()
            let place = try #require(tasks.first?.location)
            expectEqual(place.name, "0")
            let deletion = NSBatchDeleteRequest(fetchRequest: request("Location", "name == '0'"))
            deletion.mergesIntoContexts = true
            try expectEqual(delete(stack, deletion) as? Int, 1)
            expectEqual(tasks.map { $0.location?.name }, [nil, nil, "1", "1"])
            #expect(place.isDeleted || place.managedObjectContext == nil)
            let tasksGone = NSBatchDeleteRequest(fetchRequest: request("Task", "text == 't1'"))
            tasksGone.mergesIntoContexts = true
            try expectEqual(delete(stack, tasksGone) as? Int, 2)
            try expectEqual(context.count(for: request("Task")), 2)
            #expect(context.updatedObjects.isEmpty && context.deletedObjects.contains(place))
            try context.save()
            #expect(!context.hasChanges)
        }
    }

    @Test("Deletes the files of large values with their rows")
    func externalFiles() throws {
        let model = TasksModel.make()
        model.entitiesByName["Task"]?.attributesByName["picture"]?.allowsExternalBinaryDataStorage = true
        let stack = try Stack(model: model)
        try stack.context.run { () throws in
            for _ in 0..<3 { stack.context.task("p").setValue(Data(count: 200_000), forKey: "picture") }
            try stack.context.save()
        }
        let folder = stack.folder.appending(path: ".Tasks_SUPPORT/_EXTERNAL_DATA")
        try expectEqual(FileManager.default.contentsOfDirectory(atPath: folder.path).count, 3)
        try expectEqual(delete(stack, NSBatchDeleteRequest(fetchRequest: request("Task"))) as? Int, 3)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }

    @Test("Rejects unsaved objects, and objects of two entities")
    func refusals() throws {
        let stack = try Stack()
        try stack.fill(places: 1, tasks: 1)
        let context = stack.context
        try context.run { () throws in
            let new = context.task("new").objectID
            #expect(throws: NSError.self) { try delete(stack, NSBatchDeleteRequest(objectIDs: [new])) }
            let both =
                try context.fetch(request("Task")).map(\.objectID).filter { !$0.isTemporaryID }
                + context.fetch(request("Location")).map(\.objectID)
            #expect(throws: NSError.self) { try delete(stack, NSBatchDeleteRequest(objectIDs: both)) }
            try expectEqual(context.count(for: request("Location")), 1)
        }
    }
}
