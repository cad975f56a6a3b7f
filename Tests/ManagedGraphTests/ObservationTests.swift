// Watching objects: Swift's Observation and the plain callback; the calls of hand-written accessors.
import Foundation
import ManagedGraph
import Observation
import Synchronization
import Testing

@Suite struct Observing {
    let stack: Stack
    let context: NSManagedObjectContext
    private final class Count: Sendable { let number = Mutex(0) }

    init() throws {
        stack = try Stack()
        context = stack.context
        context.tracksObservation = true
    }

    /// How often a tracking block that reads was told of a change.
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

    @Test func aChangeOfWhatWasReadReachesTheTrackingBlockOnce() throws {
        try context.run { () throws in
            let task = context.task("a")
            try context.save()
            let told = changes(reading: { _ = task.text }) {
                task.text = "b"
                task.text = "c"
            }
            #expect(told == 1)
            #expect(changes(reading: { _ = task.text }, doing: { task.priority = 5 }) == 0)
            #expect(changes(reading: { _ = task.value(forKey: "priority") }, doing: { task.priority = 6 }) == 1)
            let other = context.task("other")
            #expect(changes(reading: { _ = task.text }, doing: { other.text = "x" }) == 0)
        }
    }

    @Test func relationshipsOfBothKindsAreTracked() throws {
        try context.run { () throws in
            let task = context.task("a")
            let place = TestLocation(context: context)
            #expect(changes(reading: { _ = task.location }, doing: { task.location = place }) == 1)
            #expect(changes(reading: { _ = place.tasks }, doing: { context.task("b").location = place }) == 1)
        }
    }

    @Test func rollbackRefreshMergeAndUndoAreChangesToo() throws {
        try context.run { () throws in
            let task = context.task("a")
            try context.save()
            task.text = "b"
            #expect(changes(reading: { _ = task.text }, doing: { context.rollback() }) == 1)
            #expect(changes(reading: { _ = task.text }, doing: { context.refresh(task, mergeChanges: true) }) == 1)
            #expect(changes(reading: { _ = task.text }, doing: { context.refresh(task, mergeChanges: false) }) == 1)
            #expect(changes(reading: { _ = task.text }, doing: { mergeFromElsewhere(task.objectID) }) == 1)
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
            #expect(changes(reading: { _ = task.text }, doing: { context.undo() }) == 1)
            #expect(task.text == "a")
        }
    }

    @Test func aPlainCallbackComesBeforeEachChangeUntilItIsCancelled() throws {
        try context.run { () throws in
            let task = context.task("a")
            var seen: [String?] = []
            let observation = task.objectWillChange.sink { seen.append(task.text) }
            task.text = "b"
            task.priority = 1
            #expect(seen == ["a", "b"])
            observation.cancel()
            task.text = "c"
            #expect(seen.count == 2)
        }
    }

    @Test func contextsThatDoNotTrackReadWithoutTracking() throws {
        let plain = stack.otherContext()
        #expect(!plain.tracksObservation && NSManagedObjectContext(.mainQueue).tracksObservation)
        try plain.run { () throws in
            let task = plain.task("a")
            #expect(changes(reading: { _ = task.text }, doing: { task.text = "b" }) == 0)
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
            #expect(task.observationInfo() == info)
        }
        context.performAndWait {}
        #expect(gone == nil)
    }

    // MARK: Hand-written accessors

