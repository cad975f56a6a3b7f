// Objects that leave the identity map together when the event ends in which they were fetched.
import ExpectationSupport
import Foundation
import Testing

@testable import ManagedGraph
@testable import StackSupport

@Suite("Objects released at the end of an event") struct DyingObjectsTests {
    private let stack: Stack

    init() throws {
        let stack = try Stack()
        try stack.context.performAndWait { () throws in
            for number in 10..<60 { _ = stack.context.task("\(number)") }
            try stack.context.save()
        }
        self.stack = stack
    }

    private func tasks(_ context: NSManagedObjectContext, batchSize: Int = 0) throws -> [TestTask] {
        let request = NSFetchRequest<TestTask>(entityName: "Task")
        request.sortDescriptors = [NSSortDescriptor(key: "text", ascending: true)]
        request.fetchBatchSize = batchSize
        return try context.fetch(request)
    }

    @Test("Objects that only the fetch held are released", arguments: [0, 20])
    func released(batchSize: Int) throws {
        let context = stack.otherContext()
        weak var task: TestTask?
        try context.performAndWait { () throws in
            task = try tasks(context, batchSize: batchSize)[7]
            expectEqual(context.registry.count, 50)
        }
        expectNil(task)
        expectEqual(context.registry.count, 0)
        let texts = try context.performAndWait { () throws in try tasks(context).map(\.text) }
        expectEqual(texts.prefix(2), ["10", "11"])
    }

    @Test("An object that the program holds stays the one of its row", arguments: [0, 20])
    func held(batchSize: Int) throws {
        let context = stack.otherContext()
        let task = try context.performAndWait { () throws in try tasks(context, batchSize: batchSize)[7] }
        try context.performAndWait { () throws in
            expectEqual(context.registry.count, 1)
            #expect(try tasks(context)[7] === task)
            #expect(context.object(with: task.objectID) === task)
        }
    }

    @Test("A list that the program holds keeps all of its objects")
    func listHeld() throws {
        let context = stack.otherContext()
        let list = try context.performAndWait { () throws in try tasks(context) }
        try context.performAndWait { () throws in
            expectEqual(context.registry.count, 50)
            for (object, again) in zip(list, try tasks(context)) { #expect(object === again) }
            // The second fetch of the event takes the place of the first.
            _ = try tasks(context, batchSize: 10)
        }
        expectEqual(context.registry.count, 50)
    }

    @Test("A changed object stays in the context that fetched it")
    func changed() throws {
        let context = stack.otherContext()
        let key = try context.performAndWait { () throws in
            let task = try tasks(context)[3]
            task.text = "changed"
            return task.key
        }
        try context.performAndWait { () throws in
            expectEqual(context.registry.count, 1)
            expectEqual(context.updatedObjects.map { ($0 as? TestTask)?.text }, ["changed"])
            let again = try tasks(context)
            expectEqual(again.last?.key, key)
        }
    }

    @Test("An object that is revived while it is released is the one of its row once it is read", arguments: [0, 20])
    func revived(batchSize: Int) throws {
        let context = stack.otherContext()
        try context.performAndWait { () throws in
            var list: [NSManagedObject] = try tasks(context, batchSize: batchSize)
            context.recentObjects = RecentObjects()
            context.registry.removeDying(&list)
            expectEqual(context.registry.count, 0)
            let task = try #require(list[7] as? TestTask)
            let other = try #require(list[8] as? TestTask)
            list = []
            expectEqual(task.text, "17")
            #expect(context.object(with: task.objectID) === task)
            expectEqual(context.registry.count, 1)
            // The row of this one has a new object before it is read.
            let newObject = try #require(context.object(with: other.objectID) as? TestTask)
            #expect(newObject !== other)
            expectEqual(other.text, "18")
            #expect(context.object(with: other.objectID) === newObject)
        }
        expectEqual(context.registry.count, 0)
    }

    @Test("Registrations are recorded only for the coordinator of an incremental store")
    func recorded() throws {
        let context = stack.otherContext()
        let elsewhere = NSPersistentStoreCoordinator()
        let early = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        let late = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        early.persistentStoreCoordinator = elsewhere
        #expect(!early.registry.ledger.isOn)
        _ = NSIncrementalStore(
            persistentStoreCoordinator: elsewhere,
            configurationName: nil,
            at: URL(filePath: "/dev/null")
        )
        late.persistentStoreCoordinator = elsewhere
        #expect(early.registry.ledger.isOn)
        #expect(late.registry.ledger.isOn)
        #expect(!context.registry.ledger.isOn)
    }

    @Test("The same row twice in one result is one object")
    func repeated() throws {
        let context = stack.otherContext()
        try context.performAndWait { () throws in
            let keys = try tasks(context).map(\.key)
            context.reset()
            let layout = try context.requireCoordinator().compiledModel.layout(named: "Task")
            let rows = PagedObjectKeys(
                [keys[1], keys[2], keys[1], keys[1]],
                layout.model.layouts,
                pageSize: 2
            )
            let objects = context.objects(of: rows, layout, store: keys[1].store)
            #expect(objects[0] === objects[2])
            #expect(objects[0] === objects[3])
            #expect(objects[0] !== objects[1])
            expectEqual(objects.map(\.key), [keys[1], keys[2], keys[1], keys[1]])
            expectEqual(context.registry.count, 2)
        }
    }
}
