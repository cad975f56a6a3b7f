// Methods that programs declare under the names of the framework's: calls of them are not ambiguous, and theirs are called.
import ExpectationSupport
import Foundation
import ManagedGraph
import Testing

@testable import StackSupport

extension NSManagedObjectContext {
    /// As programs have declared it since before Apple's framework had one that returns a result.
    fileprivate func performAndWait<T>(_ block: () throws -> T) rethrows -> T {
        calls += 1
        var result: Result<T, any Error>?
        performAndWait { () -> Void in result = Result { try block() } }
        // A rethrowing function throws in its block's calls only.
        func unwrap(_ result: Result<T, any Error>?, _ body: () throws -> T) rethrows -> T {
            if case .success(let value)? = result { value } else { try body() }
        }
        return try unwrap(result, block)
    }

    fileprivate func perform<T>(
        schedule: ScheduledTaskType = .immediate,
        _ block: @escaping () throws -> T
    ) async throws -> T {
        calls += 1
        return try performAndWait { () throws in try block() }
    }

    fileprivate var calls: Int {
        get { userInfo["calls"] as? Int ?? 0 }
        set { userInfo["calls"] = newValue }
    }
}

extension NSPersistentContainer {
    fileprivate func performBackgroundTask<T>(
        _ block: @escaping (NSManagedObjectContext) throws -> T
    ) async throws -> T {
        viewContext.calls += 1
        return try await withCheckedThrowingContinuation { continuation in
            performBackgroundTask { context -> Void in
                do { continuation.resume(returning: try block(context)) } catch { continuation.resume(throwing: error) }
            }
        }
    }
}

extension NSPersistentStoreCoordinator {
    fileprivate func perform<T>(_ block: @escaping () throws -> T) async rethrows -> T { try block() }

    fileprivate func performAndWait<T>(_ block: () throws -> T) rethrows -> T { try block() }
}

/// A class with a subscript that takes names other than those of properties.
private final class LabelledTask: NSManagedObject {
    subscript(label: String) -> Any? {
        get { label == "label" ? value(forKey: "text") : nil }
        set { setValue(newValue, forKey: "text") }
    }
}

struct OwnWrappers {
    @Test func aClassMayHaveASubscriptOfItsOwn() throws {
        let model = TasksModel.make()
        model.entitiesByName["Task"]?.managedObjectClassName = NSStringFromClass(LabelledTask.self)
        let context = try Stack(model: model).context
        try context.performAndWait { () throws in
            let task = LabelledTask(context: context)
            task["label"] = "mine"
            expectEqual(task["label"] as? String, "mine")
            expectNil(task["text"])
            let plain: NSManagedObject = task
            expectEqual(plain["text"] as? String, "mine")
            plain["text"] = "other"
            expectEqual(task["label"] as? String, "other")
        }
    }

    @Test func callsOfAProgramsOwnMethodsAreNotAmbiguous() async throws {
        let context = try Stack().context
        var count = 0
        context.performAndWait {
            count = 1
            count += 1
        }
        let sum = context.performAndWait { count + 1 }
        let tasks = try context.performAndWait { try context.tasks() }
        expectEqual(sum, 3)
        #expect(tasks.isEmpty)
        let taskCount = try await context.perform { try context.tasks().count }
        expectEqual(taskCount, 0)
        // The method of the context waits with the other one.
        expectEqual(context.calls, 4)
        let container = NSPersistentContainer(name: "Tasks", managedObjectModel: TasksModel.make())
        container.persistentStoreDescriptions = [NSPersistentStoreDescription()]
        container.loadPersistentStores { expectNil($1) }
        let storeCount = try await container.performBackgroundTask { context in
            (try context.tasks() + [context.task("a")]).count
        }
        let coordinator = container.persistentStoreCoordinator
        let stores = await coordinator.perform { coordinator.persistentStores.count }
        expectEqual(storeCount, 1)
        expectEqual(container.viewContext.calls, 1)
        expectEqual(stores, coordinator.performAndWait { coordinator.persistentStores.count })
    }
}