    @Test func primitiveSettersBetweenTheCallsAreChanges() throws {
        try context.run { () throws in
            let task = context.task("a")
            try context.save()
            task.willChangeValue(forKey: "text")
            task.setPrimitiveValue("b", forKey: "text")
            task.didChangeValue(forKey: "text")
            #expect(task.isUpdated && task.changedValues()["text"] as? String == "b")
            try context.save()
            task.willAccessValue(forKey: "text")
            #expect(task.primitiveValue(forKey: "text") as? String == "b")
            task.didAccessValue(forKey: "text")
            task.setPrimitiveValue("c", forKey: "text")
            #expect(!task.hasChanges)
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
            #expect(home.tasks?.count == 0 && work.tasks == NSSet(object: task))
            let added: Set<AnyHashable> = [task]
            home.willChangeValue(forKey: "tasks", withSetMutation: .union, using: added)
            (home.primitiveValue(forKey: "tasks") as? NSMutableSet)?.add(task)
            home.didChangeValue(forKey: "tasks", withSetMutation: .union, using: added)
            #expect(task.location === home && work.tasks?.count == 0)
            home.willChangeValue(forKey: "tasks", withSetMutation: .minus, using: added)
            (home.primitiveValue(forKey: "tasks") as? NSMutableSet)?.remove(task)
            home.didChangeValue(forKey: "tasks", withSetMutation: .minus, using: added)
            #expect(task.location == nil)
            try context.save()
        }
        let other = stack.otherContext()
        try other.run { () throws in #expect(try other.tasks().first?.location == nil) }
    }
}

@Suite struct OrderedRelationships {
    private static func model() -> NSManagedObjectModel {
        let list = NSEntityDescription()
        list.name = "List"
        let item = NSEntityDescription()
        item.name = "Item"
        let items = TasksModel.relationship("items", to: item, toMany: true, ordered: true)
        let owner = TasksModel.relationship("list", to: list)
        items.inverseRelationship = owner
        owner.inverseRelationship = items
        let friends = TasksModel.relationship("friends", to: item, toMany: true, ordered: true)
        let friendOf = TasksModel.relationship("friendOf", to: list, toMany: true)
        friends.inverseRelationship = friendOf
        friendOf.inverseRelationship = friends
        list.properties = [items, friends]
        item.properties = [TasksModel.attribute("name", .stringAttributeType), owner, friendOf]
        let model = NSManagedObjectModel()
        model.entities = [list, item]
        return model
    }

    private func names(_ list: NSManagedObject, _ key: String) -> [String] {
        ((list.value(forKey: key) as? NSOrderedSet)?.array ?? []).compactMap {
            ($0 as? NSManagedObject)?.value(forKey: "name") as? String
        }
    }

    @Test(arguments: ["items", "friends"])
    func aMutableProxyChangesTheRelationshipAndTheOrderIsSaved(key: String) throws {
        let stack = try Stack(model: Self.model())
        let context = stack.context
        func make(_ entity: String) throws -> NSManagedObject {
            NSManagedObject(
                entity: try #require(stack.coordinator.managedObjectModel.entitiesByName[entity]),
                insertInto: context
            )
        }
        func stored() throws -> [String] {
            let other = stack.otherContext()
            return try other.performAndWait { () throws in
                names(try #require(try other.fetch(NSFetchRequest<NSManagedObject>(entityName: "List")).first), key)
            }
        }
        try context.run { () throws in
            let list = try make("List")
            let items = try "abcde".map { letter in
                let item = try make("Item")
                item.setValue(String(letter), forKey: "name")
                return item
            }
            let proxy = list.mutableOrderedSetValue(forKey: key)
            for item in items { proxy.add(item) }
            #expect(names(list, key) == ["a", "b", "c", "d", "e"])
            try context.save()
            #expect(try stored() == ["a", "b", "c", "d", "e"])
            proxy.moveObjects(at: IndexSet(integer: 4), to: 0)
            #expect(names(list, key) == ["e", "a", "b", "c", "d"])
            proxy.removeObject(at: 2)
            #expect(names(list, key) == ["e", "a", "c", "d"])
            proxy.insert(items[1], at: 1)
            proxy.exchangeObject(at: 0, withObjectAt: 4)
            #expect(names(list, key) == ["d", "b", "a", "c", "e"])
            try context.save()
            #expect(try stored() == ["d", "b", "a", "c", "e"])
            proxy.removeAllObjects()
            #expect(names(list, key).isEmpty)
            context.rollback()
            #expect(names(list, key) == ["d", "b", "a", "c", "e"])
            #expect(proxy.index(of: items[0]) == 2 && proxy.count == 5)
            proxy.replaceObject(
                at: 0,
                with: { () -> NSManagedObject in
                    let item = NSManagedObject(entity: items[0].entity, insertInto: context)
                    item.setValue("new", forKey: "name")
                    return item
                }()
            )
            context.delete(items[0])
            try context.save()
            #expect(try stored() == ["new", "b", "c", "e"])
        }
    }
}

@Suite struct InaccessibleFaults {
    /// A fault whose row someone else has deleted.
    private func orphan(_ stack: Stack) throws -> TestTask {
        let identifier = try stack.context.run { () throws in
            let task = stack.context.task("a", priority: 5)
            try stack.context.save()
            return task.objectID
        }
        let fault = stack.otherContext()
        keeper.context = fault
        let task = try fault.performAndWait { () throws in
            try #require(fault.object(with: identifier) as? TestTask)
        }
        try stack.context.run { () throws in
            stack.context.delete(stack.context.object(with: identifier))
            try stack.context.save()
        }
        return task
    }
    private final class Keeper { var context: NSManagedObjectContext? }
    private let keeper = Keeper()

