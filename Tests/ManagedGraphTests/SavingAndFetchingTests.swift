import ExpectationSupport
import Foundation
import ManagedGraph
import Testing

@testable import StackSupport

struct SavingAndFetching {
    @Test func everyTypeComesBackFromTheStore() throws {
        let stack = try Stack()
        let identifier = UUID()
        try stack.context.run {
            let task = stack.context.task("Grüße 👋🏽", priority: 3)
            task.dueDate = Date(timeIntervalSinceReferenceDate: 1234.5)
            task.setValue(true, forKey: "done")
            task.setValue(1.25, forKey: "weight")
            task.setValue(Decimal(string: "12345.6789"), forKey: "price")
            task.setValue(identifier, forKey: "identifier")
            task.setValue(URL(string: "https://example.com/a?b=c"), forKey: "page")
            task.setValue(Data([0, 1, 255]), forKey: "picture")
            try stack.context.save()
        }
        let other = stack.otherContext()
        try other.run {
            let task = try #require(try other.tasks().first)
            #expect(task.isFault)
            expectEqual(task.text, "Grüße 👋🏽")
            #expect(!task.isFault)
            expectEqual(task.priority, 3)
            expectEqual(task.dueDate, Date(timeIntervalSinceReferenceDate: 1234.5))
            expectEqual(task.value(forKey: "done") as? Bool, true)
            expectEqual(task.value(forKey: "weight") as? Double, 1.25)
            expectEqual((task.value(forKey: "price") as? NSDecimalNumber)?.decimalValue, Decimal(string: "12345.6789"))
            expectEqual(task.value(forKey: "identifier") as? UUID, identifier)
            expectEqual(task.value(forKey: "page") as? URL, URL(string: "https://example.com/a?b=c"))
            expectEqual(task.value(forKey: "picture") as? Data, Data([0, 1, 255]))
            expectEqual(task.calls, ["awakeFromFetch"])
        }
    }

    @Test func aContextHasOneObjectForARow() throws {
        let stack = try Stack()
        try stack.context.run {
            let task = stack.context.task("one")
            try stack.context.save()
            let fetched = try stack.context.tasks()
            expectEqual(fetched.count, 1)
            #expect(fetched[0] === task)
            #expect(stack.context.object(with: task.objectID) === task)
            expectEqual(task.objectID.isTemporaryID, false)
            expectEqual(
                stack.coordinator.managedObjectID(forURIRepresentation: task.objectID.uriRepresentation()),
                task.objectID
            )
        }
    }

