// Merging other contexts' saves: by notification, by identifiers, automatically.
import ExpectationSupport
import Foundation
import GraphSupport
import ManagedGraph
import Synchronization
import Testing

@testable import StackSupport

struct Merging {
    let stack: Stack
    let one: NSManagedObjectContext
    let two: NSManagedObjectContext

    init() throws {
        stack = try Stack()
        one = stack.context
        two = stack.otherContext()
    }

    /// Saves in the first context and returns the notification.
    private func save(_ change: () throws -> Void) throws -> Notification {
        let box = Box()
        let token = NotificationCenter.default.addObserver(
            forName: NSManagedObjectContext.didSaveObjectsNotification,
            object: one,
            queue: nil
        ) { box.note = $0 }
        defer { NotificationCenter.default.removeObserver(token) }
        try one.run { () throws in
            try change()
            try one.save()
        }
        return try #require(box.note)
    }

    private final class Box: @unchecked Sendable { var note: Notification? }

    // "refreshes updated objects, faults in inserted ones, deletes deleted ones"
    @Test func mergingRefreshesUpdatedFaultsInInsertedAndDeletesDeletedObjects() throws {
        try one.run { () throws in
            for text in ["a", "b"] { _ = one.task(text) }
            try one.save()
        }
        let otherTasks = try two.run { () throws in try two.tasks() }
        try two.run { () throws in expectEqual(otherTasks.map(\.text), ["a", "b"]) }
        let note = try save {
            let tasks = try one.tasks()
            tasks[0].text = "A"
            one.delete(tasks[1])
            _ = one.task("c")
        }
        let recorder = Recorder(two)
        try two.run { () throws in
            two.mergeChanges(fromContextDidSave: note)
            expectEqual(otherTasks[0].text, "A")
            // "invokes delete(_:) on those which have been deleted"
            #expect(otherTasks[1].isDeleted && otherTasks[1].managedObjectContext === two)
            expectEqual(two.deletedObjects, [otherTasks[1]])
            #expect(two.hasChanges)
            try two.save()
            expectNil(otherTasks[1].managedObjectContext)
            #expect(!two.hasChanges)
        }
        expectEqual(recorder.events.count, 1)
        let event = try #require(recorder.events.first)
        expectEqual(event[NSRefreshedObjectsKey], [otherTasks[0]])
        expectEqual(event[NSDeletedObjectsKey], [otherTasks[1]])
        let inserted = try #require(event[NSInsertedObjectsKey]?.first as? TestTask)
        two.performAndWait { expectEqual(inserted.text, "c") }
        let ids = try #require(recorder.merged.first)
        expectEqual((ids[NSInsertedObjectIDsKey] as? Set<NSManagedObjectID>)?.count, 1)
        expectEqual((ids[NSUpdatedObjectIDsKey] as? Set<NSManagedObjectID>), [otherTasks[0].objectID])
        expectEqual((ids[NSRefreshedObjectIDsKey] as? Set<NSManagedObjectID>), [otherTasks[0].objectID])
    }

    @Test func unsavedChangesStayOverMergedValues() throws {
        try one.run { () throws in
            _ = one.task("a", priority: 1)
            try one.save()
        }
        let task = try two.run { () throws in
            let task = try #require(try two.tasks().first)
            task.priority = 5
            return task
        }
        let note = try save {
            let own = try #require(try one.tasks().first)
            own.text = "A"
            own.priority = 2
        }
        try two.run { () throws in
            two.mergeChanges(fromContextDidSave: note)
            expectEqual(task.text, "A")
            expectEqual(task.priority, 5)
            expectEqual(task.committedValues(forKeys: ["priority"])["priority"] as? NSNumber, 2)
            expectEqual(Set(task.changedValues().keys), ["priority"])
            // The version is up to date, so there is no conflict.
            try two.save()
        }
        let third = stack.otherContext()
        try third.run { () throws in try expectEqual(third.tasks().map(\.priority), [5]) }
    }

