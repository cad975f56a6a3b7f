// A coordinator's methods for adding, describing and removing stores, in all their variants.
import ExpectationSupport
import Foundation
import GraphSupport
import ManagedGraph
import Testing

@testable import StackSupport

struct StoreCalls {
    private let stack: Stack

    init() throws {
        stack = try Stack()
        try stack.context.saveTask("a")
    }

    private var store: NSPersistentStore {
        get throws { try #require(stack.coordinator.persistentStores.first) }
    }

    @Test func aDescriptionsStoreIsAddedImmediatelyOrInTheBackground() throws {
        for isLater in [false, true] {
            let description = NSPersistentStoreDescription(url: stack.url)
            description.shouldAddStoreAsynchronously = isLater
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TasksModel.make())
            let (thread, isDone) = (Thread.current, DispatchSemaphore(value: 0))
            coordinator.addPersistentStore(with: description) { _, error in
                expectNil(error)
                #expect((Thread.current === thread) != isLater)
                isDone.signal()
            }
            isDone.wait()
            expectEqual(coordinator.persistentStores.map(\.url), [stack.url])
        }
    }

    @Test(arguments: [false, true]) func pragmasOfADescriptionReachTheStore(isOption: Bool) throws {
        let url = stack.folder.appending(path: "Pragmas.sqlite")
        let description = NSPersistentStoreDescription(url: url)
        if isOption {
            description.setOption(["journal_mode": "DELETE"] as NSDictionary, forKey: NSSQLitePragmasOption)
        } else {
            description.setValue(NSString(string: "DELETE"), forPragmaNamed: "journal_mode")
        }
        description.setValue(NSNumber(value: 500), forPragmaNamed: "cache_size")
        let pragmas = description.sqlitePragmas.mapValues { "\($0)" }
        expectEqual(pragmas, ["journal_mode": "DELETE", "cache_size": "500"])
        #expect(description.options[NSSQLitePragmasOption] is NSDictionary)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TasksModel.make())
        coordinator.addPersistentStore(with: description) { _, error in expectNil(error) }
        try coordinator.makeContext().saveTask("a")
        #expect(!FileManager.default.fileExists(atPath: url.path + "-wal"))
        try coordinator.remove(try #require(coordinator.persistentStores.first))
        // The options are also those of the method that takes options.
        try coordinator.addPersistentStore(
            ofType: description.type,
            configurationName: nil,
            at: url,
            options: description.options
        )
        #expect(!FileManager.default.fileExists(atPath: url.path + "-wal"))
        description.setValue(nil, forPragmaNamed: "journal_mode")
        expectEqual(Array(description.sqlitePragmas.keys), ["cache_size"])
    }

    @Test func aStoreThatCannotBeAddedIsReportedToTheClosure() async throws {
        let url = stack.folder.appending(path: "text")
        try Data("no store".utf8).write(to: url)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TasksModel.make())
        let code = await withCheckedContinuation { continuation in
            coordinator.addPersistentStore(with: NSPersistentStoreDescription(url: url)) { _, error in
                continuation.resume(returning: (error as NSError?)?.code)
            }
        }
        #expect(code != nil && coordinator.persistentStores.isEmpty)
    }

    @Test func aContainerReportsEachOfItsStores() throws {
        let container = NSPersistentContainer(name: "Tasks", managedObjectModel: TasksModel.make())
        let memory = NSPersistentStoreDescription()
        memory.type = NSInMemoryStoreType
        container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: stack.url), memory]
        var reported: [String] = []
        container.loadPersistentStores(completionHandler: { description, error in
            expectNil(error)
            reported.append(description.type)
        })
        expectEqual(reported, [NSSQLiteStoreType, NSInMemoryStoreType])
        expectEqual(container.persistentStoreCoordinator.persistentStores.count, 2)
    }

    @Test func metadataSetOnAnOpenStoreAreWrittenByTheNextSave() throws {
        let (coordinator, store) = (stack.coordinator, try store)
        expectEqual(coordinator.url(for: store), stack.url)
        #expect(coordinator.persistentStore(for: stack.url) === store)
        var metadata = coordinator.metadata(for: store)
        expectEqual(metadata[NSStoreTypeKey] as? String, NSSQLiteStoreType)
        metadata["Owner"] = "me"
        coordinator.setMetadata(metadata, for: store)
        func onDisk() throws -> String? {
            let fileMetadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: stack.url)
            return fileMetadata["Owner"] as? String
        }
        try expectNil(onDisk())
        try stack.context.saveTask("b")
        try expectEqual(onDisk(), "me")
    }

    @Test func metadataOfAClosedStoreAreReadAndSetByEitherSpelling() throws {
        typealias Coordinator = NSPersistentStoreCoordinator
        try stack.coordinator.remove(try store)
        var metadata = try Coordinator.metadataForPersistentStore(ofType: NSSQLiteStoreType, at: stack.url)
        metadata["Owner"] = "me"
        try Coordinator.setMetadata(metadata, forPersistentStoreOfType: NSSQLiteStoreType, at: stack.url)
        metadata = try Coordinator.metadataForPersistentStore(type: .sqlite, at: stack.url)
        expectEqual(metadata["Owner"] as? String, "me")
        metadata["Owner"] = "you"
        try Coordinator.setMetadata(metadata, type: .sqlite, at: stack.url)
        metadata = try Coordinator.metadataForPersistentStore(ofType: NSSQLiteStoreType, at: stack.url, options: nil)
        expectEqual(metadata["Owner"] as? String, "you")
    }

    @Test(arguments: [false, true]) func aStoreIsDestroyedByEitherSpelling(isNew: Bool) throws {
        let coordinator = stack.coordinator
        try coordinator.remove(try store)
        if isNew {
            try coordinator.destroyPersistentStore(at: stack.url, type: .sqlite, options: nil)
        } else {
            try coordinator.destroyPersistentStore(at: stack.url, ofType: NSSQLiteStoreType, options: nil)
        }
        // "Deletes the target database": leaves an empty store or none.
        try coordinator.addPersistentStore(type: .sqlite, at: stack.url)
        try stack.context.run { () throws in #expect(try stack.context.tasks().isEmpty) }
    }

    @Test func aCoordinatorExecutesRequestsForAContext() throws {
        try stack.context.run { () throws in
            let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Task")
            let result = try stack.coordinator.execute(request, with: stack.context)
            expectEqual((result as? [TestTask])?.map(\.text), ["a"])
        }
    }
}
