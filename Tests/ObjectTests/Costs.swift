// The guaranteed numbers of statements and accessed objects, as counted.
import ExpectationSupport
import Foundation
import GraphSupport
import ManagedGraph
import Synchronization
import Testing

@testable import StackSupport

struct Costs {
    private func countedModel() -> NSManagedObjectModel {
        let item = NSEntityDescription("Item", type: CountedItem.self)
        item.properties = [NSAttributeDescription("number", .integer64AttributeType, default: 0)]
        return NSManagedObjectModel([item])
    }

    @Test func aSaveOfOneChangeAmongManyRegisteredObjectsWritesOneRowAndTouchesOneObject() throws {
        let count = 200_000
        let stack = try Stack(model: countedModel())
        try stack.context.performAndWait { () throws in
            for number in 0..<count { CountedItem(context: stack.context).setValue(number, forKey: "number") }
            try stack.context.save()
            stack.context.reset()
        }
        let context = stack.otherContext()
        try context.performAndWait { () throws in
            let items = try context.fetch(NSFetchRequest<CountedItem>(entityName: "Item"))
            expectEqual(items.count, count)
            // Read a value of each object, so that all are registered and none is a fault.
            for item in items { _ = item.value(forKey: "number") }
            let item = try #require(items.last)
            item.setValue(-1, forKey: "number")
            CountedItem.calls.store(0, ordering: .relaxed)
            let faults = context.statistics.faultsFired
            let before = stack.coordinator.statistics
            let clock = ContinuousClock()
            let time = try clock.measure { try context.save() }
            let cost = stack.coordinator.statistics - before
            expectEqual(cost.rowsWritten, 1)
            // Besides the update: begin, commit, and the end of the turn's read transaction.
            #expect(cost.statements <= 4)
            expectEqual(cost.transactions, 1)
            expectEqual(CountedItem.calls.load(ordering: .relaxed), 3)
            expectEqual(context.statistics.faultsFired, faults)
            // Even one walk over all objects in memory takes longer.
            let walk = clock.measure { for object in items where object.hasChanges { Issue.record("\(object)") } }
            #expect(time < .milliseconds(50) || time < walk)
        }
    }

    @Test func traversingAThousandToManyRelationshipsWithPrefetchingTakesTwoStatements() throws {
        let stack = try Stack()
        try stack.fill(places: 1000, tasks: 2)
        let context = stack.otherContext()
        try context.run { () throws in
            let request = NSFetchRequest<TestLocation>(entityName: "Location")
            // Starts the turn's read transaction.
            _ = try context.count(for: request)
            let before = stack.coordinator.statistics
            request.relationshipKeyPathsForPrefetching = ["tasks"]
            var textCount = 0
            for place in try context.fetch(request) {
                for case let task as TestTask in place.tasks ?? NSSet() where task.text != nil { textCount += 1 }
            }
            expectEqual(textCount, 2000)
            // On a slow machine, the read transaction ends and restarts once.
            let statements = (stack.coordinator.statistics - before).statements
            #expect(statements == 2 || statements == 4)
        }
    }

    @Test func firingAThousandFaultsTakesAtMostOneStatementForFiveHundred() throws {
        _ = try Stack.withPlace(tasks: 1000) { context, place in
            let tasks = try #require(place.tasks as? Set<TestTask>)
            expectEqual(tasks.count, 1000)
            #expect(tasks.allSatisfy { $0.isFault })
            let before = context.statistics
            for task in tasks { expectEqual(task.text, "t0") }
            let cost = context.statistics - before
            expectEqual(cost.faultsFired, 1000)
            expectEqual(cost.faultBatches, 2)
            expectEqual(cost.fetches, 2)
            expectEqual(cost.rowsRead, 1000)
        }
    }

    @Test func addingToAToManyRelationshipReadsNothing() throws {
        let stack = try Stack.withPlace(tasks: 100) { context, place in
            _ = place.name
            let before = context.statistics
            for number in 0..<10 { context.task("new \(number)").location = place }
            place.mutableSetValue(forKey: "tasks").add(context.task("newest"))
            expectEqual(context.statistics, before)
            #expect(place.hasFault(forRelationshipNamed: "tasks"))
            expectEqual(place.tasks?.count, 111)
            try context.save()
        }
        let other = stack.otherContext()
        try other.run { () throws in try expectEqual(other.tasks().count, 111) }
    }

    @Test func savingAnAdditionToAToManyRelationshipReadsNoMembers() throws {
        _ = try Stack.withPlace(tasks: 100) { context, place in
            _ = place.name
            let before = context.statistics
            context.task("new").location = place
            try context.save()
            expectEqual(context.statistics, before)
        }
    }
}
