// Handlers of live observation: on and off, several threads, handlers that call back, streams.
import ExpectationSupport
import Foundation
import GraphSupport
import ManagedGraph
import Synchronization
import Testing

@testable import StackSupport

struct ActivityHandlers {
    @Test func onAndOffWhileStoresAreOpen() throws {
        let stack = try Stack()
        try stack.context.run { () throws in
            let context = stack.context
            _ = context.task("a")
            try context.save()
            let log = ActivityLog()
            try expectEqual(context.tasks().count, 1)
            #expect(log.events.isEmpty)
            log.observe(stack.coordinator)
            // The session of this turn was leased before.
            try expectEqual(context.tasks("text == 'a'").count, 1)
            expectEqual(log.causes, ["fetch Task where text == \"a\""])
            log.cancel()
            log.clear()
            try expectEqual(context.tasks().count, 1)
            context.task("b").priority = 1
            try context.save()
            #expect(log.events.isEmpty)
            log.observe(stack.coordinator)
            try expectEqual(context.tasks().count, 2)
            #expect(!log.events.isEmpty)
            log.release()
            log.clear()
            try expectEqual(context.tasks().count, 2)
            #expect(log.events.isEmpty)
        }
    }

    @Test func everyObserverSeesEveryEvent() throws {
        let stack = try Stack()
        let logs = [ActivityLog(stack.coordinator), ActivityLog(stack.coordinator)]
        let otherStack = try Stack()
        try otherStack.context.run { () throws in #expect(try otherStack.context.tasks().isEmpty) }
        #expect(logs[0].events.isEmpty)
        try stack.context.run { () throws in #expect(try stack.context.tasks().isEmpty) }
        #expect(!logs[0].events.isEmpty && logs[0].events.count == logs[1].events.count)
        logs[0].cancel()
        logs[0].clear()
        try stack.context.run { () throws in #expect(try stack.context.tasks().isEmpty) }
        #expect(logs[0].events.isEmpty && !logs[1].events.isEmpty)
    }

    @Test func contextsOnTwoThreadsAreDistinguished() throws {
        let stack = try Stack()
        try stack.fill(places: 4, tasks: 5)
        let coordinator = stack.coordinator
        let log = ActivityLog(coordinator)
        DispatchQueue.concurrentPerform(iterations: 4) { number in
            let context = coordinator.makeContext()
            (context.name, context.transactionAuthor) = ("\(number)", "author \(number)")
            for round in 0..<25 {
                context.performAndWait {
                    do {
                        let tasks = try context.tasks("text == %@", "t\(number)")
                        expectEqual(tasks.count, 5)
                        context.refresh(tasks[0], mergeChanges: false)
                        tasks[0].weight = Double(round + 1)
                        try context.save()
                    } catch {
                        Issue.record(error)
                    }
                }
            }
        }
        let statements = log.statements
        for number in 0..<4 {
            let own = statements.filter { $0.context?.name == "\(number)" }
            #expect(own.allSatisfy { $0.context?.transactionAuthor == "author \(number)" })
            let fetches = statements.filter { $0.cause.description == "fetch Task where text == \"t\(number)\"" }
            expectEqual(fetches.count, 25)
            #expect(fetches.allSatisfy { $0.context?.name == "\(number)" && $0.rows == 5 })
            #expect(fetches.allSatisfy { $0.bindings.contains("'t\(number)'") })
            expectEqual(own.count { $0.text.hasPrefix("UPDATE ZTASK") }, 25)
            expectEqual(own.count { if case .fault = $0.cause { true } else { false } }, 25)
            let saves = log.saves.filter { $0.context?.name == "\(number)" }
            expectEqual(saves.count, 25)
            #expect(saves.allSatisfy { $0.updated.map(\.properties) == [["weight"]] })
        }
        #expect(statements.allSatisfy { $0.context != nil })
    }

    @Test func turningOnAndOffWhileOthersWork() throws {
        let stack = try Stack()
        try stack.fill(places: 1, tasks: 5)
        let seen = Atomic<Int>(0)
        let isDone = Atomic<Bool>(false)
        let coordinator = stack.coordinator
        // Use a separate thread: on a single processor, concurrent iterations would run one after the other.
        let observing = DispatchGroup()
        observing.enter()
        Thread.detachNewThread {
            while !isDone.load(ordering: .relaxed) {
                let observation = coordinator.observeActivity { _ in seen.add(1, ordering: .relaxed) }
                usleep(200)
                observation.cancel()
                usleep(100)
            }
            observing.leave()
        }
        DispatchQueue.concurrentPerform(iterations: 2) { number in
            let context = coordinator.makeContext()
            for round in 0..<200 {
                context.performAndWait {
                    do {
                        let tasks = try context.tasks()
                        expectEqual(tasks.count, 5)
                        if number == 0 {
                            tasks[0].weight = Double(round + 1)
                            try context.save()
                        }
                    } catch {
                        Issue.record(error)
                    }
                }
            }
        }
        isDone.store(true, ordering: .relaxed)
        observing.wait()
        #expect(seen.load(ordering: .relaxed) > 0)
        let log = ActivityLog()
        try stack.context.run { () throws in try expectEqual(stack.context.tasks().count, 5) }
        #expect(log.events.isEmpty)
    }

    @Test func aHandlerMayCancelItself() throws {
        let stack = try Stack()
        let calls = Atomic<Int>(0)
        let observation = Mutex<ActivityObservation?>(nil)
        let newObservation = stack.coordinator.observeActivity { _ in
            calls.add(1, ordering: .relaxed)
            observation.withLock { $0 }?.cancel()
        }
        observation.withLock { $0 = newObservation }
        let log = ActivityLog(stack.coordinator)
        try stack.context.run { () throws in
            _ = stack.context.task("a")
            try stack.context.save()
            try expectEqual(stack.context.tasks().count, 1)
        }
        expectEqual(calls.load(ordering: .relaxed), 1)
        #expect(log.statements.count > 3)
    }

    @Test func aHandlerMayCallBack() throws {
        let stack = try Stack()
        let (context, coordinator) = (stack.context, stack.coordinator)
        let calls = Atomic<Int>(0)
        let observation = coordinator.observeActivity { _ in
            // Called by the thread of the context's queue.
            let number = calls.add(1, ordering: .relaxed).newValue
            do {
                try context.performAndWait { () throws in
                    for task in try context.tasks() { #expect(task.text != nil) }
                    context.task("by the handler").priority = Int16(number)
                    try context.save()
                }
                let other = coordinator.makeContext()
                try other.performAndWait { () throws in #expect(try other.tasks().count >= number) }
            } catch {
                Issue.record(error)
            }
        }
        try context.saveTask("a")
        observation.cancel()
        let events = calls.load(ordering: .relaxed)
        #expect(events > 3)
        try context.run { () throws in try expectEqual(context.tasks().count, events + 1) }
    }

    @Test func eventsComeInOrderWhenTheOperationHasEnded() throws {
        let stack = try Stack()
        let context = stack.context
        let isSaving = Atomic<Bool>(false)
        let observation = stack.coordinator.observeActivity { _ in
            let isInside = isSaving.load(ordering: .relaxed)
            #expect(!isInside)
        }
        let log = ActivityLog(stack.coordinator)
        let center = NotificationCenter.default
        let token = center.addObserver(forName: .NSManagedObjectContextDidSave, object: context, queue: nil) { _ in
            isSaving.store(false, ordering: .relaxed)
        }
        defer { center.removeObserver(token) }
        try context.run { () throws in
            _ = context.task("a")
            isSaving.store(true, ordering: .relaxed)
            try context.save()
        }
        expectEqual(log.statements.map(\.began), log.statements.map(\.began).sorted())
        guard case .saveFinished? = log.events.last(where: { $0.context != nil }) else {
            Issue.record("The save is not the last event.")
            return
        }
        observation.cancel()
    }

    @Test func aStreamKeepsTheNewestEvents() async throws {
        let stack = try Stack()
        let stream = stack.coordinator.activities(bufferingNewest: 3)
        let context = stack.context
        for number in 0..<10 {
            try context.run { () throws in try expectEqual(context.count(for: Self.request(number)), 0) }
        }
        var iterator = stream.makeAsyncIterator()
        var last: [String] = []
        for _ in 0..<3 {
            if case .statement(let statement)? = await iterator.next() { last.append(statement.cause.description) }
        }
        expectEqual(last.count, 3)
        #expect(last.contains { $0.contains("== 9") } && !last.contains { $0.contains("== 7") })
    }

    @Test func aStreamEndsItsObservation() async throws {
        let stack = try Stack()
        let coordinator = stack.coordinator
        let log = ActivityLog()
        let task = Task {
            for await activity in coordinator.activities() {
                log.add(activity)
                break
            }
        }
        while log.events.isEmpty {
            try stack.context.run { () throws in #expect(try stack.context.tasks().isEmpty) }
            try await Task.sleep(for: .milliseconds(5))
        }
        await task.value
        log.clear()
        try stack.context.run { () throws in #expect(try stack.context.tasks().isEmpty) }
        #expect(log.events.isEmpty)
    }

    private static func request(_ number: Int) -> NSFetchRequest<TestTask> {
        let request = NSFetchRequest<TestTask>(entityName: "Task")
        request.predicate = NSPredicate(format: "priority == %d", number)
        return request
    }
}
