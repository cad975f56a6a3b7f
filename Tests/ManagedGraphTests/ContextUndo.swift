// Undo and redo of changes to objects, comparing every value of every object.
import ExpectationSupport
import Foundation
import GraphSupport
import ManagedGraph
import TestSupport
import Testing

@testable import StackSupport

struct ContextUndo {
    let stack: Stack
    var context: NSManagedObjectContext { stack.context }

    init() throws {
        stack = try Stack(model: TasksModel.make(tasksRule: .cascadeDeleteRule))
        try context.run { () throws in
            let home = TestLocation(context: context)
            home.name = "home"
            let work = TestLocation(context: context)
            work.name = "work"
            for (index, text) in ["a", "b", "c", "d"].enumerated() {
                let task = context.task(text, priority: Int16(index))
                task.location = index < 2 ? home : work
                if index % 2 == 0 { task.mutableSetValue(forKey: "tags").add(tag("t\(index)")) }
            }
            try context.save()
        }
        let manager = UndoManager()
        manager.groupsByEvent = false
        context.performAndWait { context.undoManager = manager }
    }

    private func tag(_ name: String) -> NSManagedObject {
        let entity = stack.coordinator.managedObjectModel.entitiesByName["Tag"] ?? NSEntityDescription()
        let tag = NSManagedObject(entity: entity, insertInto: context)
        tag.setValue(name, forKey: "name")
        return tag
    }

    private func group(_ body: () throws -> Void) rethrows {
        context.undoManager?.beginUndoGrouping()
        try body()
        context.undoManager?.endUndoGrouping()
    }

    /// Undoes and redoes a change twice, comparing each time; then again with saves in between.
    private func check(_ change: () throws -> Void) throws {
        try context.run { () throws in
            let before = try Picture(context)
            try group(change)
            let after = try Picture(context)
            #expect(before != after)
            for _ in 0..<2 {
                context.undo()
                try expectEqual(Picture(context), before)
                #expect(!context.hasChanges)
                context.redo()
                try expectEqual(Picture(context), after)
            }
            try context.save()
            for _ in 0..<2 {
                context.undo()
                try expectEqual(Picture(context), before)
                try context.save()
                let other = stack.otherContext()
                try expectEqual(other.performAndWait { () throws in try Picture(other) }, before)
                context.redo()
                try expectEqual(Picture(context), after)
                try context.save()
                let third = stack.otherContext()
                try expectEqual(third.performAndWait { () throws in try Picture(third) }, after)
            }
        }
    }

    @Test func attributes() throws {
        try check {
            let task = try #require(try context.tasks().first)
            task.text = "A"
            task.priority = 9
        }
    }

    @Test func toOneAndToMany() throws {
        try check {
            let tasks = try context.tasks()
            tasks[0].location = tasks[3].location
            tasks[1].location = nil
        }
    }

    @Test func manyToMany() throws {
        try check {
            let tasks = try context.tasks()
            let tags = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Tag"))
            for tag in tags { tasks[1].mutableSetValue(forKey: "tags").add(tag) }
            tasks[0].mutableSetValue(forKey: "tags").removeAllObjects()
        }
    }

    @Test func insertions() throws {
        try check {
            let task = context.task("new", priority: 5)
            task.location = try #require(try context.tasks("text == 'a'").first?.location)
            task.mutableSetValue(forKey: "tags").add(tag("new tag"))
        }
    }

    @Test func deletionsWithTheirCascades() throws {
        try check {
            let home = try #require(try context.tasks("text == 'a'").first?.location)
            context.delete(home)
        }
    }

    @Test func deletionsWithNullifiedSides() throws {
        try check {
            for task in try context.tasks("text IN {'a', 'd'}") { context.delete(task) }
        }
    }

