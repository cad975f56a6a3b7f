// Edits of a store that is opened from its file.
import ExpectationSupport
import Foundation
import GraphBrowsing
import GraphSupport
import ManagedGraph
import Testing

struct FileEditing {
    @Test(arguments: [true, false])
    func anEditContinuesTheHistoryOfAStoreThatHasOne(keepsHistory: Bool) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "edits-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let url = folder.appending(path: "Boxes.sqlite")
        let model = NSManagedObjectModel([
            NSEntityDescription("Box", [NSAttributeDescription("size", .floatAttributeType)])
        ])
        try Self.open(model, url, keepsHistory) { coordinator in
            let context = coordinator.makeContext()
            try context.performAndWait { () throws in
                context.make("Box", ["size": Float(0.1)])
                try context.save()
            }
        }
        try await Self.edit(url)
        try Self.open(model, url, keepsHistory) { coordinator in
            let context = coordinator.makeContext()
            let count = try context.performAndWait { () throws in
                let request = NSPersistentHistoryChangeRequest.fetchHistory(after: nil as NSPersistentHistoryToken?)
                let result = try context.execute(request) as? NSPersistentHistoryResult
                return (result?.result as? [NSPersistentHistoryTransaction])?.count ?? 0
            }
            expectEqual(count, (keepsHistory ? 2 : 0))
        }
    }

    /// Sets the size of the only box, as the studio does with `--write`.
    private static func edit(_ url: URL) async throws {
        let session = try BrowsingSession(store: url, isWritable: true)
        let staged = StagedEdits(session)
        let request = RowRequest(entity: "Box", columns: ["size"])
        let row = try #require(try await session.window(request).rows.first)
        _ = try await staged.apply([StagedEdit(.set, object: row.id, property: "size", text: "0.2")])
        #expect(try await staged.save().isSaved)
        #expect(try await session.window(request).texts("size") == ["0.2"])
    }

    private static func open(
        _ model: NSManagedObjectModel,
        _ url: URL,
        _ keepsHistory: Bool,
        _ body: (NSPersistentStoreCoordinator) throws -> Void
    ) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType,
            configurationName: nil,
            at: url,
            options: keepsHistory ? [NSPersistentHistoryTrackingKey: true] : nil
        )
        try body(coordinator)
        try coordinator.remove(store)
    }
}
