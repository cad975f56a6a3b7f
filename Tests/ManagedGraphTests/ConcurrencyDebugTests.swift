// ConcurrencyReports of the concurrency debug switch. Each test watches its own contexts and collects their reports.
import ExpectationSupport
import Foundation
import ManagedGraph
import Synchronization
import Testing

@testable import StackSupport

struct ConcurrencyDebugging {
    private let reports = ConcurrencyReports()
    private let stack: Stack
    private var context: NSManagedObjectContext { stack.context }

    init() throws { stack = try reports.watching { () throws in try Stack() } }

    private func saved(_ text: String) throws -> TestTask {
        try context.performAndWait { () throws in
            let task = context.task(text)
            try context.save()
            return task
        }
    }

    @Test func workOnTheQueueIsNotReported() throws {
        let messages = try reports.of {
            try context.performAndWait { () throws in
                let task = context.task("a")
                try context.save()
                task.text = "b"
                _ = try context.tasks()
                context.refresh(task, mergeChanges: false)
                expectEqual(task.text, "a")
                context.delete(task)
                try context.save()
                context.reset()
            }
        }
        #expect(messages.isEmpty)
    }

    @Test func accessToAnObjectOffTheQueueIsReportedWithItsProperty() throws {
        let task = try saved("a")
        expectEqual(reports.of { _ = task.text }.first?.hasPrefix("Reading Task/p1.text on "), true)
        expectEqual(reports.of { task.text = "c" }.first?.hasPrefix("Changing Task/p1.text on "), true)
        expectEqual(
            reports.of { _ = task.value(forKey: "location") }.first?.hasPrefix("Reading Task/p1.location"),
            true
        )
        expectEqual(reports.of { task.setValue(2, forKey: "priority") }.first?.contains("Task/p1.priority"), true)
        #expect(!reports.of { _ = task.changedValues() }.isEmpty)
        #expect(!reports.of { _ = task.committedValues(forKeys: nil) }.isEmpty)
    }

    @Test func changesOfRelationshipsOffTheQueueAreReported() throws {
        let (task, place) = try context.performAndWait { () throws in
            let task = context.task("a")
            let place = TestLocation(context: context)
            try context.save()
            return (task, place)
        }
        expectEqual(reports.of { _ = place.tasks }.first?.contains("Reading Location/p1.tasks"), true)
        #expect(reports.of { task.location = place }.contains { $0.contains("Task/p1.location") })
        #expect(reports.of { place.mutableSetValue(forKey: "tasks").remove(task) }.contains { $0.contains(".tasks") })
    }

    @Test func callsOfAContextOffItsQueueAreReported() throws {
        let task = try saved("a")
        let calls: [(String, () throws -> Void)] = [
            ("fetch", { _ = try context.tasks() }),
            ("count", { _ = try context.count(for: NSFetchRequest<TestTask>(entityName: "Task")) }),
            ("save()", { try context.save() }),
            ("insert", { _ = TestTask(context: context) }),
            ("delete(Task/p1)", { context.delete(task) }),
            ("rollback()", { context.rollback() }),
            ("refresh(Task/p1, mergeChanges: true)", { context.refresh(task, mergeChanges: true) }),
            ("registeredObject(for:", { _ = context.registeredObject(for: task.objectID) }),
            ("existingObject(with:", { _ = try context.existingObject(with: task.objectID) }),
            ("processPendingChanges()", { context.processPendingChanges() }),
            ("hasChanges", { _ = context.hasChanges }),
            ("updatedObjects", { _ = context.updatedObjects }),
            ("execute", { try context.execute(NSFetchRequest<TestTask>(entityName: "Task")) }),
            ("reset()", { context.reset() }),
        ]
        for (name, call) in calls {
            let messages = try reports.of(call)
            #expect(messages.contains { $0.hasPrefix(name) }, "\(name): \(messages)")
        }
    }

