// Calls of Apple's declarations as in libraries that wrap them: they compile as with Apple's framework.
import ExpectationSupport
import Foundation
import ManagedGraph
import Testing

@testable import StackSupport

extension NSPersistentStoreCoordinator {
    fileprivate static func make() -> NSPersistentStoreCoordinator { self.init(managedObjectModel: TasksModel.make()) }
}

extension NSManagedObjectContext {
    fileprivate func performWithSelf<T>(_ body: @escaping (NSManagedObjectContext) throws -> T) async throws -> T {
        try await perform { try body(self) }
    }

    fileprivate func performPlainly<T>(
        _ schedule: ScheduledTaskType,
        _ body: @escaping () throws -> T
    ) async throws -> T {
        try await perform(schedule: schedule, body)
    }
}

extension NSPersistentContainer {
    fileprivate func performInBackground<T>(_ body: @escaping (NSManagedObjectContext) throws -> T) async throws -> T {
        try await performBackgroundTask(body)
    }
}

struct Wrappers {
    private let container: NSPersistentContainer

    init() throws {
        container = NSPersistentContainer(name: "Tasks", managedObjectModel: TasksModel.make())
        container.persistentStoreDescriptions = [NSPersistentStoreDescription()]
        container.loadPersistentStores { expectNil($1) }
    }

    @Test func closuresArePassedThroughWrappersToAContextsQueue() async throws {
        let context = container.newBackgroundContext()
        let taskText = try await context.performWithSelf { context in
            let task = context.task("a")
            try context.save()
            return task.text
        }
        expectEqual(taskText, "a")
        for schedule in [NSManagedObjectContext.ScheduledTaskType.immediate, .enqueued] {
            #expect(try await context.performPlainly(schedule) { try context.tasks().count } == 1)
        }
        #expect(try await container.performInBackground { try $0.tasks().count } == 1)
        let coordinator = container.persistentStoreCoordinator
        let body: () throws -> Int = { coordinator.persistentStores.count }
        #expect(try await coordinator.perform(body) == 1)
    }

    @MainActor @Test func aClosureMadeOnTheMainActorIsRunOnAnotherContextsQueue() async throws {
        let context = container.newBackgroundContext()
        var texts: [String] = []
        let batch = try await context.perform {
            _ = context.task("b")
            try context.save()
            return try context.tasks().compactMap(\.text)
        }
        texts += batch
        expectEqual(texts, ["b"])
    }

    @Test func aCoordinatorIsMadeByTheMetatype() throws {
        let coordinator = NSPersistentStoreCoordinator.make()
        try coordinator.addPersistentStore(type: .inMemory, at: URL(filePath: "/dev/null"))
        expectEqual(coordinator.persistentStores.count, 1)
        #expect(NSPersistentStoreCoordinator().persistentStores.isEmpty)
    }

    @available(*, deprecated, message: "Tests a deprecated initializer.")
    @Test func aContextWithoutATypeIsOfTheThreadThatMakesIt() async throws {
        let type = await MainActor.run { NSManagedObjectContext().concurrencyType }
        expectEqual(type, .mainQueueConcurrencyType)
        let coordinator = container.persistentStoreCoordinator
        let thread = Thread {
            let context = NSManagedObjectContext()
            context.persistentStoreCoordinator = coordinator
            _ = context.task("confined")
            #expect(throws: Never.self) { try context.save() }
            expectEqual(context.concurrencyType, .privateQueueConcurrencyType)
        }
        thread.start()
        while !thread.isFinished { try await Task.sleep(for: .milliseconds(1)) }
        let texts = try await container.performInBackground { try $0.tasks().map(\.text) }
        expectEqual(texts, ["confined"])
    }

    @Test func theOverrideOfPerformAndWaitIsCalledByTheProgramAlone() throws {
        let parent = CountingContext(concurrencyType: .privateQueueConcurrencyType)
        parent.persistentStoreCoordinator = container.persistentStoreCoordinator
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = parent
        try child.performAndWait { () throws in
            let task = child.task("a")
            try child.save()
            child.refresh(task, mergeChanges: false)
            expectEqual(task.text, "a")
            try expectEqual(child.tasks().count, 1)
            try expectEqual(child.count(for: NSFetchRequest<NSManagedObject>(entityName: "Task")), 1)
        }
        expectEqual(parent.waits, 0)
        parent.performAndWait { #expect(parent.hasChanges) }
        expectEqual(parent.waits, 1)
    }

    @Test func bothFormsOfPerformAndWaitCallTheOverride() {
        let context = CountingContext(concurrencyType: .privateQueueConcurrencyType)
        let plain: NSManagedObjectContext = context
        expectEqual(plain.performAndWait { plain.performAndWait { 3 } }, 3)
        var isRun = false
        plain.performAndWait { isRun = true }
        #expect(isRun)
        expectEqual(context.waits, 3)
    }

    @Test func aSubclassOfTheContextOverridesSaveAndPerform() throws {
        let context = CountingContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = container.persistentStoreCoordinator
        var isRun = false
        (context as NSManagedObjectContext).perform { isRun = true }
        #expect(isRun)
        try context.performAndWait { () throws in
            let plain: NSManagedObjectContext = context
            _ = plain.task("s")
            context.failure = CocoaError(.userCancelled)
            #expect(throws: CocoaError.self) { try plain.save() }
            #expect(plain.hasChanges)
            context.failure = nil
            try plain.save()
            #expect(!plain.hasChanges)
            expectEqual(context.saves, 2)
        }
    }

    @Test func classesAreFoundByTheNamesThatEntitiesHave() {
        _ = CheckedTask.registered
        for name in ["CheckedTask", "ObjectTests.CheckedTask"] {
            #expect(ModuleRegistration.classNamed(name) == CheckedTask.self)
        }
        #expect(ModuleRegistration.classNamed("NSManagedObject") == NSManagedObject.self)
        #expect(ModuleRegistration.classNamed("ManagedGraph.NSFetchIndexDescription") == NSFetchIndexDescription.self)
        for name in ["Other.CheckedTask", "NoSuchClass", "A.B.C", ""] {
            #expect(ModuleRegistration.classNamed(name) == nil)
        }
    }

    @Test func aConflictWithoutContentIsMade() {
        let conflict = NSConstraintConflict()
        #expect(conflict.constraint.isEmpty && conflict.conflictingObjects.isEmpty)
        expectNil(conflict.databaseObject)
        #expect(conflict.constraintValues.isEmpty)
        expectNil(conflict.databaseSnapshot)
    }
}
