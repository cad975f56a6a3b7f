// Saves of other processes: merged, or missed if the history no longer has them.
import CoreData
import Foundation
import Logging
import Synchronization
import Testing

@testable import TableScreens

@Suite("Saves of other processes")
struct RemoteSavesTests {
    @Test("Saves that were deleted from the history are reported as missed, and those that follow are merged")
    func expiredToken() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "remote-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let coordinator = try Self.coordinator(folder.appending(path: "Notes.sqlite"))
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        let other = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        other.persistentStoreCoordinator = coordinator
        try await other.perform { try Self.save(other) }
        let reports = Mutex<[String]>([])
        let saves = RemoteSaves(
            coordinator,
            into: context,
            Logger(label: "test"),
            merged: { reports.withLock { $0.append("merged") } },
            missed: { reports.withLock { $0.append("missed") } }
        )
        defer { saves.stop() }
        try await other.perform {
            for _ in 0..<2 { try Self.save(other) }
            _ = try other.execute(NSPersistentHistoryChangeRequest.deleteHistory(before: Date.distantFuture))
        }
        await Self.announce(coordinator, to: context)
        #expect(reports.withLock { $0 } == ["missed"])
        try await other.perform { try Self.save(other) }
        await Self.announce(coordinator, to: context)
        #expect(reports.withLock { $0 } == ["missed", "merged"])
    }

    private static func coordinator(_ url: URL) throws -> NSPersistentStoreCoordinator {
        let note = NSEntityDescription()
        note.name = "Note"
        let text = NSAttributeDescription()
        text.name = "text"
        text.attributeType = .stringAttributeType
        text.isOptional = true
        note.properties = [text]
        let model = NSManagedObjectModel()
        model.entities = [note]
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        _ = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType,
            configurationName: nil,
            at: url,
            options: [NSPersistentHistoryTrackingKey: true]
        )
        return coordinator
    }

    private static func save(_ context: NSManagedObjectContext) throws {
        _ = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
        try context.save()
    }

    /// Announces a save of another process, and waits until it was handled.
    private static func announce(_ coordinator: NSPersistentStoreCoordinator, to context: NSManagedObjectContext) async
    {
        NotificationCenter.default.post(name: .NSPersistentStoreRemoteChange, object: coordinator)
        _ = await context.perform { true }
    }
}
