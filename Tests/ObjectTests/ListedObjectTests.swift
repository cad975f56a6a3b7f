// Objects that leave a context's lists of changes and come back, within an event and after it: they are written,
// reported and undone once, and the lists do not have to be searched for them.
import ExpectationSupport
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import ManagedGraph
@testable import StackSupport

struct ListedObjectTests {
    private static let count = 50

    /// A stack with saved tasks, and the context's notifications of one run: how many objects of each kind.
    private func withTasks(
        _ body: (NSManagedObjectContext, [TestTask]) throws -> Void
    ) throws {
        let stack = try Stack()
        try stack.context.run { () throws in
            let tasks = (0..<Self.count).map { stack.context.task("t\($0)") }
            try stack.context.save()
            try body(stack.context, tasks)
            expectEqual(stack.context.invariantViolations(), [])
        }
    }

    /// The numbers of inserted, updated and deleted objects in each notification of a run.
    private func reported(
        _ name: NSNotification.Name,
        by context: NSManagedObjectContext,
        _ body: () throws -> Void
    ) rethrows -> [[Int]] {
        let counts = Mutex<[[Int]]>([])
        let observer = NotificationCenter.default.addObserver(forName: name, object: context, queue: nil) { note in
            let count = [NSInsertedObjectsKey, NSUpdatedObjectsKey, NSDeletedObjectsKey].map {
                (note.userInfo?[$0] as? Set<NSManagedObject>)?.count ?? 0
            }
            counts.withLock { $0.append(count) }
        }
        defer { NotificationCenter.default.removeObserver(observer) }
        try body()
        return counts.withLock { $0 }
    }

    private func rows(_ context: NSManagedObjectContext) throws -> Int {
        let other = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        other.persistentStoreCoordinator = context.persistentStoreCoordinator
        return try other.run { () throws in try other.count(for: NSFetchRequest<TestTask>(entityName: "Task")) }
    }

    @Test("The sets of changed objects are those of the objects' states after each of many changes", arguments: 1...4)
    func sets(seed: UInt64) throws {
        try withTasks { context, saved in
            var numbers = SeededNumbers(seed: seed)
            var tasks = saved
            context.undoManager = seed.isMultiple(of: 2) ? UndoManager() : nil
            for round in 0..<500 {
                let task = try #require(tasks.randomElement(using: &numbers))
                switch Int.random(in: 0..<14, using: &numbers) {
                case 0..<4: tasks.append(context.task("n\(round)"))
                case 4..<8 where !task.isDeleted && task.managedObjectContext === context: task.text = "x\(round)"
                case 8, 9: if task.managedObjectContext === context { context.delete(task) }
                case 10: context.insert(task)
                case 11:
                    if task.managedObjectContext === context { context.refresh(task, mergeChanges: round % 2 == 0) }
                case 12: context.undo()
                case 13 where round % 5 == 0: try context.save()
                case 13 where round % 7 == 0: context.rollback()
                default: context.processPendingChanges()
                }
                let live = tasks.filter { $0.managedObjectContext === context }
                expectEqual(context.insertedObjects, Set(live.filter { $0.isInserted && !$0.isDeleted }), "\(round)")
                expectEqual(context.updatedObjects, Set(live.filter { $0.isUpdated && !$0.isDeleted }), "\(round)")
                // Not those that were never saved.
                let deleted = context.deletedList.filter { $0.isDeleted && !$0.state.contains(.gone) }
                expectEqual(context.deletedObjects, Set(deleted), "\(round)")
            }
        }
    }

    @Test("A loop that asks for the inserted objects enters each into one set, and keeps none after the save")
    func setsInALoop() throws {
        weak var first: TestTask?
        try withTasks { context, _ in
            func insert() throws {
                let before = context.listedObjects.inserted.steps
                for number in 1...500 {
                    let task = context.task("t\(number)")
                    if number == 1 { first = task }
                    expectEqual(context.insertedObjects.count, number)
                    #expect(context.insertedObjects.contains(task))
                }
                expectEqual(context.listedObjects.inserted.steps - before, 500)
                try context.save()
            }
            try insert()
            expectEqual(context.insertedObjects, [])
        }
        #expect(first == nil)
    }

    @Test("Objects deleted and inserted again several times are listed, reported and deleted once")
    func deletions() throws {
        try withTasks { context, tasks in
            context.undoManager = UndoManager()
            let counts = reported(.NSManagedObjectContextObjectsDidChange, by: context) {
                for _ in 0..<3 {
                    for task in tasks { context.delete(task) }
                    for task in tasks { context.insert(task) }
                    expectEqual(context.deletedList.filter { $0.state.contains(.deleted) }.count, 0)
                }
                for task in tasks { context.delete(task) }
                expectEqual(context.deletedList.count, Self.count)
                expectEqual(context.invariantViolations(), [])
                context.processPendingChanges()
            }
            expectEqual(counts, [[0, 0, Self.count]])
            try context.save()
            try expectEqual(rows(context), 0)
            expectEqual(context.deletedList.count, 0)
            context.undo()
            expectEqual(context.insertedObjects.count, Self.count)
            try context.save()
            try expectEqual(rows(context), Self.count)
        }
    }