    @Test func severalEventsOfOneGroup() throws {
        try check {
            let task = context.task("new")
            context.processPendingChanges()
            task.text = "newer"
            context.processPendingChanges()
            task.location = try context.tasks("text == 'c'").first?.location
            context.processPendingChanges()
            context.delete(try #require(try context.tasks("text == 'c'").first))
        }
    }

    @Test func theObjectsOfAnUndoneDeletionAreTheSame() throws {
        try context.run { () throws in
            let task = try #require(try context.tasks().first)
            group { context.delete(task) }
            context.undo()
            #expect(!task.isDeleted && task.managedObjectContext === context)
            #expect(try context.tasks().first === task)
        }
    }

    @Test func aSaveAfterAnUndoneDeletionReportsOnlyNewObjectsAsInserted() throws {
        let listener = NotificationListener(.NSManagedObjectContextDidSave, of: context, keepsLast: true)
        try context.run { () throws in
            let task = try #require(try context.tasks().first)
            var newTask: TestTask?
            group {
                newTask = context.task("new")
                context.processPendingChanges()
            }
            group {
                context.delete(task)
                context.processPendingChanges()
            }
            context.undo()
            try context.save()
            let inserted = listener.last?.userInfo?[NSInsertedObjectsKey] as? Set<NSManagedObject>
            let expected: Set<NSManagedObject> = [try #require(newTask)]
            expectEqual(inserted, expected)
        }
    }

    // "awakeFromInsert: once in life, at insertion; not again after redo"
    @Test func awakeningsReportUndoAndRedo() throws {
        try context.run { () throws in
            var task: TestTask?
            group { task = context.task("new") }
            task?.calls = []
            context.undo()
            expectEqual(task?.calls.contains("awake 2"), true)
            context.redo()
            expectEqual(task?.calls.contains("awake 4"), true)
            group { task?.text = "newer" }
            context.undo()
            expectEqual(task?.calls.contains("awake 8"), true)
            expectEqual(task?.calls.contains("awakeFromInsert"), false)
        }
    }

    @Test func undoPostsChangesAsAnythingElseDoes() throws {
        let recorder = Recorder(context)
        try context.run { () throws in
            let task = try #require(try context.tasks().first)
            group { task.text = "A" }
            let count = recorder.events.count
            context.undo()
            expectEqual(recorder.events.count, count + 1)
            expectEqual(recorder.events.last?[NSUpdatedObjectsKey], [task])
        }
    }

    // "rollback() … works without an undo manager; it empties the undo stack"
    @Test func rollbackAndResetEmptyTheStack() throws {
        try context.run { () throws in
            let task = try #require(try context.tasks().first)
            group { task.text = "A" }
            expectEqual(context.undoManager?.canUndo, true)
            context.rollback()
            expectEqual(context.undoManager?.canUndo, false)
            expectEqual(task.text, "a")
            group { task.text = "B" }
            context.reset()
            expectEqual(context.undoManager?.canUndo, false)
        }
    }

    @Test("A repeated deletion has its delete rules applied by the save, if deletions spread at the save only")
    func rulesOfRepeatedDeletions() throws {
        try context.run { () throws in
            context.undoManager = UndoManager()
            context.propagatesDeletesAtEndOfEvent = false
            let home = try #require(try context.tasks("text == 'a'").first?.location)
            context.delete(home)
            context.undo()
            try context.save()
            context.redo()
            #expect(home.isDeleted)
            try context.save()
            try expectEqual(context.tasks().map(\.text), ["c", "d"])
        }
        try expectEqual(stack.rows("SELECT count(*) FROM ZTASK").first?.first, .integer(2))
    }

    @Test("An undone change of members that were not read leaves no change", arguments: ["a", "c"])
    func unreadMembers(text: String) throws {
        let other = stack.otherContext()
        try other.run { () throws in
            other.undoManager = UndoManager()
            let places = try other.fetch(NSFetchRequest<TestLocation>(entityName: "Location"))
            let home = try #require(places.first(where: { $0.name == "home" }))
            let task = try #require(try other.tasks("text == %@", text).first)
            task.location = text == "a" ? nil : home
            other.undo()
            #expect(!other.hasChanges && !home.isUpdated)
            other.redo()
            #expect(other.hasChanges)
            other.undo()
            #expect(!other.hasChanges)
            expectEqual(home.tasks?.count, 2)
            other.redo()
            expectEqual(home.tasks?.count, text == "a" ? 1 : 3)
        }
    }

    @Test func childContextsUndoAlike() throws {
        let child = context.makeChild()
        context.performAndWait { context.undoManager = UndoManager() }
        try child.run { () throws in
            child.undoManager = UndoManager()
            let before = try Picture(child)
            let task = try #require(try child.tasks().first)
            task.text = "A"
            child.task("new").location = task.location
            let after = try Picture(child)
            child.undo()
            try expectEqual(Picture(child), before)
            child.redo()
            try expectEqual(Picture(child), after)
            try child.save()
            child.undo()
            try expectEqual(Picture(child), before)
            try child.save()
        }
        // A child's save is a change of its parent.
        try context.run { () throws in
            try expectEqual(context.tasks().map(\.text), ["a", "b", "c", "d"])
            expectEqual(context.undoManager?.canUndo, true)
        }
    }

    @Test("A merged deletion that clears a relationship outside of a group is merged and not recorded")
    func mergedDeletions() throws {
        let (task, place, id) = try context.run { () throws in
            let task = try #require(try context.tasks("text == 'a'").first)
            var inserted: TestLocation?
            group { inserted = TestLocation(context: context) }
            try context.save()
            let place = try #require(inserted)
            group { task.location = place }
            return (task, place, place.objectID)
        }
        let other = stack.otherContext()
        try other.run { () throws in
            other.delete(other.object(with: id))
            try other.save()
        }
        NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSDeletedObjectsKey: [id]], into: [context])
        try context.run { () throws in
            #expect(place.isDeleted)
            expectNil(task.location)
            expectEqual(context.undoManager?.undoCount, 2)
            context.undo()
            expectEqual(task.location?.name, "home")
        }
    }