    @Test func mergedRelationshipsShowOnBothSides() throws {
        try one.run { () throws in
            let home = TestLocation(context: one)
            home.name = "home"
            one.task("a").location = home
            _ = one.task("b")
            try one.save()
        }
        let (home, tasks) = try two.run { () throws in
            let tasks = try two.tasks()
            let home = try #require(tasks[0].location)
            expectEqual(home.tasks?.count, 1)
            return (home, tasks)
        }
        let note = try save {
            let own = try one.tasks()
            own[1].location = own[0].location
            own[0].location = nil
        }
        try two.run { () throws in
            two.mergeChanges(fromContextDidSave: note)
            expectEqual(home.tasks, NSSet(object: tasks[1]))
            expectNil(tasks[0].location)
            #expect(tasks[1].location === home)
            #expect(!two.hasChanges)
        }
    }

    @Test func aDeletedObjectIsRemovedFromRelationshipsThatWereSetHere() throws {
        try one.run { () throws in
            let home = TestLocation(context: one)
            home.name = "home"
            one.task("a").location = home
            try one.save()
        }
        let (home, new) = try two.run { () throws in
            let home = try #require(try two.tasks().first?.location)
            let new = two.task("new")
            new.location = home
            return (home, new)
        }
        let note = try save { one.delete(try #require(try one.tasks().first?.location)) }
        try two.run { () throws in
            two.mergeChanges(fromContextDidSave: note)
            #expect(home.isDeleted)
            expectEqual(two.deletedObjects, [home])
            expectNil(new.location)
            try two.save()
            #expect(try two.tasks().allSatisfy { $0.location == nil })
        }
    }

    @Test func changesFromElsewhereComeAsIdentifiersOrURIs() throws {
        try one.run { () throws in
            for text in ["a", "b", "c"] { _ = one.task(text) }
            try one.save()
        }
        let otherTasks = try two.run { () throws in
            let otherTasks = try two.tasks()
            expectEqual(otherTasks.map(\.text), ["a", "b", "c"])
            return otherTasks
        }
        try one.run { () throws in
            let tasks = try one.tasks()
            tasks[0].text = "A"
            tasks[1].text = "B"
            one.delete(tasks[2])
            try one.save()
        }
        NSManagedObjectContext.mergeChanges(
            fromRemoteContextSave: [
                NSUpdatedObjectsKey: [otherTasks[0].objectID.uriRepresentation()],
                NSUpdatedObjectIDsKey: [otherTasks[1].objectID],
                NSDeletedObjectsKey: [otherTasks[2].objectID],
            ],
            into: [two]
        )
        two.performAndWait {
            #expect(otherTasks[0].text == "A" && otherTasks[1].text == "B")
            #expect(otherTasks[2].isDeleted)
        }
    }

    @Test func aContextThatMergesAutomaticallyMergesTheSavesOfOthers() async throws {
        two.automaticallyMergesChangesFromParent = true
        try one.saveTask("a")
        let task = try await two.perform { [two] in try two.tasks().first }
        try one.run { () throws in
            try one.tasks().first?.text = "b"
            try one.save()
        }
        await two.perform(schedule: .enqueued) { expectEqual(task?.text, "b") }
    }

    @Test func aContextHasMergedASaveWhenItIsReadForTheNotification() async throws {
        two.automaticallyMergesChangesFromParent = true
        try one.saveTask("a")
        nonisolated(unsafe) let task = try await two.perform { [two] in try two.tasks().first }
        two.performAndWait { expectEqual(task?.text, "a") }
        let texts = Mutex<[String?]>([])
        let token = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextDidSave,
            object: one,
            queue: nil
        ) { [two] _ in two.perform { texts.withLock { $0.append(task?.text) } } }
        defer { NotificationCenter.default.removeObserver(token) }
        try one.run { () throws in
            try one.tasks().first?.text = "b"
            try one.save()
        }
        await two.perform(schedule: .enqueued) {}
        expectEqual(texts.withLock { $0 }, ["b"])
    }

    @Test func aContextThatDoesNotMergeAutomaticallyKeepsTheValuesItHasRead() async throws {
        try one.saveTask("a")
        let task = try await two.perform { [two] in try two.tasks().first }
        two.performAndWait { expectEqual(task?.text, "a") }
        try one.run { () throws in
            try one.tasks().first?.text = "b"
            try one.save()
        }
        await two.perform(schedule: .enqueued) { expectEqual(task?.text, "a") }
    }

    @Test func aChildThatMergesAutomaticallyMergesItsSiblingsSavesIntoTheParent() async throws {
        let child = one.makeChild()
        let right = one.makeChild()
        right.automaticallyMergesChangesFromParent = true
        try one.saveTask("a")
        let task = try right.run { () throws in try #require(try right.tasks().first) }
        right.performAndWait { expectEqual(task.text, "a") }
        try child.run { () throws in
            try child.tasks().first?.text = "b"
            try child.save()
        }
        await right.perform(schedule: .enqueued) { expectEqual(task.text, "b") }
    }

    @Test func changesThatAParentMergesReachItsChildren() async throws {
        one.automaticallyMergesChangesFromParent = true
        let child = one.makeChild()
        child.automaticallyMergesChangesFromParent = true
        try two.saveTask("a")
        let task = try child.run { () throws in try #require(try child.tasks().first) }
        child.performAndWait { expectEqual(task.text, "a") }
        try two.run { () throws in
            try two.tasks().first?.text = "b"
            try two.save()
        }
        await one.perform(schedule: .enqueued) {}
        await child.perform(schedule: .enqueued) { expectEqual(task.text, "b") }
    }

    @Test func manyUpdatedObjectsAreReadTogether() throws {
        try one.saveTasks(1000)
        let otherTasks = try two.run { () throws in
            let otherTasks = try two.tasks()
            #expect(otherTasks.allSatisfy { $0.priority == 0 })
            return otherTasks
        }
        let note = try save { for task in try one.tasks() { task.priority = 1 } }
        let before = two.statistics.fetches
        try two.run { () throws in
            two.mergeChanges(fromContextDidSave: note)
            #expect(otherTasks.allSatisfy { $0.priority == 1 })
        }
        #expect(two.statistics.fetches - before <= 2)
    }

    @Test func refreshAllObjectsKeepsUnsavedChanges() throws {
        try one.run { () throws in
            for text in ["a", "b"] { _ = one.task(text, priority: 1) }
            try one.save()
        }
        let otherTasks = try two.run { () throws in
            let otherTasks = try two.tasks()
            otherTasks[1].priority = 9
            expectEqual(otherTasks[0].text, "a")
            return otherTasks
        }
        try one.run { () throws in
            for task in try one.tasks() { task.text = (task.text ?? "") + "!" }
            try one.save()
        }
        try two.run { () throws in
            two.refreshAllObjects()
            expectEqual(otherTasks.map(\.text), ["a!", "b!"])
            expectEqual(otherTasks[1].priority, 9)
        }
    }

    // "stalenessInterval negative (infinite), 0 means always stale"
    @Test func aStalenessIntervalOfZeroReadsEveryFaultAgain() throws {
        try one.saveTask("a")
        // Another coordinator: saves through the same one are visible regardless of the interval.
        let other = try Stack(url: stack.url).context
        for interval in [-1.0, 0.0] {
            let context = stack.otherContext()
            context.stalenessInterval = interval
            let task = try context.run { () throws in
                try #require(try context.tasks("TRUEPREDICATE", sort: "priority").first)
            }
            let savedText = try other.run { () throws in
                let own = try #require(try other.tasks().first)
                let former = own.text
                own.text = "changed \(interval)"
                try other.save()
                return former
            }
            context.performAndWait { expectEqual(task.text, (interval < 0 ? savedText : "changed \(interval)")) }
        }
    }
}
