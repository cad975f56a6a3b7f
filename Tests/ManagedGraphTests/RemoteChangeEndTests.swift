// Releasing coordinators during notifications of their stores' changes.
import ExpectationSupport
import Foundation
import ManagedGraph
import Testing

@testable import StackSupport

struct RemoteChangeEnds {
    private func container(_ url: URL) throws -> NSPersistentContainer {
        let container = NSPersistentContainer(name: "Tasks", managedObjectModel: TasksModel.make())
        let description = NSPersistentStoreDescription(url: url)
        for key in [NSPersistentHistoryTrackingKey, NSPersistentStoreRemoteChangeNotificationPostOptionKey] {
            description.setOption(NSNumber(value: true), forKey: key)
        }
        container.persistentStoreDescriptions = [description]
        var failure: (any Error)?
        container.loadPersistentStores { failure = $1 }
        if let failure { throw failure }
        return container
    }

    /// Blocks the observer until the test has released everything else.
    private final class Gate: @unchecked Sendable {
        // Unchecked: any thread may use semaphores.
        let isNotified = DispatchSemaphore(value: 0)
        let isReleased = DispatchSemaphore(value: 0)
    }

    @Test func theLastReferenceToACoordinatorCanBeReleasedByANotificationOfItsStore() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "mg-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let gate = Gate()
        weak var released: NSPersistentStoreCoordinator?
        do {
            var container: NSPersistentContainer? = try container(folder.appending(path: "Tasks.sqlite"))
            released = container?.persistentStoreCoordinator
            let observer = NotificationCenter.default.addObserver(
                forName: .NSPersistentStoreRemoteChange,
                object: released,
                queue: nil
            ) { _ in
                gate.isNotified.signal()
                gate.isReleased.wait()
            }
            let context = try #require(container?.newBackgroundContext())
            try context.saveTask("a")
            gate.isNotified.wait()
            NotificationCenter.default.removeObserver(observer)
            container = nil
        }
        gate.isReleased.signal()
        for _ in 0..<500 where released != nil { Thread.sleep(forTimeInterval: 0.01) }
        expectNil(released)
    }

    @Test func aStoreIsRemovedWhileAnObserverWaits() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "mg-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let (gate, isRemoved) = (Gate(), DispatchSemaphore(value: 0))
        let container = try container(folder.appending(path: "Tasks.sqlite"))
        let coordinator = container.persistentStoreCoordinator
        let observer = NotificationCenter.default.addObserver(
            forName: .NSPersistentStoreRemoteChange,
            object: coordinator,
            queue: nil
        ) { _ in
            gate.isNotified.signal()
            gate.isReleased.wait()
        }
        defer { NotificationCenter.default.removeObserver(observer) }
        try container.newBackgroundContext().saveTask("a")
        gate.isNotified.wait()
        // The observer could be waiting for the thread that removes the store, such as the main thread.
        Thread.detachNewThread {
            for store in coordinator.persistentStores { try? coordinator.remove(store) }
            isRemoved.signal()
        }
        expectEqual(isRemoved.wait(timeout: .now() + 60), .success)
        #expect(coordinator.persistentStores.isEmpty)
        gate.isReleased.signal()
    }

    @Test func containersAreReleasedAtAnyMomentAfterASave() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "mg-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        for number in 0..<200 {
            let container = try container(folder.appending(path: "\(number % 4).sqlite"))
            let context = container.newBackgroundContext()
            try context.saveTask("\(number)")
            // From no delay to one that is longer than the first check of the file.
            if number % 10 > 0 { Thread.sleep(forTimeInterval: Double(number % 10) * 0.0005) }
        }
    }
}