    @Test func aReportNamesTheContextItsQueueTheThreadAndTheCalls() throws {
        context.name = "importer"
        let report = Mutex("")
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread { [context, reports] in
            let messages = reports.of { _ = context.hasChanges }
            report.withLock { $0 = messages.first ?? "" }
            done.signal()
        }
        done.wait()
        let message = report.withLock { $0 }
        // On Linux, an unnamed thread inherits the name of the thread that created it.
        #expect(
            message.hasPrefix("hasChanges on the thread \"")
                || message.hasPrefix("hasChanges on a thread without a name")
        )
        #expect(message.contains(", which is not inside of the context's private queue."))
        #expect(message.contains("\"importer\""))
        #expect(message.components(separatedBy: "\n").count > 2)
    }

    @Test func anObjectStaysConfinedWhenItsContextHasGone() throws {
        _ = try saved("a")
        let task = try reports.watching { () throws in
            let passing = stack.otherContext()
            return try passing.performAndWait { () throws in try passing.tasks()[0] }
        }
        let messages = reports.of { _ = task.text }
        expectEqual(messages.first?.contains("a context that is gone"), true)
    }

    @Test func objectsWithoutAContextMayBeUsedOnAnyQueue() throws {
        let (deleted, reset) = try context.performAndWait { () throws in
            let deleted = context.task("a")
            try context.save()
            context.delete(deleted)
            try context.save()
            let reset = context.task("b")
            try context.save()
            context.reset()
            return (deleted, reset)
        }
        let messages = reports.of {
            _ = deleted.isDeleted
            _ = deleted.text
            _ = reset.text
            let free = TestTask(entity: deleted.entity, insertInto: nil)
            free.text = "free"
        }
        #expect(messages.isEmpty)
    }

    @Test func identifiersAreForEveryoneAndDescriptionsLeaveValuesOut() throws {
        let task = try saved("a")
        #expect(reports.of { _ = task.objectID }.isEmpty)
        let messages = reports.of {
            let description = task.description
            #expect(description.contains("<not on the context's queue>"))
        }
        #expect(messages.isEmpty)
        context.performAndWait { #expect(task.description.contains("text = \"a\"")) }
    }

    @Test func aContextIsSetUpOnAnyThread() {
        let messages = reports.of {
            let child = reports.watching { NSManagedObjectContext(.privateQueue) }
            child.parent = context
            child.name = "child"
            child.undoManager = UndoManager()
            child.mergePolicy = NSMergePolicy.overwrite
            child.automaticallyMergesChangesFromParent = true
            child.retainsRegisteredObjects = true
            let other = reports.watching { NSManagedObjectContext(.mainQueue) }
            other.persistentStoreCoordinator = stack.coordinator
        }
        #expect(messages.isEmpty)
    }

    @Test func aChildEntersItsParentsQueueAndNotTheOtherWayRound() throws {
        let child = reports.watching { NSManagedObjectContext(.privateQueue) }
        child.parent = context
        let fine = reports.of {
            child.performAndWait { context.performAndWait { _ = (child.hasChanges, context.hasChanges) } }
        }
        #expect(fine.isEmpty)
        expectEqual(reports.of { context.performAndWait { _ = child.hasChanges } }.count, 1)
    }

    @Test func mainQueueContextsAreCheckedToo() async throws {
        let main = reports.watching { NSManagedObjectContext(.mainQueue) }
        main.persistentStoreCoordinator = stack.coordinator
        let inside = await MainActor.run { [reports] in reports.of { _ = main.hasChanges } }
        #expect(inside.isEmpty)
        let messages = await Task.detached { [reports] in reports.of { _ = main.hasChanges } }.value
        expectEqual(messages.first?.contains("not inside of the main queue"), true)
    }

    @Test func withoutTheSwitchNothingIsAsked() throws {
        let plain = try Stack()
        let task = try plain.context.saveTask("a")
        #expect(reports.of { _ = task.text }.isEmpty)
    }

    @Test func aViolationStopsTheProgramUnlessAHandlerTakesTheReport() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let stack = try ConcurrencyDebug.watching { () throws in try Stack() }
            _ = try stack.context.tasks()
        }
        let errorOutput = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(errorOutput.contains("concurrency violation: fetch("))
        #expect(errorOutput.contains("__Multithreading_Violation_AllThatIsLeftToUsIsHonor__"))
    }
}