    @Test("A relationship that a merge policy takes back outside of a group is not recorded")
    func resolvedConflicts() throws {
        let task = try context.run { () throws in
            context.mergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
            let tasks = try context.tasks()
            group { tasks[0].location = tasks[3].location }
            return tasks[0]
        }
        let other = stack.otherContext()
        try other.run { () throws in
            try other.tasks("text == 'a'").first?.location = nil
            try other.save()
        }
        try context.run { () throws in
            try context.save()
            expectNil(task.location)
            #expect(!context.hasChanges)
            expectEqual(context.undoManager?.undoCount, 1)
        }
    }

    @Test("Changes that observers make are undone as well, and their own notification has the former values")
    func changesOfObservers() throws {
        try context.run { () throws in
            context.undoManager = UndoManager()
            let tasks = try context.tasks()
            var formerTexts: [String?] = []
            context.observingChanges {
                formerTexts.append(tasks[1].changedValuesForCurrentEvent()["text"] as? String)
                guard formerTexts.count == 1 else { return }
                tasks[0].priority = 5
                tasks[1].text = "o"
            } during: {
                tasks[0].text = "x"
                context.processPendingChanges()
            }
            expectEqual(formerTexts, [nil, "b"])
            while context.undoManager?.canUndo == true { context.undo() }
            expectEqual(tasks.map(\.text), ["a", "b", "c", "d"])
            expectEqual(tasks[0].priority, 0)
            #expect(!context.hasChanges)
        }
    }

