import ExpectationSupport
import Foundation
import ManagedGraph
import Testing

@testable import StackSupport

struct Relationships {
    @Test func settingOneSideSetsTheOther() throws {
        let stack = try Stack()
        try stack.context.run {
            let home = TestLocation(context: stack.context)
            let work = TestLocation(context: stack.context)
            let task = stack.context.task("a")
            task.location = home
            expectEqual(home.tasks, NSSet(object: task))
            task.location = work
            expectEqual(home.tasks?.count, 0)
            expectEqual(work.tasks, NSSet(object: task))
            home.tasks = NSSet(object: task)
            #expect(task.location === home)
            expectEqual(work.tasks?.count, 0)
            home.removeFromManaged(task, for: TestLocation.Keys.tasks)
            expectNil(task.location)
            home.addToManaged(NSSet(object: task), for: TestLocation.Keys.tasks)
            try stack.context.save()
        }
        let other = stack.otherContext()
        try other.run {
            let task = try #require(try other.tasks().first)
            let location = try #require(task.location)
            expectEqual(location.tasks, NSSet(object: task))
        }
    }

    @Test func addingToAnUnreadRelationshipReadsNothing() throws {
        let stack = try Stack()
        try stack.context.run {
            let home = TestLocation(context: stack.context)
            for index in 0..<5 { stack.context.task("\(index)").location = home }
            try stack.context.save()
            stack.context.reset()
            let request = NSFetchRequest<TestLocation>(entityName: "Location")
            let again = try #require(try stack.context.fetch(request).first)
            let rows = stack.context.statistics.rowsRead
            stack.context.task("new").location = again
            expectEqual(stack.context.statistics.rowsRead, rows)
            expectEqual(again.tasks?.count, 6)
        }
    }

    @Test func manyToManyIsWrittenOnceAlthoughBothSidesHaveIt() throws {
        let stack = try Stack()
        try stack.context.run {
            let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: stack.context)
            let tasks = [stack.context.task("a"), stack.context.task("b")]
            tag.setValue(NSSet(array: tasks), forKey: "tagged")
            expectEqual(tasks[0].value(forKey: "tags") as? NSSet, NSSet(object: tag))
            try stack.context.save()
            tasks[0].setValue(NSSet(), forKey: "tags")
            try stack.context.save()
        }
        let other = stack.otherContext()
        try other.run {
            let tasks = try other.tasks()
            expectEqual((tasks[0].value(forKey: "tags") as? NSSet)?.count, 0)
            expectEqual((tasks[1].value(forKey: "tags") as? NSSet)?.count, 1)
            try expectEqual(other.tasks("ANY tags.name == nil").map(\.text), ["b"])
        }
    }

    @Test(arguments: [NSDeleteRule.nullifyDeleteRule, .cascadeDeleteRule, .denyDeleteRule, .noActionDeleteRule])
    func deletingFollowsTheRule(_ rule: NSDeleteRule) throws {
        let stack = try Stack(model: TasksModel.make(tasksRule: rule))
        try stack.context.run {
            let (task, home) = stack.context.taskAtPlace("a")
            try stack.context.save()
            stack.context.delete(home)
            switch rule {
            case .nullifyDeleteRule:
                try stack.context.save()
                expectNil(task.location)
                #expect(!task.isDeleted)
            case .cascadeDeleteRule:
                try stack.context.save()
                #expect(try stack.context.tasks().isEmpty)
            case .denyDeleteRule:
                let error = #expect(throws: NSError.self) { try stack.context.save() }
                expectEqual(error?.code, 1600)
                expectEqual(error?.userInfo["NSValidationErrorKey"] as? String, "tasks")
                stack.context.rollback()
                #expect(task.location === home)
            case .noActionDeleteRule:
                try stack.context.save()
                #expect(!task.isDeleted)
            }
        }
    }

    @Test func anObjectThatCannotBeAMemberIsNotRemoved() throws {
        let stack = try Stack()
        let other = stack.otherContext()
        defer { withExtendedLifetime(other) {} }
        try stack.context.run { () throws in
            let (task, home) = stack.context.taskAtPlace("a")
            let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: stack.context)
            tag.setValue("t", forKey: "name")
            try stack.context.save()
            let theirs = try other.run { () throws in try other.existingObject(with: task.objectID) }
            let members = home.mutableSetValue(forKey: "tasks")
            members.remove(tag)
            members.remove(theirs)
            #expect(!stack.context.hasChanges)
            #expect(members.contains(task) && !members.contains(theirs))
            home.removeFromManaged(NSSet(array: [task, tag]), for: TestLocation.Keys.tasks)
            expectEqual(home.tasks?.count, 0)
            expectNil(task.location)
            expectEqual(tag.value(forKey: "name") as? String, "t")
            #expect(!tag.hasChanges)
        }
    }

    @Test func deletingOneSideEmptiesTheOther() throws {
        let stack = try Stack()
        try stack.context.run {
            let (task, home) = stack.context.taskAtPlace("a")
            try stack.context.save()
            stack.context.delete(task)
            stack.context.processPendingChanges()
            expectEqual(home.tasks?.count, 0)
            stack.context.rollback()
            expectEqual(home.tasks?.count, 1)
        }
    }
}
