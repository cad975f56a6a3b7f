// Observing objects: Swift's Observation and the plain callback; the calls of handwritten accessors.
import ExpectationSupport
import Foundation
import GraphSupport
import ManagedGraph
import Observation
import Synchronization
import Testing

@testable import StackSupport

struct Observing {
    let stack: Stack
    let context: NSManagedObjectContext
    private final class Count: Sendable { let number = Mutex(0) }
    private struct Observed: @unchecked Sendable {
        let task: TestTask
        let observations: [ManagedObjectObservation]
    }

    init() throws {
        stack = try Stack()
        context = stack.context
        context.tracksObservation = true
    }

    /// The number of changes that a tracking block observes.
    private func changes(reading: () -> Void, doing: () throws -> Void) rethrows -> Int {
        let count = Count()
        withObservationTracking {
            reading()
        } onChange: {
            count.number.withLock { $0 += 1 }
        }
        try doing()
        return count.number.withLock { $0 }
    }

    @Test func aChangeOfAReadPropertyReachesTheTrackingBlockOnce() throws {
        try context.run { () throws in
            let task = context.task("a")
            try context.save()
            let notifications = changes(reading: { _ = task.text }) {
                task.text = "b"
                task.text = "c"
            }
            expectEqual(notifications, 1)
            expectEqual(changes(reading: { _ = task.text }, doing: { task.priority = 5 }), 0)
            expectEqual(changes(reading: { _ = task.value(forKey: "priority") }, doing: { task.priority = 6 }), 1)
            let otherTask = context.task("other")
            expectEqual(changes(reading: { _ = task.text }, doing: { otherTask.text = "x" }), 0)
        }
    }

    @Test func relationshipsOfBothKindsAreTracked() throws {
        try context.run { () throws in
            let task = context.task("a")
            let place = TestLocation(context: context)
            expectEqual(changes(reading: { _ = task.location }, doing: { task.location = place }), 1)
            expectEqual(changes(reading: { _ = place.tasks }, doing: { context.task("b").location = place }), 1)
        }
    }

    @Test func rollbackRefreshMergeAndUndoAreChangesToo() throws {
        try context.run { () throws in
            let task = context.task("a")
            try context.save()
            task.text = "b"
            expectEqual(changes(reading: { _ = task.text }, doing: { context.rollback() }), 1)
            expectEqual(changes(reading: { _ = task.text }, doing: { context.refresh(task, mergeChanges: true) }), 1)
            expectEqual(changes(reading: { _ = task.text }, doing: { context.refresh(task, mergeChanges: false) }), 1)
            // A merge notifies observers of a property only if its value changed.
            expectEqual(changes(reading: { _ = task.text }, doing: { mergeFromElsewhere(task.objectID) }), 0)
            try save("c", elsewhere: task.objectID)
            expectEqual(changes(reading: { _ = task.priority }, doing: { mergeFromElsewhere(task.objectID) }), 0)
            try save("d", elsewhere: task.objectID)
            expectEqual(changes(reading: { _ = task.text }, doing: { mergeFromElsewhere(task.objectID) }), 1)
            expectEqual(task.text, "d")
        }
    }

    private func save(_ text: String, elsewhere identifier: NSManagedObjectID) throws {
        let other = try #require(context.persistentStoreCoordinator).makeContext()
        try other.performAndWait { () throws in
            try other.existingObject(with: identifier).setValue(text, forKey: "text")
            try other.save()
        }
    }

    private func mergeFromElsewhere(_ identifier: NSManagedObjectID) {
        NSManagedObjectContext.mergeChanges(
            fromRemoteContextSave: [NSUpdatedObjectIDsKey: Set([identifier])],
            into: [context]
        )
    }

    @Test func undoIsAChangeToo() throws {
        try context.run { () throws in
            let task = context.task("a")
            try context.save()
            context.undoManager = UndoManager()
            task.text = "c"
            context.processPendingChanges()
            expectEqual(changes(reading: { _ = task.text }, doing: { context.undo() }), 1)
            expectEqual(task.text, "a")
        }
    }

    @Test func aPlainCallbackComesBeforeEachChangeUntilItIsCancelled() throws {
        try context.run { () throws in
            let task = context.task("a")
            var texts: [String?] = []
            let observation = task.objectWillChange.sink { texts.append(task.text) }
            task.text = "b"
            task.priority = 1
            expectEqual(texts, ["a", "b"])
            observation.cancel()
            task.text = "c"
            expectEqual(texts.count, 2)
        }
    }

    @Test func aCallbackThatAnotherOneEndsIsNotCalled() throws {
        try context.run { () throws in
            let task = context.task("a")
            var later: ManagedObjectObservation?
            var count = 0
            let earlier = task.objectWillChange.sink { later?.cancel() }
            later = task.objectWillChange.sink { count += 1 }
            task.text = "b"
            expectEqual(count, 0)
            earlier.cancel()
        }
    }

    @Test(arguments: [false, true]) func aBlockReadsTheValuesThatWereMerged(intoChild: Bool) throws {
        let task = try context.run { () throws in
            let task = context.task("a")
            try context.save()
            return task.objectID
        }
        let reader = intoChild ? context.makeChild() : stack.coordinator.makeContext()
        reader.automaticallyMergesChangesFromParent = true
        let texts = Mutex<[String?]>([])
        let observation = try reader.performAndWait { () throws in
            let seen = try #require(reader.object(with: task) as? TestTask)
            expectEqual(seen.text, "a")
            return seen.objectWillChange.sink { texts.withLock { $0.append(seen.text) } }
        }
        try context.run { () throws in
            try #require(context.object(with: task) as? TestTask).text = "b"
            try context.save()
        }
        // Behind the merge in the queue.
        reader.performAndWait {}
        expectEqual(texts.withLock { $0 }, ["b"])
        reader.performAndWait { observation.cancel() }
    }

