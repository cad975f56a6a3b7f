import ExpectationSupport
import Foundation
import GraphSupport
import ManagedGraph
import Testing

@testable import StackSupport

struct OpeningAStore {
    @Test func aStoreOfAnotherModelIsRefusedWith134100AndItsMetadata() throws {
        let stack = try Stack()
        let event = NSEntityDescription("Event")
        event.properties = [NSAttributeDescription("timeStamp", .dateAttributeType)]
        let model = NSManagedObjectModel([event])
        let before = try Data(contentsOf: stack.url)
        let error = #expect(throws: NSError.self) { try Stack(model: model, url: stack.url) }
        expectEqual(error?.code, 134100)
        expectEqual(
            error?.localizedDescription,
            "The model used to open the store is incompatible with the one used to create the store"
        )
        let metadata = try #require(error?.userInfo["metadata"] as? [String: Any])
        expectEqual(metadata["NSStoreType"] as? String, "SQLite")
        #expect(metadata["NSStoreUUID"] as? String != nil)
        expectEqual(metadata["_NSAutoVacuumLevel"] as? String, "2")
        expectEqual(
            (metadata["NSStoreModelVersionHashes"] as? [String: Data])?.keys.sorted(),
            ["Location", "Tag", "Task"]
        )
        #expect(metadata["NSPersistenceFrameworkVersion"] != nil)
        #expect(error?.userInfo["reason"] as? String != nil)
        try expectEqual(Data(contentsOf: stack.url), before)
    }

    @Test(arguments: ["just a text\n", "SQLite format 3\u{0}garbage"])
    func aFileThatIsNotAStoreIsRefusedAndLeftUnchanged(_ contents: String) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "mg-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let url = folder.appending(path: "Store.sqlite")
        try Data(contents.utf8).write(to: url)
        #expect(throws: NSError.self) { try Stack(url: url) }
        try expectEqual(Data(contentsOf: url), Data(contents.utf8))
        try expectEqual(FileManager.default.contentsOfDirectory(atPath: folder.path), ["Store.sqlite"])
    }

    @Test func metadataAreReadWithoutOpening() throws {
        let stack = try Stack()
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            ofType: NSSQLiteStoreType,
            at: stack.url
        )
        expectEqual(metadata["NSStoreUUID"] as? String, stack.coordinator.persistentStores.first?.identifier)
    }

    @Test func anInMemoryStoreSavesAndFetches() throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TasksModel.make())
        try coordinator.addPersistentStore(type: .sqlite, at: URL(filePath: "/dev/null"))
        let context = coordinator.makeContext()
        try context.run {
            _ = context.task("a")
            try context.save()
            try expectEqual(context.tasks().count, 1)
        }
    }
}
