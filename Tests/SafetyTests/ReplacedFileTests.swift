// Files of open stores that another program removes, or in whose place it puts another store: nothing is read from the other
// file, nothing is written into it, and saves continue once the file is back.
import ExpectationSupport
import Foundation
import GraphSupport
import ManagedGraph
import Testing

struct ReplacedFileTests {
    /// A change of the file by another program.
    enum Change: CaseIterable {
        case removed, replacedByStore, replacedByText, folderRemoved
    }

    private static let types: [NSPersistentStore.StoreType] = [.sqlite, .xml, .binary]
    private let folder = FileManager.default.temporaryDirectory.appending(path: "replaced-\(UUID().uuidString)")

    private static func coordinator(at url: URL, _ type: NSPersistentStore.StoreType) throws
        -> NSPersistentStoreCoordinator
    {
        let model = NSManagedObjectModel([NSEntityDescription("Item", [NSAttributeDescription("name")])])
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(type: type, at: url)
        return coordinator
    }

    private static func insert(_ names: String..., in coordinator: NSPersistentStoreCoordinator) throws {
        let context = coordinator.makeContext()
        try context.performAndWait { () throws in
            for name in names { context.make("Item", ["name": name]) }
            try context.save()
        }
    }

    private static func names(_ coordinator: NSPersistentStoreCoordinator) throws -> [String] {
        let context = coordinator.makeContext()
        return try context.performAndWait { () throws in
            try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Item"))
                .compactMap { $0.value(forKey: "name") as? String }.sorted()
        }
    }

    @Test("A new store where only the file of a former one was removed does not get its rows from the log")
    func leftoverLogs() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let url = folder.appending(path: "Store")
        let coordinator = try Self.coordinator(at: url, .sqlite)
        try Self.insert("a", "b", in: coordinator)
        try FileManager.default.removeItem(at: url)
        try coordinator.remove(coordinator.persistentStores[0])
        #expect(FileManager.default.fileExists(atPath: url.path + "-wal"))

        try coordinator.addPersistentStore(type: .sqlite, at: url)
        try expectEqual(Self.names(coordinator), [])
        try Self.insert("c", in: coordinator)
        try coordinator.remove(coordinator.persistentStores[0])
        try expectEqual(Self.names(Self.coordinator(at: url, .sqlite)), ["c"])
    }

    @Test("A copy of a store does not get rows from the log of a file that was removed from its place")
    func leftoverLogsOfACopy() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (url, source) = (folder.appending(path: "Store"), folder.appending(path: "Source"))
        let coordinator = try Self.coordinator(at: url, .sqlite)
        try Self.insert("a", "b", in: coordinator)
        try FileManager.default.removeItem(at: url)
        try coordinator.remove(coordinator.persistentStores[0])

        try Self.insert("x", in: Self.coordinator(at: source, .sqlite))
        try coordinator.replacePersistentStore(at: url, withPersistentStoreFrom: source, type: .sqlite)
        try expectEqual(Self.names(Self.coordinator(at: url, .sqlite)), ["x"])
    }

    @Test(arguments: types, Change.allCases)
    func nothingIsReadFromOrWrittenIntoAnotherFile(_ type: NSPersistentStore.StoreType, _ change: Change) throws {
        let home = folder.appending(path: "home")
        try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (url, other) = (home.appending(path: "Store"), folder.appending(path: "Other"))
        let strange = try Self.coordinator(at: other, type)
        try Self.insert("x", "y", "z", in: strange)
        try strange.remove(strange.persistentStores[0])

        let coordinator = try Self.coordinator(at: url, type)
        try Self.insert("a", "b", in: coordinator)
        let aside = folder.appending(path: "Aside")
        if change == .folderRemoved {
            try FileManager.default.moveItem(at: home, to: aside)
        } else {
            try FileManager.default.moveItem(at: url, to: aside)
        }
        if change == .replacedByStore { try FileManager.default.copyItem(at: other, to: url) }
        if change == .replacedByText { try Data("something else".utf8).write(to: url) }
        let before = try? Data(contentsOf: url)

        // Reading continues with the opened file.
        try expectEqual(Self.names(coordinator), ["a", "b"])
        var isSaved = true
        do {
            try Self.insert("c", in: coordinator)
        } catch let error as NSError {
            isSaved = false
            expectEqual(error.domain, NSCocoaErrorDomain)
            expectEqual(error.localizedRecoverySuggestion?.isEmpty, false, "\(error)")
        }
        // Stores in XML and binary files are written whole, so that a file that is gone is made again.
        expectEqual(isSaved, (type != .sqlite && change == .removed || type != .sqlite && change == .folderRemoved))
        if before != nil { try expectEqual(Data(contentsOf: url), before) }

        if !isSaved {
            try? FileManager.default.removeItem(at: url)
            if change == .folderRemoved {
                try? FileManager.default.removeItem(at: home)
                try FileManager.default.moveItem(at: aside, to: home)
            } else {
                try FileManager.default.moveItem(at: aside, to: url)
            }
            try Self.insert("c", in: coordinator)
        }
        try expectEqual(Self.names(coordinator), ["a", "b", "c"])
        try coordinator.remove(coordinator.persistentStores[0])
        let again = try Self.coordinator(at: url, type)
        try expectEqual(Self.names(again), ["a", "b", "c"])
        try again.remove(again.persistentStores[0])
    }
}