    @Test func anObjectEqualsOnlyItself() throws {
        /// Its first word is the address of the object.
        struct Wrapper { let object: NSManagedObject }
        let stack = try Stack()
        try stack.context.run {
            let (task, other) = (stack.context.task("one"), stack.context.task("one"))
            #expect(task.isEqual(task))
            expectEqual(task, task)
            #expect(!task.isEqual(other) && task != other)
            let values: [Any?] = [nil, Wrapper(object: task), [task], 7, "text", task.objectID, TestTask.self]
            for value in values { #expect(!task.isEqual(value)) }
            expectEqual(Set([task, other, task]).count, 2)
        }
    }

    @Test func unchangedObjectsThatAreNotRetainedLeaveMemory() throws {
        let stack = try Stack()
        try stack.context.run {
            for index in 0..<10 { _ = stack.context.task("task \(index)") }
            try stack.context.save()
        }
        weak var task: TestTask?
        try stack.context.run { task = try stack.context.tasks().first }
        expectNil(task)
        try stack.context.run { #expect(stack.context.registeredObjects.isEmpty) }
    }

    @Test("Objects that were last saved or fetched stay registered until the event ends")
    func recentObjectsStayRegistered() throws {
        let stack = try Stack()
        try stack.context.run {
            for index in 0..<10 { _ = stack.context.task("task \(index)") }
            try stack.context.save()
            expectEqual(stack.context.registeredObjects.count, 10)
            stack.context.reset()
            #expect(stack.context.registeredObjects.isEmpty)
            _ = try stack.context.tasks()
            expectEqual(stack.context.registeredObjects.count, 10)
            // The next fetch releases the objects of the previous one.
            _ = try stack.context.tasks("text == 'task 3'")
            expectEqual(stack.context.registeredObjects.count, 1)
        }
        try stack.context.run { #expect(stack.context.registeredObjects.isEmpty) }
    }

    @MainActor @Test("The same on the main queue outside any block, until its next block")
    func recentObjectsStayRegisteredOnTheMainQueue() async throws {
        let stack = try Stack()
        let context = NSManagedObjectContext(.mainQueue)
        context.persistentStoreCoordinator = stack.coordinator
        _ = context.task("a")
        try context.save()
        expectEqual(context.registeredObjects.count, 1)
        await withCheckedContinuation { done in DispatchQueue.main.async { done.resume() } }
        #expect(context.registeredObjects.isEmpty)
        _ = try context.tasks()
        expectEqual(context.registeredObjects.count, 1)
        await withCheckedContinuation { done in DispatchQueue.main.async { done.resume() } }
        #expect(context.registeredObjects.isEmpty)
    }

    @Test("Stores unwrap constants in an AnyHashable")
    func hashableConstants() throws {
        let stack = try Stack()
        try stack.context.run {
            for text in ["a", "b", "c"] { _ = stack.context.task(text) }
            try stack.context.save()
            let texts = Set([AnyHashable("a"), AnyHashable("c")])
            try expectEqual(stack.context.tasks("text IN %@", texts).map(\.text), ["a", "c"])
        }
    }

    @Test("With groups, a key path operator applies to the whole group, and an expression may only name a property")
    func aggregatesOfGroups() throws {
        let stack = try Stack()
        try stack.context.run {
            for (name, count) in [("x", 2), ("x", 1), ("y", 3)] {
                let place = TestLocation(context: stack.context)
                place.name = name
                for number in 0..<count { stack.context.task("\(number)", priority: 2).location = place }
            }
            try stack.context.save()
            let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Location")
            request.resultType = .dictionaryResultType
            request.propertiesToGroupBy = ["name"]
            request.propertiesToFetch = ["name", "tasks.text.@count", "tasks.@sum.priority"]
            request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
            let rows = try stack.context.fetch(request).compactMap { $0 as? [String: Any] }
            expectEqual(rows.map { $0["tasks.text.@count"] as? Int }, [3, 3])
            expectEqual(rows.map { $0["tasks.@sum.priority"] as? Int }, [6, 6])
            let counted = NSExpressionDescription()
            (counted.name, counted.expression) = ("n", NSExpression(forKeyPath: "tasks.text.@count"))
            counted.expressionResultType = .integer64AttributeType
            request.propertiesToFetch = ["name", counted]
            try expectEqual(stack.context.fetch(request).map { ($0 as? [String: Any])?["n"] as? Int64 }, [3, 3])
            let named = NSExpressionDescription()
            named.name = "name"
            request.propertiesToFetch = [named]
            request.propertiesToGroupBy = nil
            try expectEqual(stack.context.fetch(request).count, 3)
        }
    }

    @Test("A request without a type returns results of the protocol, which casts turn into numbers and dictionaries")
    func requestsWithoutAType() throws {
        let stack = try Stack()
        try stack.context.run {
            for text in ["a", "b"] { _ = stack.context.task(text) }
            try stack.context.save()
            func results(_ type: NSFetchRequestResultType) throws -> [any NSFetchRequestResult] {
                let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Task")
                request.resultType = type
                let results = try stack.context.fetch(request)
                return results
            }
            try expectEqual((results(.managedObjectResultType) as? [TestTask])?.count, 2)
            try expectEqual((results(.managedObjectIDResultType) as? [NSManagedObjectID])?.count, 2)
            try expectEqual(results(.countResultType).first as? Int, 2)
            try expectEqual((results(.dictionaryResultType) as? [[String: Any]])?.count, 2)
            try expectEqual((results(.dictionaryResultType).first as? [AnyHashable: Any])?["text"] as? String, "a")
        }
    }

    @Test("A request force-cast to any result type returns its original result type")
    func requestsCastByForce() throws {
        let stack = try Stack()
        try stack.context.run {
            for text in ["a", "b"] { _ = stack.context.task(text) }
            try stack.context.save()
            let request = NSFetchRequest<TestTask>(entityName: "Task")
            let cast = unsafeBitCast(request, to: NSFetchRequest<any NSFetchRequestResult>.self)
            try expectEqual(stack.context.fetch(cast).map { ($0 as? TestTask)?.text }.count, 2)
            let plain = NSFetchRequest<any NSFetchRequestResult>(entityName: "Task")
            plain.resultType = .managedObjectIDResultType
            let identifiers: [Any] = try stack.context.fetch(plain)
            #expect(identifiers.allSatisfy { $0 is NSManagedObjectID })
            let rows = NSFetchRequest<[String: Any]>(entityName: "Task")
            rows.resultType = .dictionaryResultType
            rows.propertiesToFetch = ["text"]
            rows.sortDescriptors = [NSSortDescriptor(key: "text", ascending: true)]
            let erased = unsafeBitCast(rows, to: NSFetchRequest<any NSFetchRequestResult>.self)
            try expectEqual(
                stack.context.fetch(erased).map { ($0 as? [String: Any])?["text"] as? String },
                ["a", "b"]
            )
        }
    }

    @Test func callbacksRunOnceAndInOrder() throws {
        let stack = try Stack()
        try stack.context.run {
            let task = stack.context.task("a")
            try stack.context.save()
            expectEqual(task.calls, ["awakeFromInsert", "willSave", "didSave"])
            stack.context.delete(task)
            #expect(task.isDeleted)
            try stack.context.save()
            expectEqual(
                task.calls,
                ["awakeFromInsert", "willSave", "didSave", "prepareForDeletion", "willSave", "didSave"]
            )
            expectNil(task.managedObjectContext)
            #expect(try stack.context.tasks().isEmpty)
        }
    }

    @Test func anUpdateWritesTheChangedColumnAndRaisesTheVersion() throws {
        let stack = try Stack()
        try stack.context.run {
            let task = stack.context.task("a", priority: 1)
            try stack.context.save()
            task.text = "b"
            #expect(task.isUpdated)
            expectEqual(task.changedValues().keys.sorted(), ["text"])
            expectEqual(task.committedValues(forKeys: ["text"])["text"] as? String, "a")
            try stack.context.save()
            #expect(!task.hasChanges)
            task.text = "c"
            try stack.context.save()
        }
        let other = stack.otherContext()
        try other.run {
            let task = try #require(try other.tasks().first)
            expectEqual(task.text, "c")
            task.text = "d"
            try other.save()
        }
        try stack.context.run {
            let task = try #require(try stack.context.tasks().first)
            _ = task.text
        }
    }

    @Test func aRowChangedByAnotherContextIsAConflict() throws {
        let stack = try Stack()
        let first = stack.context
        let second = stack.otherContext()
        try first.run {
            _ = first.task("a")
            try first.save()
        }
        try second.run {
            let mine = try #require(try second.tasks().first)
            _ = mine.text
            try first.run {
                let theirs = try #require(try first.tasks().first)
                theirs.text = "theirs"
                try first.save()
            }
            mine.text = "mine"
            let error = #expect(throws: NSError.self) { try second.save() }
            expectEqual(error?.code, 133020)
            expectEqual(mine.text, "mine")
            #expect(second.hasChanges)
            second.refresh(mine, mergeChanges: true)
            try second.save()
        }
        let third = stack.otherContext()
        try expectEqual(third.run { try third.tasks().first?.text }, "mine")
    }

    @Test func rollbackRestoresUpdatedDeletedAndForgetsInsertedObjects() throws {
        let stack = try Stack()
        try stack.context.run {
            let task = stack.context.task("kept")
            let deleted = stack.context.task("deleted")
            try stack.context.save()
            task.text = "changed"
            stack.context.delete(deleted)
            let new = stack.context.task("new")
            stack.context.rollback()
            expectEqual(task.text, "kept")
            #expect(!deleted.isDeleted)
            expectNil(new.managedObjectContext)
            #expect(!stack.context.hasChanges)
            try expectEqual(stack.context.tasks().map(\.text), ["deleted", "kept"])
        }
    }

    @Test func pendingChangesAreMergedIntoSortedResults() throws {
        let stack = try Stack()
        try stack.context.run {
            for (index, text) in ["b", "d", "f"].enumerated() { _ = stack.context.task(text, priority: Int16(index)) }
            try stack.context.save()
            let tasks = try stack.context.tasks()
            _ = stack.context.task("c", priority: 7)
            tasks[0].text = "e"
            stack.context.delete(tasks[2])
            try expectEqual(stack.context.tasks().map(\.text), ["c", "d", "e"])
            try expectEqual(stack.context.tasks("priority == 7").map(\.text), ["c"])
            #expect(try stack.context.tasks("text == 'b'").isEmpty)
            let request = NSFetchRequest<TestTask>(entityName: "Task")
            request.sortDescriptors = [NSSortDescriptor(key: "text", ascending: false)]
            request.fetchLimit = 2
            try expectEqual(stack.context.fetch(request).map(\.text), ["e", "d"])
            try expectEqual(stack.context.count(for: request), 2)
        }
    }

    @Test func batchedFetchesReadAPageWhenItIsTouched() throws {
        let stack = try Stack()
        try stack.context.run {
            for index in 0..<100 { _ = stack.context.task(String(format: "%03d", index)) }
            try stack.context.save()
            stack.context.reset()
            let request = NSFetchRequest<TestTask>(entityName: "Task")
            request.sortDescriptors = [NSSortDescriptor(key: "text", ascending: true)]
            request.fetchBatchSize = 20
            let before = stack.context.statistics.rowsRead
            let tasks = try stack.context.fetch(request)
            expectEqual(tasks.count, 100)
            expectEqual(stack.context.statistics.rowsRead, before)
            expectEqual(tasks[25].text, "025")
            expectEqual(stack.context.statistics.rowsRead, before + 20)
            expectEqual(tasks[39].text, "039")
            expectEqual(stack.context.statistics.rowsRead, before + 20)
        }
    }

    @Test func existingObjectThrowsForARowThatIsGone() throws {
        let stack = try Stack()
        let other = stack.otherContext()
        try stack.context.run {
            let task = stack.context.task("a")
            try stack.context.save()
            let identifier = task.objectID
            stack.context.delete(task)
            try stack.context.save()
            let error = #expect(throws: NSError.self) { try other.run { try other.existingObject(with: identifier) } }
            expectEqual(error?.code, 133000)
        }
    }

    @Test func anUnknownEntityOrPropertyIsAnErrorThatNamesTheNearest() throws {
        let stack = try Stack()
        try stack.context.run {
            let wrongEntity = #expect(throws: NSError.self) {
                try stack.context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Taks"))
            }
            expectEqual(wrongEntity?.localizedDescription.contains("Did you mean Task?"), true)
            let wrongKey = #expect(throws: NSError.self) { try stack.context.tasks("prioriti == 3") }
            expectEqual(wrongKey?.localizedDescription.contains("priority"), true)
        }
    }
}
