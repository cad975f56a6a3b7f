// No unbounded growth and no row-by-row queries, checked with ten thousand objects.
import ExpectationSupport
import Foundation
import GraphEngine
import GraphSupport
import Testing

@testable import ManagedGraph
@testable import StackSupport

@Suite("Growth") struct GrowthTests {
    @Test("The identity map frees pages without objects")
    func pages() {
        let pages = KeyPages()
        let entity = NSEntityDescription()
        let object = NSManagedObject(entity: entity, insertInto: nil)
        for key in [Int64(5), 6, 70_000, 40_000_000] { pages.set(key, object) }
        expectEqual(pages.pageCount, 3)
        #expect(pages.object(6) === object)
        pages.remove(5, object)
        expectEqual(pages.pageCount, 3)
        for key in [Int64(6), 70_000, 40_000_000] { pages.remove(key, object) }
        expectEqual(pages.pageCount, 0)
        expectNil(pages.object(6))
        for round in 0..<10_000 {
            let key = Int64(round) * 256
            pages.set(key, object)
            // Counting reads the whole table.
            if round.isMultiple(of: 100) { expectEqual(pages.pageCount, 1) }
            pages.remove(key, object)
        }
        expectEqual(pages.pageCount, 0)
    }

    /// With a copy of the map for each reference, this takes longer than the limit.
    @Test("References of a custom store get keys in place", .timeLimit(.minutes(1)))
    func references() {
        let map = ReferenceMap()
        for number in 1...100_000 as ClosedRange<Int64> {
            map.note(NSNumber(value: number), key: number, tree: "Task", entity: "Task")
            expectEqual(map.key("text \(number)", tree: "Tag", entity: "Tag"), number)
        }
        expectEqual(map.key(NSNumber(value: 5), tree: "Task", entity: "Task"), 5)
        expectEqual(map.text(9, tree: "Tag"), "text 9")
    }

    @Test("A fetch for one value evaluates only the unsaved objects with that value")
    func findOrCreate() throws {
        let stack = try Stack()
        try stack.context.performAndWait { () throws in
            let context = stack.context
            let layout = try context.requireCoordinator().compiledModel.layout(named: "Task")
            let place = PendingIndex.Place(tree: layout.tree.index, name: "text")
            let request = NSFetchRequest<TestTask>(entityName: "Task")
            for number in 0..<10_000 {
                request.predicate = NSPredicate(format: "text == %@", "\(number % 5_000)")
                let tasks = try context.fetch(request)
                if let task = tasks.first {
                    expectEqual(tasks.count, 1)
                    #expect(number >= 5_000)
                    task.text = "\(number)"
                } else {
                    _ = context.task("\(number)")
                }
            }
            expectEqual(context.insertedObjects.count, 5_000)
            expectEqual(context.pendingObjects(with: .text("7777"), at: place).count, 1)
            // The former value yields candidates too; the predicate filters them.
            request.predicate = NSPredicate(format: "text == '2777'")
            #expect(try context.fetch(request).isEmpty)
            try expectEqual(context.count(for: request), 0)
            context.rollback()
            expectNil(context.pendingIndex)
        }
    }

    /// The texts of a thousand objects take five times longer than to fetch them.
    @Test("A fetch does not describe the objects that its predicate lists")
    func listedObjects() throws {
        let entity = NSEntityDescription("Entry")
        entity.managedObjectClassName = NSStringFromClass(DescribedEntry.self)
        entity.properties = NSAttributeDescription.list(["text": .stringAttributeType])
        let stack = try Stack(model: NSManagedObjectModel([entity]))
        let context = stack.context
        try context.performAndWait { () throws in
            let entries = (0..<10).map { _ in DescribedEntry(entity: entity, insertInto: context) }
            try context.save()
            let request = NSFetchRequest<DescribedEntry>(entityName: "Entry")
            request.predicate = NSPredicate(format: "SELF IN %@ AND text == nil", entries)
            try expectEqual(context.fetch(request).count, 10)
            expectEqual(DescribedEntry.descriptions.load(ordering: .relaxed), 0)
        }
    }