    @Test("Objects inserted again after their deletion was reported are reported as inserted, and saved as before")
    func reportedDeletions() throws {
        try withTasks { context, tasks in
            let counts = reported(.NSManagedObjectContextObjectsDidChange, by: context) {
                for task in tasks { context.delete(task) }
                context.processPendingChanges()
                for task in tasks { context.insert(task) }
                context.processPendingChanges()
            }
            expectEqual(counts, [[0, 0, Self.count], [Self.count, 0, 0]])
            #expect(!context.hasChanges)
            let saves = try reported(.NSManagedObjectContextDidSave, by: context) { try context.save() }
            expectEqual(saves, [[0, 0, 0]])
            try expectEqual(rows(context), Self.count)
        }
    }

    @Test(
        "Objects whose rows were deleted elsewhere are new ones when they are inserted again",
        arguments: [true, false]
    )
    func rowsDeletedElsewhere(isMerged: Bool) throws {
        try withTasks { context, tasks in
            let ids = tasks.map(\.objectID)
            tasks[1].text = "changed"
            let other = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            other.persistentStoreCoordinator = context.persistentStoreCoordinator
            try other.run { () throws in
                for id in ids { other.delete(other.object(with: id)) }
                try other.save()
            }
            if isMerged {
                NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSDeletedObjectsKey: ids], into: [context])
            } else {
                for task in tasks {
                    context.refresh(task, mergeChanges: false)
                    expectNil(task.text)
                }
            }
            for task in tasks { context.insert(task) }
            expectEqual(context.invariantViolations(), [])
            expectEqual(context.insertedObjects.count, Self.count)
            expectEqual(context.deletedObjects.count, 0)
            expectEqual(tasks.prefix(2).map(\.text), isMerged ? ["t0", "changed"] : [nil, nil])
            try context.save()
            try expectEqual(rows(context), Self.count)
            for task in tasks { context.delete(task) }
            expectEqual(context.deletedList.count, Self.count)
            try context.save()
            try expectEqual(rows(context), 0)
        }
    }

    @Test("Objects refreshed and changed again in one event are reported and saved once")
    func refreshes() throws {
        try withTasks { context, tasks in
            for round in 0..<3 {
                for task in tasks { task.text = "changed \(round)" }
                for task in tasks { context.refresh(task, mergeChanges: false) }
            }
            expectEqual(context.updatedObjects.count, 0)
            for task in tasks { task.text = "last" }
            expectEqual(context.updatedList.count, Self.count)
            expectEqual(context.invariantViolations(), [])
            let counts = try reported(.NSManagedObjectContextObjectsDidChange, by: context) { try context.save() }
            expectEqual(counts, [[0, Self.count, 0]])
            let saved = try context.fetch(NSFetchRequest<TestTask>(entityName: "Task"))
            expectEqual(Set(saved.map { $0.text ?? "" }), ["last"])
        }
    }

    @Test("Insertions undone and redone keep their order and are written once")
    func insertions() throws {
        try withTasks { context, _ in
            context.undoManager = UndoManager()
            let new = (0..<Self.count).map { context.task("new \($0)") }
            context.processPendingChanges()
            for _ in 0..<3 {
                context.undo()
                context.processPendingChanges()
                expectEqual(context.insertedObjects.count, 0)
                context.redo()
                context.processPendingChanges()
                expectEqual(context.insertedObjects.count, Self.count)
                expectEqual(context.insertedList.count, Self.count)
                expectEqual(context.invariantViolations(), [])
            }
            try context.save()
            try expectEqual(rows(context), 2 * Self.count)
            let keys = new.map(\.key.primaryKey)
            expectEqual(keys, keys.sorted())
        }
    }

    @Test("A new object that was deleted can be inserted into another context, which alone saves and fetches it")
    func otherContext() throws {
        let stack = try Stack()
        let other = stack.otherContext()
        let moved: TestTask = try stack.context.run { () throws in
            let task = stack.context.task("moved")
            stack.context.delete(task)
            stack.context.processPendingChanges()
            return task
        }
        try other.run { () throws in
            other.insert(moved)
            moved.text = "moved again"
        }
        try stack.context.run { () throws in
            expectEqual(stack.context.insertedObjects.count, 0)
            #expect(!stack.context.hasChanges)
            try expectEqual(stack.context.fetch(NSFetchRequest<TestTask>(entityName: "Task")).count, 0)
            _ = stack.context.task("own")
            try stack.context.save()
            try expectEqual(rows(stack.context), 1)
            stack.context.rollback()
        }
        try other.run { () throws in
            expectEqual(other.insertedObjects, [moved])
            try other.save()
            expectEqual(moved.text, "moved again")
            try expectEqual(rows(other), 2)
        }
    }

    @Test("The end of a context leaves the values of an object that has moved to another one")
    func endOfContext() throws {
        let stack = try Stack()
        let other = stack.otherContext()
        var first: NSManagedObjectContext? = stack.otherContext()
        let moved: TestTask? = try first.map { context in
            try context.run { () throws in
                let task = context.task("moved")
                context.delete(task)
                context.processPendingChanges()
                return task
            }
        }
        let task = try #require(moved)
        try other.run { () throws in
            other.insert(task)
            task.text = "kept"
        }
        first = nil
        try other.run { () throws in
            expectEqual(task.text, "kept")
            try other.save()
            try expectEqual(rows(other), 1)
        }
    }

    @Test("A find-or-create by value finds what is inserted after a new object was refreshed away")
    func index() throws {
        try withTasks { context, _ in
            context.judgedOneByOne = 1
            func found(_ text: String) throws -> Int {
                let request = NSFetchRequest<TestTask>(entityName: "Task")
                request.predicate = NSPredicate(format: "text == %@", text)
                return try context.fetch(request).count
            }
            let dropped = (0..<4).map { context.task("dropped \($0)") }
            try expectEqual(found("dropped 1"), 1)
            for task in dropped { context.refresh(task, mergeChanges: false) }
            for number in 0..<4 { _ = context.task("kept \(number)") }
            for number in 0..<4 {
                try expectEqual(found("kept \(number)"), 1)
                try expectEqual(found("dropped \(number)"), 0)
            }
        }
    }

    @Test("A fetch for one value finds an object that was changed again after its changes were refreshed away")
    func indexOfRefreshed() throws {
        try withTasks { context, tasks in
            context.judgedOneByOne = 1
            for number in 0..<4 { tasks[number].text = "first \(number)" }
            try expectEqual(context.tasks("text == 'first 0'").count, 1)
            context.refresh(tasks[0], mergeChanges: false)
            tasks[0].text = "second"
            try expectEqual(context.tasks("text == 'second'"), [tasks[0]])
            try expectEqual(context.tasks("text == 'first 0'").count, 0)
        }
    }

    @Test("A fetch for one value finds what was changed after an object that was deleted elsewhere was inserted")
    func indexOfInserted() throws {
        try withTasks { context, tasks in
            context.judgedOneByOne = 1
            for number in 0..<2 { tasks[number].text = "first" }
            let other = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            other.persistentStoreCoordinator = context.persistentStoreCoordinator
            let id = tasks[0].objectID
            try other.performAndWait { () throws in
                other.delete(other.object(with: id))
                try other.save()
            }
            NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSDeletedObjectsKey: [id]], into: [context])
            try expectEqual(context.tasks("text == 'first'"), [tasks[1]])
            context.insert(tasks[0])
            tasks[2].text = "second"
            try expectEqual(context.tasks("text == 'second'"), [tasks[2]])
        }
    }

    @Test(
        "New objects that take over rows are updated once, also if the rows are deleted before the next save",
        arguments: [NSMergePolicyType.mergeByPropertyObjectTrumpMergePolicyType, .overwriteMergePolicyType]
    )
    func takenRows(type: NSMergePolicyType) throws {
        let model = TasksModel.make()
        model.entitiesByName["Location"]?.uniquenessConstraints = [["name"]]
        let stack = try Stack(model: model)
        let context = stack.context
        func insert() -> [TestLocation] {
            (0..<Self.count).map { number in
                let place = TestLocation(context: context)
                place.name = "p\(number)"
                return place
            }
        }
        try context.run { () throws in
            _ = insert()
            try context.save()
            context.reset()
            context.mergePolicy = NSMergePolicy(merge: type)
            let places = insert()
            let counts = try reported(.NSManagedObjectContextDidSave, by: context) { try context.save() }
            expectEqual(counts, [[0, Self.count, 0]])
            expectEqual(context.insertedList.count, 0)
            expectEqual(context.invariantViolations(), [])
            expectEqual(Set(places.map(\.key.primaryKey)).count, Self.count)
            for place in places { context.delete(place) }
            try context.save()
            try expectEqual(context.count(for: NSFetchRequest<TestLocation>(entityName: "Location")), 0)
        }
    }
}