    @Test(arguments: [false, true]) func anObjectThatHasLeftItsContextKeepsItsObservers(byReset: Bool) throws {
        try context.run { () throws in
            let task = context.task("a")
            try context.save()
            var count = 0
            let observation = task.objectWillChange.sink { count += 1 }
            if byReset {
                context.reset()
            } else {
                context.delete(task)
                try context.save()
            }
            count = 0
            task.objectWillChange.send()
            expectEqual(count, 1)
            observation.cancel()
            let otherObservation = task.objectWillChange.sink {}
            task.objectWillChange.send()
            expectEqual(count, 1)
            otherObservation.cancel()
        }
    }

    @Test func anObjectThatAnUndoBringsBackKeepsItsObservers() throws {
        try context.run { () throws in
            let task = context.task("a")
            try context.save()
            context.undoManager = UndoManager()
            var count = 0
            let observation = task.objectWillChange.sink { count += 1 }
            context.delete(task)
            try context.save()
            context.undo()
            count = 0
            task.text = "b"
            expectEqual(count, 1)
            observation.cancel()
        }
    }

    @Test func changesAreKeptIfAnObserverRefreshesTheObject() throws {
        try context.run { () throws in
            let (task, place) = context.taskAtPlace("a")
            try context.save()
            var refreshed: Set<NSManagedObject> = []
            let objects: [NSManagedObject] = [task, place]
            let observations = objects.map { object in
                object.objectWillChange.sink {
                    if refreshed.insert(object).inserted { context.refresh(object, mergeChanges: false) }
                }
            }
            task.text = "b"
            expectEqual(task.text, "b")
            #expect(task.isUpdated && !task.isFault)
            context.task("c").location = place
            expectEqual(place.tasks?.count, 2)
            expectEqual(refreshed.count, 2)
            for observation in observations { observation.cancel() }
            try context.save()
        }
        try expectEqual(stack.rows("SELECT ZTEXT FROM ZTASK ORDER BY ZTEXT"), [[.text("b")], [.text("c")]])
    }

    @Test func observationsEndOnAnotherThreadWhileTheObjectChanges() throws {
        let context = stack.context
        let task = try context.saveTask("a")
        let count = Count()
        let observations = context.performAndWait {
            (0..<200).map { _ in task.objectWillChange.sink { count.number.withLock { $0 += 1 } } }
        }
        let observed = Observed(task: task, observations: observations)
        DispatchQueue.concurrentPerform(iterations: 2) { part in
            if part == 0 {
                for observation in observed.observations { observation.cancel() }
            } else {
                context.performAndWait {
                    for number in 1...200 { observed.task.priority = Int16(number) }
                }
            }
        }
        context.performAndWait {
            count.number.withLock { $0 = 0 }
            observed.task.priority = -1
        }
        expectEqual(count.number.withLock { $0 }, 0)
    }

    @Test func watchingsLiveAsLongAsTheyAreKept() throws {
        try context.run { () throws in
            let task = context.task("a")
            var count = 0
            var cancellables: Set<ManagedObjectObservation> = []
            task.objectWillChange.sink { _ in count += 1 }.store(in: &cancellables)
            task.text = "b"
            expectEqual(count, 1)
            cancellables = []
            task.text = "c"
            expectEqual(count, 1)
        }
    }

    @Test func deletionsAndOrderedRelationshipsAreTracked() throws {
        let stack = try Stack(model: OrderedSets.model())
        let context = stack.context
        context.tracksObservation = true
        try context.run { () throws in
            let (list, items) = try context.saveList(of: "ab")
            let view = list.mutableOrderedSetValue(forKey: "items")
            expectEqual(
                changes(reading: { _ = list.joinedNames("items") }, doing: { view.moveObjects(at: [1], to: 0) }),
                1
            )
            expectEqual(changes(reading: { _ = view.count }, doing: { view.removeObject(at: 0) }), 1)
            expectEqual(
                changes(reading: { _ = list.joinedNames("items") }) {
                    context.delete(items[0])
                    context.processPendingChanges()
                },
                1
            )
        }
    }

    @Test func contextsThatDoNotTrackReadWithoutTracking() throws {
        let plain = stack.otherContext()
        #expect(!plain.tracksObservation && NSManagedObjectContext(.mainQueue).tracksObservation)
        try plain.run { () throws in
            let task = plain.task("a")
            expectEqual(changes(reading: { _ = task.text }, doing: { task.text = "b" }), 0)
        }
    }

    @Test func watchedObjectsLeaveMemoryAndAreForgotten() throws {
        weak var gone: NSManagedObject?
        try context.run { () throws in
            _ = context.task("a")
            try context.save()
            let task = try #require(try context.tasks().first)
            gone = task
            _ = changes(reading: { _ = task.text }, doing: {})
            let info = UnsafeMutableRawPointer(bitPattern: 16)
            task.setObservationInfo(info)
            expectEqual(task.observationInfo(), info)
        }
        context.performAndWait {}
        expectNil(gone)
    }
}
