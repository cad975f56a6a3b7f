// Stores whose files have names almost as long as a file system allows.
import ExpectationSupport
import Foundation
import GraphSupport
import ManagedGraph
import Testing

struct LongFileNamesTests {
    private func model(_ names: [String]) -> NSManagedObjectModel {
        let model = NSManagedObjectModel()
        model.entities = [NSEntityDescription("Note", names.map { NSAttributeDescription($0) })]
        return model
    }

    @Test(arguments: [NSPersistentStore.StoreType.sqlite, .xml, .binary])
    func aStoreIsMadeMigratedAndReplaced(type: NSPersistentStore.StoreType) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "long-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        // SQLite adds an ending of 8 bytes for its journal.
        let name = String(repeating: "é", count: 119) + ".store"
        expectEqual(name.utf8.count, 244)
        let url = folder.appending(path: name)
        try model(["name"]).withStore(at: url, type: type) { context in
            context.make("Note", ["name": "one"])
            try context.save()
        }
        let options: [AnyHashable: Any] = [
            NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
        ]
        // A file of XML or of an archive has no model in it from which it could be migrated.
        let grown = model(type == .sqlite ? ["name", "more"] : ["name"])
        try grown.withStore(at: url, type: type, options: options) { context in
            try expectEqual(context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note")).count, 1)
        }
        let other = folder.appending(path: name + "2")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: grown)
        try coordinator.replacePersistentStore(at: other, withPersistentStoreFrom: url, type: type)
        try grown.withStore(at: other, type: type) { context in
            try expectEqual(context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note")).count, 1)
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        expectEqual(names.filter { $0.hasSuffix(".new") || $0.hasSuffix(".migration") }, [])
    }
}
