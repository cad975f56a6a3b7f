// Destroying or replacing stores, both closed and open in coordinators.
import ExpectationSupport
import Foundation
import GraphSQLite
import GraphSupport
import ManagedGraph
import Synchronization
import Testing

@testable import StackSupport

struct DestroyedStores {
    private let stack: Stack

    init() throws { stack = try Self.filled("a", "b") }

    private static func filled(_ texts: String...) throws -> Stack {
        let stack = try Stack()
        try stack.context.run { () throws in
            for text in texts { _ = stack.context.task(text) }
            try stack.context.save()
        }
        return stack
    }

    private var store: NSPersistentStore {
        get throws { try #require(stack.coordinator.persistentStores.first) }
    }

    private func texts(_ context: NSManagedObjectContext) throws -> [String?] {
        try context.performAndWait { () throws in try context.tasks().map(\.text) }
    }

    private func add(_ text: String, _ context: NSManagedObjectContext) throws {
        try context.performAndWait { () throws in
            _ = context.task(text)
            try context.save()
        }
    }

    private func size(_ suffix: String = "") throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: stack.url.path + suffix)
        return try #require(attributes[.size] as? NSNumber).intValue
    }

    @Test(arguments: [true, false]) func aDestroyedStoreLeavesItsFilesWithoutContent(isOpen: Bool) throws {
        if !isOpen { try stack.coordinator.remove(try store) }
        try stack.coordinator.destroyPersistentStore(at: stack.url, ofType: NSSQLiteStoreType)
        #expect(try size() <= 8192)
        try expectEqual(size("-wal"), 0)
        let error = #expect(throws: NSError.self) {
            try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: stack.url)
        }
        expectEqual(error?.localizedDescription.contains("was destroyed"), true)
        // Some libraries expect each of these files to exist.
        for suffix in ["", "-wal", "-shm"] { try FileManager.default.removeItem(atPath: stack.url.path + suffix) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: stack.folder.path).isEmpty)
        try stack.coordinator.addPersistentStore(type: .sqlite, at: stack.url)
        try expectEqual(texts(stack.context), [])
    }

    @Test func aStoreIsCreatedAgainInAFileThatWasEmptied() throws {
        let before = try store.identifier
        try stack.coordinator.destroyPersistentStore(at: stack.url, type: .sqlite)
        #expect(stack.coordinator.persistentStores.isEmpty)
        let newStore = try stack.coordinator.addPersistentStore(
            type: .sqlite,
            at: stack.url,
            options: [NSPersistentHistoryTrackingKey: true]
        )
        #expect(newStore.identifier != before)
        try add("c", stack.context)
        try expectEqual(texts(stack.context), ["c"])
        try expectEqual(stack.rows("PRAGMA auto_vacuum"), [[.integer(2)]])
        try expectEqual(stack.rows("PRAGMA journal_mode"), [[.text("wal")]])
        try expectEqual(texts(Stack(url: stack.url).context), ["c"])
        try expectEqual(NSPersistentStoreCoordinator.cachedModelForPersistentStore(at: stack.url).entities.count, 3)
        // Repeat with an option that a reader must reject.
        try stack.coordinator.destroyPersistentStore(at: stack.url, type: .sqlite)
        let readOnly = #expect(throws: NSError.self) {
            try stack.coordinator.addPersistentStore(
                type: .sqlite,
                at: stack.url,
                options: [NSReadOnlyPersistentStoreOption: true]
            )
        }
        expectEqual(readOnly?.localizedDescription.contains("was destroyed"), true)
    }

    @Test func aStoreIsMadeInAFileThatWasDestroyedBeforeItsFirstUse() throws {
        let url = stack.folder.appending(path: "New.sqlite")
        for _ in 0..<2 { try stack.coordinator.destroyPersistentStore(at: url, type: .sqlite) }
        try expectEqual(FileManager.default.attributesOfItem(atPath: url.path)[.size] as? Int, 0)
        let readOnly = #expect(throws: NSError.self) {
            try NSPersistentStoreCoordinator(managedObjectModel: stack.coordinator.managedObjectModel)
                .addPersistentStore(type: .sqlite, at: url, options: [NSReadOnlyPersistentStoreOption: true])
        }
        expectEqual(readOnly?.localizedDescription.contains("The file is empty"), true)
        let first = try Stack(url: url)
        try add("c", first.context)
        try expectEqual(first.rows("PRAGMA auto_vacuum"), [[.integer(2)]])
        try expectEqual(first.rows("PRAGMA journal_mode"), [[.text("wal")]])
        try expectEqual(texts(Stack(url: url).context), ["c"])
    }

    @Test func aStoreReplacesAnEmptyFileAndMovesIntoOne() throws {
        let replaced = stack.folder.appending(path: "Replaced.sqlite")
        let moved = stack.folder.appending(path: "Moved.sqlite")
        for url in [replaced, moved] { try Data().write(to: url) }
        try stack.coordinator.replacePersistentStore(
            at: replaced,
            withPersistentStoreFrom: stack.url,
            sourceOptions: nil,
            ofType: NSSQLiteStoreType
        )
        try expectEqual(texts(Stack(url: replaced).context), ["a", "b"])
        _ = try stack.coordinator.migratePersistentStore(try store, to: moved, withType: NSSQLiteStoreType)
        try add("c", stack.context)
        try expectEqual(texts(Stack(url: moved).context), ["a", "b", "c"])
    }

    @Test func aDestroyedStoreOfTheCoordinatorItselfIsRemovedFromIt() throws {
        let old = try store
        // During a turn, whose reads share a transaction.
        try stack.context.performAndWait { () throws in
            try expectEqual(stack.context.tasks().count, 2)
            try stack.coordinator.destroyPersistentStore(at: stack.url, type: .sqlite)
            #expect(try stack.context.tasks().isEmpty)
        }
        expectNil(old.persistentStoreCoordinator)
        #expect(stack.coordinator.persistentStores.isEmpty)
        // Programs that also remove the store themselves keep working.
        try stack.coordinator.remove(old)
        try stack.coordinator.destroyPersistentStore(at: stack.url, type: .sqlite)
        try stack.coordinator.addPersistentStore(type: .sqlite, at: stack.url)
        try add("c", stack.context)
        try expectEqual(texts(stack.context), ["c"])
    }

    @Test func aStoreIsDestroyedWhileAnotherCoordinatorHasItOpenIdly() throws {
        let otherStack = try Stack(model: stack.coordinator.managedObjectModel, url: stack.url)
        try expectEqual(texts(otherStack.context), ["a", "b"])
        let began = Date()
        try stack.coordinator.destroyPersistentStore(at: stack.url, type: .sqlite)
        #expect(Date().timeIntervalSince(began) < 2)
        otherStack.context.performAndWait { otherStack.context.reset() }
        #expect(throws: NSError.self) { try texts(otherStack.context) }
        // The other coordinator continues with the new store.
        try stack.coordinator.addPersistentStore(type: .sqlite, at: stack.url)
        try add("c", stack.context)
        try expectEqual(texts(otherStack.context), ["c"])
        try otherStack.coordinator.remove(try #require(otherStack.coordinator.persistentStores.first))
        try expectEqual(texts(stack.context), ["c"])
    }

    @Test func aReaderKeepsItsRowsWhileTheStoreIsDestroyed() throws {
        let otherStack = try Stack(model: stack.coordinator.managedObjectModel, url: stack.url)
        try otherStack.context.performAndWait { () throws in
            try otherStack.context.setQueryGenerationFrom(.current)
            try expectEqual(otherStack.context.tasks().count, 2)
            try stack.coordinator.destroyPersistentStore(at: stack.url, type: .sqlite)
            try expectEqual(otherStack.context.tasks().map(\.text), ["a", "b"])
        }
    }

    @Test func aStoreThatIsBeingWrittenIsNotDestroyedAndTheErrorSaysWhy() throws {
        let writer = try Connection(path: stack.url.path)
        try writer.begin(.immediate)
        let error = #expect(throws: NSError.self) {
            try stack.coordinator.destroyPersistentStore(
                at: stack.url,
                type: .sqlite,
                options: [NSPersistentStoreTimeoutOption: 0.1]
            )
        }
        expectEqual(error?.code, NSPersistentStoreTimeoutError)
        expectEqual(error?.localizedDescription.contains("could not be destroyed: another connection is writing"), true)
        #expect(error?.userInfo[NSLocalizedRecoverySuggestionErrorKey] != nil)
        try writer.rollback()
        expectEqual(stack.coordinator.persistentStores.count, 1)
        try expectEqual(texts(stack.context), ["a", "b"])
    }

    @Test(arguments: [true, false]) func aStoreThatIsOpenIsReplaced(isOwn: Bool) throws {
        let source = try Self.filled("x", "y", "z")
        let otherStack = try Stack(model: stack.coordinator.managedObjectModel, url: stack.url)
        try expectEqual(texts(otherStack.context), ["a", "b"])
        otherStack.context.performAndWait { otherStack.context.reset() }
        let old = try store
        if !isOwn { try stack.coordinator.remove(old) }
        try stack.coordinator.replacePersistentStore(
            at: stack.url,
            withPersistentStoreFrom: source.url,
            type: .sqlite
        )
        #expect(stack.coordinator.persistentStores.isEmpty)
        expectNil(old.persistentStoreCoordinator)
        try expectEqual(texts(otherStack.context), ["x", "y", "z"])
        let new = try stack.coordinator.addPersistentStore(type: .sqlite, at: stack.url)
        expectEqual(new.identifier, source.coordinator.persistentStores.first?.identifier)
        try add("w", stack.context)
        try expectEqual(texts(stack.context), ["w", "x", "y", "z"])
        try expectEqual(texts(source.context), ["x", "y", "z"])
        try expectEqual(stack.rows("PRAGMA integrity_check"), [[.text("ok")]])
    }

    @Test func aStoreOfAnotherPageSizeIsReplaced() throws {
        let source = try Self.filled("x")
        try source.coordinator.remove(try #require(source.coordinator.persistentStores.first))
        try source.execute("PRAGMA journal_mode = DELETE; PRAGMA page_size = 1024; VACUUM; PRAGMA journal_mode = WAL")
        try stack.coordinator.replacePersistentStore(
            at: stack.url,
            withPersistentStoreFrom: source.url,
            type: .sqlite
        )
        try stack.coordinator.addPersistentStore(type: .sqlite, at: stack.url)
        try expectEqual(texts(stack.context), ["x"])
    }

    @Test func aStoreReplacedByItselfOrByNothingKeepsItsContent() throws {
        try stack.coordinator.replacePersistentStore(
            at: stack.url,
            withPersistentStoreFrom: stack.url,
            type: .sqlite
        )
        #expect(stack.coordinator.persistentStores.isEmpty)
        let added = try stack.coordinator.addPersistentStore(type: .sqlite, at: stack.url)
        let missing = stack.folder.appending(path: "Missing.sqlite")
        let error = #expect(throws: NSError.self) {
            try stack.coordinator.replacePersistentStore(
                at: stack.url,
                withPersistentStoreFrom: missing,
                type: .sqlite
            )
        }
        expectEqual(error?.localizedDescription.contains("Tasks.sqlite could not be replaced"), true)
        expectEqual(stack.coordinator.persistentStores, [added])
        try expectEqual(texts(stack.context), ["a", "b"])
    }

    @Test func aReplacementThatFailsReportsTheStoreThatItHasRemoved() throws {
        let (target, source) = (try Stack(type: .xml), try Stack(type: .xml))
        for stack in [target, source] { try add("x", stack.context) }
        let old = try #require(target.coordinator.persistentStores.first)
        // A folder in the place of the file makes the last step fail.
        try FileManager.default.removeItem(at: target.url)
        try FileManager.default.createDirectory(at: target.url, withIntermediateDirectories: false)
        let changes = NotificationListener(
            .NSPersistentStoreCoordinatorStoresDidChange,
            of: target.coordinator,
            keepsLast: true
        )
        #expect(throws: (any Error).self) {
            try target.coordinator.replacePersistentStore(
                at: target.url,
                withPersistentStoreFrom: source.url,
                type: .xml
            )
        }
        #expect(target.coordinator.persistentStores.isEmpty)
        expectEqual(changes.number, 1)
        let removed = changes.last?.userInfo?[NSRemovedPersistentStoresKey] as? [NSPersistentStore]
        expectEqual(removed, [old])
    }

    /// An observer acts after the store was found, as another thread may.
    @Test func aStoreThatIsDestroyedTwiceAtATimeIsReportedOnce() throws {
        let (coordinator, url, old) = (stack.coordinator, stack.url, try store)
        let isDestroying = Mutex(false)
        let observer = NotificationCenter.default.addObserver(
            forName: .NSPersistentStoreCoordinatorWillRemoveStore,
            object: old,
            queue: nil
        ) { [weak coordinator] _ in
            let isFirst = isDestroying.withLock { isDestroying in
                defer { isDestroying = true }
                return !isDestroying
            }
            guard isFirst, let coordinator else { return }
            do {
                try coordinator.destroyPersistentStore(at: url, type: .sqlite)
            } catch {
                Issue.record(error)
            }
        }
        defer { NotificationCenter.default.removeObserver(observer) }
        let changes = NotificationListener(
            .NSPersistentStoreCoordinatorStoresDidChange,
            of: coordinator,
            keepsLast: true
        )
        try coordinator.destroyPersistentStore(at: url, type: .sqlite)
        #expect(coordinator.persistentStores.isEmpty)
        expectEqual(changes.number, 1)
    }

    /// An observer acts after the store was found, as another thread may.
    @Test func aStoreWhoseLocationChangesMeanwhileIsNotDestroyed() throws {
        let (coordinator, url, old) = (stack.coordinator, stack.url, try store)
        let other = try Self.filled("x")
        let place = other.url
        let observer = NotificationCenter.default.addObserver(
            forName: .NSPersistentStoreCoordinatorWillRemoveStore,
            object: old,
            queue: nil
        ) { [weak coordinator] _ in
            guard let coordinator else { return }
            for store in coordinator.persistentStores { #expect(coordinator.setURL(place, for: store)) }
        }
        defer { NotificationCenter.default.removeObserver(observer) }
        try coordinator.destroyPersistentStore(at: url, type: .sqlite)
        expectEqual(coordinator.persistentStores, [old])
        expectEqual(old.url, place)
        #expect(try size() <= 8192)
    }

    @Test func aDestroyedStoreIsAPlaceToCopyAndToMoveTo() throws {
        let source = try Self.filled("x")
        try stack.coordinator.destroyPersistentStore(at: stack.url, type: .sqlite)
        try stack.coordinator.replacePersistentStore(
            at: stack.url,
            withPersistentStoreFrom: source.url,
            type: .sqlite
        )
        try stack.coordinator.destroyPersistentStore(at: stack.url, type: .sqlite)
        let moved = try source.coordinator.migratePersistentStore(
            try #require(source.coordinator.persistentStores.first),
            to: stack.url,
            type: .sqlite
        )
        expectEqual(moved.url, stack.url)
        try add("y", source.context)
        try expectEqual(texts(Stack(url: stack.url).context), ["x", "y"])
    }

    @Test func theFilesOfLargeValuesGoWithADestroyedStore() throws {
        let stack = try Stack(model: Things.model)
        try stack.context.run { () throws in
            let entity = try #require(Things.model.entitiesByName["Thing"])
            let thing = NSManagedObject(entity: entity, insertInto: stack.context)
            thing.setValue(Data(repeating: 1, count: 200_000), forKey: "picture")
            try stack.context.save()
        }
        try stack.coordinator.destroyPersistentStore(at: stack.url, type: .sqlite)
        let files = try FileManager.default.contentsOfDirectory(atPath: stack.folder.path)
        expectEqual(files.sorted(), ["Tasks.sqlite", "Tasks.sqlite-shm", "Tasks.sqlite-wal"])
    }

    @Test func aStoreInMemoryIsDestroyedWithItsCoordinatorsOrForAll() throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TasksModel.make())
        let context = coordinator.makeContext()
        for type in [NSSQLiteStoreType, NSInMemoryStoreType] {
            try coordinator.addPersistentStore(
                ofType: type,
                configurationName: nil,
                at: URL(filePath: "/dev/null")
            )
            try add("a", context)
            try coordinator.destroyPersistentStore(at: URL(filePath: "/dev/null"), ofType: type)
            #expect(coordinator.persistentStores.isEmpty)
        }
        let shared = URL(filePath: "/dev/null/\(UUID().uuidString)")
        let otherCoordinator = NSPersistentStoreCoordinator(managedObjectModel: TasksModel.make())
        try otherCoordinator.addPersistentStore(type: .sqlite, at: shared)
        try coordinator.addPersistentStore(type: .sqlite, at: shared)
        try add("b", context)
        try coordinator.destroyPersistentStore(at: shared, type: .sqlite)
        try coordinator.addPersistentStore(type: .sqlite, at: shared)
        try expectEqual(texts(context), [])
    }

    @Test func destroyingAMissingStoreSucceedsAndForeignFilesStay() throws {
        let missing = stack.folder.appending(path: "Missing.sqlite")
        try stack.coordinator.destroyPersistentStore(at: missing, type: .sqlite)
        // Programs remove the file next, as after destroying an existing store.
        try FileManager.default.removeItem(at: missing)
        let textFile = stack.folder.appending(path: "text.sqlite")
        try Data("no store".utf8).write(to: textFile)
        let error = #expect(throws: NSError.self) {
            try stack.coordinator.destroyPersistentStore(at: textFile, type: .sqlite)
        }
        expectEqual(error?.localizedDescription.contains("text.sqlite could not be destroyed"), true)
        try expectEqual(Data(contentsOf: textFile), Data("no store".utf8))
        try stack.coordinator.destroyPersistentStore(
            at: textFile,
            type: .sqlite,
            options: [NSPersistentStoreForceDestroyOption: true]
        )
        #expect(!FileManager.default.fileExists(atPath: textFile.path))
    }
}