    @Test("Keys of saved objects are dropped when children have the permanent ones")
    func promotedKeys() throws {
        let stack = try Stack()
        let child = stack.context.makeChild()
        let keys = PromotedKeys(kept: 100)
        keys.children.add(child)
        var greatest = 0
        for round in 0..<100 {
            for number in 0..<50 {
                let serial = Int64(round * 50 + number)
                keys.note(temporary: -serial, permanent: ObjectKey(entity: 0, store: 0, primaryKey: serial + 1))
            }
            keys.dropOld()
            // The child updates its keys on its queue.
            child.performAndWait {}
            greatest = max(greatest, keys.count)
        }
        #expect(greatest < 500)
        expectEqual(keys.serial, 5_000)
        let newest = ObjectKey(entity: 0, store: -1, primaryKey: -4_999)
        expectEqual(keys.current(newest).primaryKey, 5_000)
    }

    @Test("A long-lived child can edit an object it saved many saves ago")
    func longLivedChild() throws {
        let stack = try Stack()
        let child = stack.context.makeChild()
        let first = try child.saveTask("first")
        try stack.context.performAndWait { () throws in try stack.context.save() }
        for number in 0..<20 {
            try child.saveTask("\(number)")
            try stack.context.performAndWait { () throws in try stack.context.save() }
        }
        try child.performAndWait { () throws in
            first.text = "edited"
            try child.save()
        }
        try stack.context.performAndWait { () throws in
            try stack.context.save()
            try expectEqual(stack.context.tasks("text == 'edited'").count, 1)
            try expectEqual(stack.context.tasks().count, 21)
        }
    }

    @Test("Finds ten thousand taken values with one statement for each constraint")
    func constraints() throws {
        let model = TasksModel.make()
        model.entitiesByName["Task"]?.uniquenessConstraints = [["text"]]
        let stack = try Stack(model: model)
        let other = stack.otherContext()
        try stack.context.saveTasks(10_000)
        other.mergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
        try other.performAndWait { () throws in
            for number in 0..<10_000 { _ = other.task("\(number)", priority: 7) }
            let before = stack.coordinator.statistics.statements
            try other.save()
            #expect(stack.coordinator.statistics.statements - before < 1_000)
            try expectEqual(other.count(for: NSFetchRequest<TestTask>(entityName: "Task")), 10_000)
        }
    }

    @Test("Reads ten thousand rows changed by another context with one statement")
    func conflicts() throws {
        let stack = try Stack()
        let other = stack.otherContext()
        try stack.context.saveTasks(10_000)
        other.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        try other.performAndWait { () throws in
            for task in try other.tasks() { task.priority = 3 }
            try stack.context.performAndWait { () throws in
                for task in try stack.context.tasks() { task.weight = 2 }
                try stack.context.save()
            }
            let before = stack.coordinator.statistics.statements
            try other.save()
            // Two attempts per row, the read, and the transactions.
            #expect(stack.coordinator.statistics.statements - before < 20_100)
            try expectEqual(other.tasks("priority == 3 AND weight == 2").count, 10_000)
        }
    }

    @Test("Detaches ten thousand members of one relationship in a single merge")
    func mergedDeletions() throws {
        let stack = try Stack()
        try stack.fill(places: 1, tasks: 10_000)
        let other = stack.otherContext()
        try other.performAndWait { () throws in
            let place = try #require(try other.fetch(NSFetchRequest<TestLocation>(entityName: "Location")).first)
            let tasks = try #require(place.tasks as? Set<TestTask>)
            #expect(tasks.allSatisfy { $0.location === place })
            let identifiers = tasks.prefix(9_990).map(\.objectID)
            let deleted = [NSDeletedObjectIDsKey: identifiers]
            NSManagedObjectContext.mergeChanges(fromRemoteContextSave: deleted, into: [other])
            expectEqual(place.tasks?.count, 10)
        }
    }
}
