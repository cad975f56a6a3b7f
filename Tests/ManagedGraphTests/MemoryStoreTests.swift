// SQLite stores at /dev/null: the features they share with stores in files.
import ExpectationSupport
import Foundation
import GraphSupport
import ManagedGraph
import Testing

@testable import StackSupport

struct MemoryStores {
    private let options: [AnyHashable: Any] = [
        NSPersistentHistoryTrackingKey: true, NSPersistentStoreRemoteChangeNotificationPostOptionKey: true,
    ]

    private func context(_ place: String, _ type: String = NSSQLiteStoreType) throws -> NSManagedObjectContext {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TasksModel.make())
        try coordinator.addPersistentStore(
            ofType: type,
            configurationName: nil,
            at: URL(filePath: place),
            options: options
        )
        return coordinator.makeContext()
    }

    private func authors(_ context: NSManagedObjectContext) throws -> [String?] {
        try context.performAndWait { () throws in
            let request = NSPersistentHistoryChangeRequest.fetchHistory(after: nil as NSPersistentHistoryToken?)
            let result = try context.execute(request) as? NSPersistentHistoryResult
            return try #require(result?.result as? [NSPersistentHistoryTransaction]).map(\.author)
        }
    }

    @Test func aNewDescriptionIsOfAStoreInMemory() throws {
        let description = NSPersistentStoreDescription()
        expectEqual(description.url, URL(string: "file:///dev/null"))
        expectEqual((description.copy() as? NSPersistentStoreDescription)?.url, description.url)
        expectEqual(description, NSPersistentStoreDescription())
        let readOnly = NSPersistentStoreDescription()
        readOnly.isReadOnly = true
        #expect(readOnly != description)
        let container = NSPersistentContainer(name: "Tasks", managedObjectModel: TasksModel.make())
        container.persistentStoreDescriptions = [description]
        container.loadPersistentStores { expectNil($1) }
        let store = try #require(container.persistentStoreCoordinator.persistentStores.first)
        expectEqual(store.type, NSSQLiteStoreType)
        try container.viewContext.performAndWait { () throws in
            _ = container.viewContext.task("a")
            try container.viewContext.save()
            try expectEqual(container.viewContext.tasks().map(\.text), ["a"])
        }
    }

    @Test func aSQLiteStoreInMemoryKeepsAHistoryIfItsOptionIsSet() throws {
        let context = try context("/dev/null")
        let coordinator = try #require(context.persistentStoreCoordinator)
        #expect(coordinator.currentPersistentHistoryToken(fromStores: nil) != nil)
        try context.performAndWait { () throws in
            context.transactionAuthor = "ann"
            _ = context.task("a")
            try context.save()
        }
        try expectEqual(authors(context), ["ann"])
        let plain = try self.context("/dev/null", NSInMemoryStoreType)
        expectNil(plain.persistentStoreCoordinator?.currentPersistentHistoryToken(fromStores: nil))
    }

    @Test func coordinatorsThatShareAStoreInMemoryShareItsHistory() throws {
        let place = "/dev/null/\(UUID().uuidString)"
        let (one, other) = (try context(place), try context(place))
        for (context, author) in [(one, "ann"), (other, "bob"), (one, "ann")] {
            try context.performAndWait { () throws in
                context.transactionAuthor = author
                _ = context.task(author)
                try context.save()
            }
        }
        try expectEqual(authors(one), ["ann", "bob", "ann"])
        try expectEqual(authors(other), ["ann", "bob", "ann"])
    }

    @Test func aStoreInAFileMovesToASharedOneInMemory() throws {
        let stack = try Stack()
        try stack.context.saveTask("a")
        let store = try #require(stack.coordinator.persistentStores.first)
        let place = URL(filePath: "/dev/null/\(UUID().uuidString)")
        _ = try stack.coordinator.migratePersistentStore(store, to: place, options: nil, withType: NSSQLiteStoreType)
        try stack.context.saveTask("b")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TasksModel.make())
        try coordinator.addPersistentStore(type: .sqlite, at: place)
        for context in [stack.context, coordinator.makeContext()] {
            try context.performAndWait { () throws in try expectEqual(context.tasks().map(\.text), ["a", "b"]) }
        }
    }

    @Test func anObjectThatAnotherCoordinatorHasDeletedCannotBeADestination() throws {
        let place = URL(filePath: "/dev/null/\(UUID().uuidString)")
        let model = RelationsModel.make(oneWay: [(.one("Man.firm"), to: "Firm")])
        let coordinators = (0..<2).map { _ in NSPersistentStoreCoordinator(managedObjectModel: model) }
        for coordinator in coordinators { try coordinator.addPersistentStore(type: .sqlite, at: place) }
        let (context, other) = (coordinators[0].makeContext(), coordinators[1].makeContext())
        try context.performAndWait { () throws in
            let firm = try context.make("Firm", "f")
            try context.save()
            try other.performAndWait { () throws in
                for firm in try other.fetch(NSFetchRequest<NSManagedObject>(entityName: "Firm")) { other.delete(firm) }
                try other.save()
            }
            try context.make("Man", "m").setValue(firm, forKey: "firm")
            let error = #expect(throws: NSError.self) { try context.save() }
            expectEqual(error?.code, NSManagedObjectMergeError)
        }
    }

    @Test(arguments: [true, false])
    func changesOfAStoreInMemoryAreNotified(isShared: Bool) async throws {
        let place = isShared ? "/dev/null/\(UUID().uuidString)" : "/dev/null"
        let (reader, writer) = (try context(place), try context(place))
        let observed = try #require((isShared ? reader : writer).persistentStoreCoordinator)
        let (tokens, posted) = AsyncStream<Bool>.makeStream()
        let observer = NotificationCenter.default.addObserver(
            forName: .NSPersistentStoreRemoteChange,
            object: observed,
            queue: nil
        ) { posted.yield($0.userInfo?[NSPersistentHistoryTokenKey] is NSPersistentHistoryToken) }
        defer { NotificationCenter.default.removeObserver(observer) }
        try writer.saveTask("a")
        #expect(await tokens.first { _ in true } == true)
        withExtendedLifetime((reader, writer)) {}
    }

    @Test(arguments: [NSXMLStoreType, NSBinaryStoreType])
    func aStoreThatIsAFileIsRefusedAtDevNull(type: String) throws {
        let error = #expect(throws: NSError.self) { try context("/dev/null", type) }
        expectEqual(error?.localizedDescription.contains("cannot be stored in /dev/null"), true)
    }
}
