// Handwritten accessors around primitive values: their changes are tracked, undone and saved.
import ExpectationSupport
import Foundation
import ManagedGraph
import Testing

@testable import StackSupport

struct KeyValueObserving {
    let stack: Stack
    var context: NSManagedObjectContext { stack.context }

    init() throws { stack = try Stack() }

    @Test func primitiveSettersBetweenTheCallsAreChanges() throws {
        try context.run { () throws in
            let task = context.task("a")
            try context.save()
            task.willChangeValue(forKey: "text")
            task.setPrimitiveValue("b", forKey: "text")
            task.didChangeValue(forKey: "text")
            #expect(task.isUpdated)
            expectEqual(task.changedValues()["text"] as? String, "b")
            try context.save()
            task.willAccessValue(forKey: "text")
            expectEqual(task.primitiveValue(forKey: "text") as? String, "b")
            task.didAccessValue(forKey: "text")
            task.setPrimitiveValue("c", forKey: "text")
            #expect(!task.hasChanges)
            #expect(task.changedValues().isEmpty)
            // Any change makes it one of the changed values.
            task.priority = 4
            expectEqual(task.changedValues()["text"] as? String, "c")
            #expect(context.updatedObjects.contains(task))
        }
    }

    @Test func aValueIsAmongTheChangesBetweenTheCalls() throws {
        try context.run { () throws in
            let task = context.task("a")
            try context.save()
            task.willChangeValue(forKey: "text")
            task.setPrimitiveValue("b", forKey: "text")
            expectEqual(task.changedValues()["text"] as? String, "b")
            task.didChangeValue(forKey: "text")
        }
    }

    @Test func aPrimitiveValueThatWillSaveSetsInAChangedObjectIsSaved() throws {
        try context.run { () throws in
            let task = context.task("a")
            try context.save()
            task.onWillSave = { $0.setPrimitiveValue(Int16(7), forKey: "priority") }
            task.text = "b"
            try context.save()
        }
        let other = stack.otherContext()
        try other.run { () throws in
            let task = try other.tasks().first
            expectEqual(task?.text, "b")
            expectEqual(task?.priority, 7)
        }
    }

    @Test func theOtherSideOfARelationshipFollowsTheCalls() throws {
        try context.run { () throws in
            let task = context.task("a")
            let home = TestLocation(context: context)
            let work = TestLocation(context: context)
            task.location = home
            try context.save()
            task.willChangeValue(forKey: "location")
            task.setPrimitiveValue(work, forKey: "location")
            task.didChangeValue(forKey: "location")
            expectEqual(home.tasks?.count, 0)
            expectEqual(work.tasks, NSSet(object: task))
            let added: Set<AnyHashable> = [task]
            home.willChangeValue(forKey: "tasks", withSetMutation: .union, using: added)
            (home.primitiveValue(forKey: "tasks") as? NSMutableSet)?.add(task)
            home.didChangeValue(forKey: "tasks", withSetMutation: .union, using: added)
            #expect(task.location === home)
            expectEqual(work.tasks?.count, 0)
            home.willChangeValue(forKey: "tasks", withSetMutation: .minus, using: added)
            (home.primitiveValue(forKey: "tasks") as? NSMutableSet)?.remove(task)
            home.didChangeValue(forKey: "tasks", withSetMutation: .minus, using: added)
            expectNil(task.location)
            try context.save()
        }
        let other = stack.otherContext()
        try other.run { () throws in try expectNil(other.tasks().first?.location) }
    }

    @Test func changesBetweenTheCallsAreUndoneAndRedone() throws {
        try context.run { () throws in
            let task = context.task("a")
            let home = TestLocation(context: context)
            try context.save()
            context.undoManager = UndoManager()
            task.willChangeValue(forKey: "text")
            task.setPrimitiveValue("b", forKey: "text")
            task.didChangeValue(forKey: "text")
            let added: Set<AnyHashable> = [task]
            home.willChangeValue(forKey: "tasks", withSetMutation: .union, using: added)
            (home.primitiveValue(forKey: "tasks") as? NSMutableSet)?.add(task)
            home.didChangeValue(forKey: "tasks", withSetMutation: .union, using: added)
            expectEqual(task.changedValuesForCurrentEvent()["text"] as? String, "a")
            context.processPendingChanges()
            context.undo()
            expectEqual(task.text, "a")
            expectNil(task.location)
            expectEqual(home.tasks?.count, 0)
            #expect(!context.hasChanges)
            context.redo()
            expectEqual(task.text, "b")
            #expect(task.location === home)
            expectEqual(home.tasks, NSSet(object: task))
            try context.save()
        }
        let other = stack.otherContext()
        try other.run { () throws in #expect(try other.tasks().first?.location != nil) }
    }

    @Test(arguments: [NSKeyValueSetMutationKind.intersect, .set])
    func aSetIsCutDownOrReplacedBetweenTheCalls(kind: NSKeyValueSetMutationKind) throws {
        try context.run { () throws in
            let tasks = ["a", "b", "c"].map { context.task($0) }
            let home = TestLocation(context: context)
            home.tasks = NSSet(array: Array(tasks[..<2]))
            try context.save()
            let members: Set<AnyHashable> = kind == .intersect ? [tasks[0]] : [tasks[0], tasks[2]]
            home.willChangeValue(forKey: "tasks", withSetMutation: kind, using: members)
            let primitive = try #require(home.primitiveValue(forKey: "tasks") as? NSMutableSet)
            if kind == .intersect { primitive.intersect(members) } else { primitive.setSet(members) }
            home.didChangeValue(forKey: "tasks", withSetMutation: kind, using: members)
            #expect(tasks[0].location === home && tasks[1].location == nil)
            #expect(tasks[2].location === (kind == .set ? home : nil))
            try context.save()
        }
        let other = stack.otherContext()
        try other.run { () throws in
            try expectEqual(other.tasks("location != nil").map(\.text), (kind == .set ? ["a", "c"] : ["a"]))
        }
    }

    @Test func orderedRelationshipsFollowTheCallsToo() throws {
        let stack = try Stack(model: OrderedSets.model())
        let context = stack.context
        try context.run { () throws in
            let (list, items) = try context.saveList(of: "abc")
            list.willChangeValue(forKey: "items")
            let primitive = try #require(list.primitiveValue(forKey: "items") as? NSMutableOrderedSet)
            primitive.moveObjects(at: [2], to: 0)
            primitive.remove(items[0])
            expectEqual(items[0].joinedNames("list"), "l", "the second call updates the other side")
            list.didChangeValue(forKey: "items")
            #expect(list.joinedNames("items") == "cb" && items[0].value(forKey: "list") == nil)
            try context.save()
        }
        try expectEqual(stack.stored("List", "l", "items"), "cb")
    }

    @Test func accessCallsFillAFault() throws {
        let identifier = try context.run { () throws in
            let task = context.task("a")
            try context.save()
            return task.objectID
        }
        let other = stack.otherContext()
        try other.run { () throws in
            let task = try #require(other.object(with: identifier) as? TestTask)
            #expect(task.isFault)
            task.willAccessValue(forKey: nil)
            task.didAccessValue(forKey: nil)
            #expect(!task.isFault)
        }
    }

    @Test func keysThatAreNotInTheModelChangeNothing() throws {
        try context.run { () throws in
            let task = context.task("a")
            try context.save()
            task.willChangeValue(forKey: "colour")
            task.didChangeValue(forKey: "colour")
            #expect(!task.hasChanges && !context.hasChanges)
        }
    }
}