    @Test("A change that an observer of a rollback makes is undone as well")
    func changesOfObserversOfRollbacks() throws {
        try context.run { () throws in
            context.undoManager = UndoManager()
            let tasks = try context.tasks()
            tasks[0].text = "x"
            context.processPendingChanges()
            context.observingChanges {
                if tasks[1].text == "b" { tasks[1].text = "o" }
            } during: {
                context.rollback()
                context.processPendingChanges()
            }
            expectEqual(tasks[1].text, "o")
            context.undo()
            expectEqual(tasks.map(\.text), ["a", "b", "c", "d"])
        }
    }

    @Test func withoutAnUndoManagerNothingIsUndone() throws {
        try context.run { () throws in
            context.undoManager = nil
            let task = try #require(try context.tasks().first)
            task.text = "A"
            context.undo()
            expectEqual(task.text, "A")
        }
    }

    @Test func eventsAreGroupsOfTheirOwnWithGroupsByEvent() async throws {
        await context.perform { [context] in context.undoManager = UndoManager() }
        for priority in 10...12 {
            try await context.perform { [context] in
                try context.tasks().first?.priority = Int16(priority)
            }
        }
        let values = try await context.perform { [context] in
            let task = try context.tasks().first
            var values: [Int16] = []
            while context.undoManager?.canUndo == true {
                context.undo()
                values.append(task?.priority ?? -1)
            }
            return values
        }
        expectEqual(values, [11, 10, 0])
    }

    @Test(arguments: 0..<30)
    func anyNumberOfRandomChangesIsUndoneAndRedone(seed: Int) throws {
        var random = SeededNumbers(run: UInt64(seed))
        try context.run { () throws in
            var pictures = [try Picture(context)]
            for step in 0..<12 {
                let count = context.undoManager?.undoCount
                try group { for _ in 0..<Int.random(in: 1...4, using: &random) { try change(step, &random) } }
                // An empty group does not count.
                if context.undoManager?.undoCount != count { pictures.append(try Picture(context)) }
                if seed % 3 == 0, step % 4 == 3 { try context.save() }
            }
            for picture in pictures.dropLast().reversed() {
                context.undo()
                let now = try Picture(context)
                try #require(now == picture, "seed \(seed)")
            }
            for picture in pictures.dropFirst() {
                context.redo()
                let now = try Picture(context)
                try #require(now == picture, "seed \(seed)")
            }
            try context.save()
            let other = stack.otherContext()
            let storedPicture = try other.performAndWait { () throws in try Picture(other) }
            try #require(storedPicture == pictures.last, "seed \(seed)")
        }
    }

    private func change(_ step: Int, _ random: inout SeededNumbers) throws {
        let tasks = try context.tasks()
        let places = try context.fetch(NSFetchRequest<TestLocation>(entityName: "Location"))
            .sorted { ($0.name ?? "") < ($1.name ?? "") }
        let tags = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Tag"))
            .sorted { ($0.value(forKey: "name") as? String ?? "") < ($1.value(forKey: "name") as? String ?? "") }
        switch Int.random(in: 0..<9, using: &random) {
        case 0: context.task("n\(step)-\(tasks.count)").location = places.randomElement(using: &random)
        case 1: tasks.randomElement(using: &random).map(context.delete)
        case 2: tasks.randomElement(using: &random)?.priority = Int16.random(in: 0..<100, using: &random)
        case 3: tasks.randomElement(using: &random)?.location = places.randomElement(using: &random)
        case 4: tasks.randomElement(using: &random)?.location = nil
        case 5:
            guard let tag = tags.randomElement(using: &random) else { return }
            tasks.randomElement(using: &random)?.mutableSetValue(forKey: "tags").add(tag)
        case 6:
            guard let tag = tags.randomElement(using: &random) else { return }
            tasks.randomElement(using: &random)?.mutableSetValue(forKey: "tags").remove(tag)
        case 7:
            let place = TestLocation(context: context)
            place.name = "p\(step)-\(places.count)"
        default:
            if places.count > 2 { places.randomElement(using: &random).map(context.delete) }
        }
        if Bool.random(using: &random) { context.processPendingChanges() }
    }
}
