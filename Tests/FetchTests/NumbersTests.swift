// Numbers from outside or from a damaged store, at the limits of Int.
import ExpectationSupport
import Foundation
import GraphSQL
import GraphSQLite
import ManagedGraph
import Testing

@testable import StackSupport

struct NumbersFromOutside {
    @Test func aLimitAndAnOffsetMayBeAnyNumber() throws {
        let stack = try Stack()
        try stack.context.run { () throws in
            for text in ["a", "b", "c"] { _ = stack.context.task(text) }
            try stack.context.save()
            try stack.context.tasks()[1].priority = 5
            for (limit, offset, count) in [
                (Int.max, Int.max, 0), (Int.max, 1, 2), (1, .max, 0), (.min, .min, 3), (-1, -1, 3), (2, -5, 2),
            ] {
                let request = NSFetchRequest<TestTask>(entityName: "Task")
                request.sortDescriptors = [NSSortDescriptor(key: "text", ascending: true)]
                (request.fetchLimit, request.fetchOffset, request.fetchBatchSize) = (limit, offset, limit)
                try expectEqual(stack.context.fetch(request).count, count, "\(limit) \(offset)")
                let controller = NSFetchedResultsController(
                    fetchRequest: request,
                    managedObjectContext: stack.context,
                    sectionNameKeyPath: nil,
                    cacheName: nil
                )
                try controller.performFetch()
                expectEqual(controller.fetchedObjects?.count, count)
            }
        }
    }

    @Test func aTimeoutMayBeAnyNumber() throws {
        for seconds in [-1e12, 1e300, .nan, -.infinity, .infinity] {
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TasksModel.make())
            let url = FileManager.default.temporaryDirectory.appending(path: "mg-\(UUID().uuidString).sqlite")
            try coordinator.addPersistentStore(
                ofType: NSSQLiteStoreType,
                configurationName: nil,
                at: url,
                options: [NSPersistentStoreTimeoutOption: seconds]
            )
            try coordinator.remove(try #require(coordinator.persistentStores.first))
            try? FileManager.default.removeItem(at: url)
        }
    }

    @Test func orderNumbersOfADamagedStoreLeaveRoomForOthers() {
        for keys in [[Int64.max, nil, nil], [nil, .max, nil], [.min, nil, .max], [nil, .min, 5, nil]] as [[Int64?]] {
            var after = keys
            for change in OrderKeys.changes(keys) { after[change.place] = change.key }
            let numbers = after.compactMap(\.self)
            expectEqual(numbers.count, keys.count)
            expectEqual(numbers, numbers.sorted())
            expectEqual(Set(numbers).count, numbers.count)
        }
        for floor in [Int64.min, .max, OrderKeys.limit] {
            expectEqual(OrderKeys.changes([nil, 5], above: floor).map(\.place), [0, 1], "\(floor)")
        }
        expectEqual(OrderKeys.next(after: .max), .max)
    }

    @Test func aLastKeyThatNoRowCanHaveIsAnErrorOfTheSaveOrRaised() throws {
        for last in [Int64.min, Int64.max, -1] {
            let stack = try Stack()
            let literal = last == .min ? "-9223372036854775807 - 1" : "\(last)"
            try stack.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = \(literal)")
            try stack.context.run { () throws in
                _ = stack.context.task("a")
                guard last == .max else {
                    // New keys exceed those in the table.
                    return try stack.context.save()
                }
                #expect(throws: NSError.self) { try stack.context.save() }
                stack.context.rollback()
            }
        }
    }

    @Test func aNameOfThousandsOfLettersHasNoNeighbour() {
        let name = String(repeating: "x", count: 1_000_000)
        expectNil(NearestName.of(name, among: ["text", "done"]))
        expectNil(NearestName.of("", among: ["text"]))
    }
}