    // "a fault whose row is gone is marked deleted, all its values read nil or 0, validation is skipped"
    @Test func aFaultWhoseRowIsGoneReadsAsDeleted() throws {
        let stack = try Stack(model: TasksModel.make(requiredText: true))
        let task = try orphan(stack)
        let context = try #require(keeper.context)
        try context.performAndWait { () throws in
            #expect(task.text == nil && task.priority == 0 && task.location == nil)
            #expect((task.value(forKey: "tags") as? NSSet)?.count == 0)
            #expect(task.isDeleted && task.isFault == false)
            _ = context.task("other")
            try context.save()
            let error = #expect(throws: NSError.self) { try context.existingObject(with: task.objectID) }
            #expect(error?.code == NSManagedObjectReferentialIntegrityError)
        }
    }

    private final class Strict: NSManagedObjectContext, @unchecked Sendable {
        var asked: [String?] = []
        override func shouldHandleInaccessibleFault(
            _ fault: NSManagedObject,
            for oid: NSManagedObjectID,
            triggeredByProperty property: NSPropertyDescription?
        ) -> Bool {
            asked.append(property?.name)
            return true
        }
    }

    // "The hook shouldHandleInaccessibleFault is not called by throwing fetch APIs"
    @Test func theHookIsAskedWithThePropertyAndNotByThrowingCalls() throws {
        let stack = try Stack()
        let identifier = try orphan(stack).objectID
        let context = Strict(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = stack.coordinator
        try context.performAndWait { () throws in
            _ = #expect(throws: NSError.self) { try context.existingObject(with: identifier) }
            #expect(context.asked.isEmpty)
            let task = try #require(context.object(with: identifier) as? TestTask)
            #expect(task.text == nil)
            #expect(context.asked == ["text"])
            #expect(task.priority == 0)
            #expect(context.asked.count == 1)
        }
    }

    @Test func withoutTheSwitchTheAccessStopsTheProgramWithASentence() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let stack = try Stack()
            let identifier = try stack.context.performAndWait { () throws in
                let task = stack.context.task("a")
                try stack.context.save()
                return task.objectID
            }
            let other = stack.otherContext()
            other.shouldDeleteInaccessibleFaults = false
            try other.performAndWait { () throws in
                let task = try #require(other.object(with: identifier) as? TestTask)
                try stack.context.performAndWait { () throws in
                    stack.context.delete(stack.context.object(with: identifier))
                    try stack.context.save()
                }
                _ = task.text
            }
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("The row of Task/p1 is gone"))
    }
}
