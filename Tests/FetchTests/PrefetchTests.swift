// Prefetching: its cost; its results equal those of faults that fire one by one.
import ExpectationSupport
import Foundation
import ManagedGraph
import Testing

@testable import StackSupport

struct Prefetching {
    @Test func toManyRelationshipsOfAThousandObjectsTakeTwoStatements() throws {
        let stack = try Stack()
        try stack.fill(places: 1000, tasks: 2)
        let context = stack.otherContext()
        try context.run { () throws in
            let request = NSFetchRequest<TestLocation>(entityName: "Location")
            request.relationshipKeyPathsForPrefetching = ["tasks"]
            let places = try context.fetch(request)
            let before = context.statistics.fetches
            for place in places {
                let tasks = try #require(place.tasks as? Set<TestTask>)
                expectEqual(tasks.count, 2)
                #expect(tasks.allSatisfy { $0.text == "t\(place.name ?? "")" && $0.location === place })
            }
            expectEqual(context.statistics.fetches, before)
        }
    }

    @Test func toOneDestinationsComeWithTheFetch() throws {
        let stack = try Stack()
        try stack.fill(places: 100, tasks: 3)
        let context = stack.otherContext()
        try context.run { () throws in
            let request = NSFetchRequest<TestTask>(entityName: "Task")
            request.relationshipKeyPathsForPrefetching = ["location"]
            let tasks = try context.fetch(request)
            let before = context.statistics.fetches
            for task in tasks { expectEqual("t" + (task.location?.name ?? ""), task.text) }
            expectEqual(context.statistics.fetches, before)
        }
    }

    @Test func nestedPathsAndManyToManyAreFollowed() throws {
        let stack = try Stack()
        try stack.fill(places: 5, tasks: 4)
        try stack.context.run { () throws in
            let entity = try #require(stack.coordinator.managedObjectModel.entitiesByName["Tag"])
            let tags = (0..<3).map { number in
                let tag = NSManagedObject(entity: entity, insertInto: stack.context)
                tag.setValue("tag\(number)", forKey: "name")
                return tag
            }
            for (number, task) in try stack.context.tasks().enumerated() {
                task.mutableSetValue(forKey: "tags").add(tags[number % 3])
                task.mutableSetValue(forKey: "tags").add(tags[0])
            }
            try stack.context.save()
        }
        let context = stack.otherContext()
        try context.run { () throws in
            let request = NSFetchRequest<TestLocation>(entityName: "Location")
            request.relationshipKeyPathsForPrefetching = ["tasks", "tasks.tags"]
            let places = try context.fetch(request)
            let before = context.statistics.fetches
            var tags: Set<NSManagedObject> = []
            for place in places {
                for task in (place.tasks as? Set<TestTask>) ?? [] {
                    let own = try #require(task.value(forKey: "tags") as? Set<NSManagedObject>)
                    #expect(own.contains { $0.value(forKey: "name") as? String == "tag0" })
                    tags.formUnion(own)
                }
            }
            expectEqual(tags.count, 3)
            expectEqual(context.statistics.fetches, before)
        }
    }

    @Test func prefetchedObjectsLeaveMemoryWithThoseTheyWerePrefetchedFor() throws {
        let stack = try Stack()
        try stack.fill(places: 10, tasks: 2)
        let context = stack.otherContext()
        weak var member: NSManagedObject?
        try context.run { () throws in
            let request = NSFetchRequest<TestLocation>(entityName: "Location")
            request.relationshipKeyPathsForPrefetching = ["tasks", "tasks.location"]
            let places = try context.fetch(request)
            expectEqual(context.registeredObjects.count, 30)
            member = try #require((places.first?.tasks as? Set<TestTask>)?.first)
        }
        context.performAndWait { #expect(context.registeredObjects.isEmpty) }
        expectNil(member)
    }

    @Test("Names that are not relationships are ignored, and the other paths are followed")
    func unknownNames() throws {
        let stack = try Stack()
        try stack.fill(places: 10, tasks: 2)
        let context = stack.otherContext()
        try context.run { () throws in
            let request = NSFetchRequest<TestTask>(entityName: "Task")
            request.relationshipKeyPathsForPrefetching = ["locatoin", "text", "location", "location.task", "text.a"]
            let tasks = try context.fetch(request)
            expectEqual(tasks.count, 20)
            let before = context.statistics.fetches
            for task in tasks { expectEqual("t" + (task.location?.name ?? ""), task.text) }
            expectEqual(context.statistics.fetches, before)
        }
    }

    @Test func aThousandFaultsFireTogetherIfTheyAreFetchedByIdentity() throws {
        let stack = try Stack()
        try stack.fill(places: 1, tasks: 1000)
        let context = stack.otherContext()
        try context.run { () throws in
            let identifiers = NSFetchRequest<NSManagedObjectID>(entityName: "Task")
            identifiers.resultType = .managedObjectIDResultType
            let faults = try context.fetch(identifiers).map { context.object(with: $0) }
            let request = NSFetchRequest<NSManagedObject>(entityName: "Task")
            request.predicate = NSPredicate(format: "SELF IN %@", faults)
            request.returnsObjectsAsFaults = false
            let before = context.statistics.fetches
            try expectEqual(context.fetch(request).count, 1000)
            #expect(faults.allSatisfy { !$0.isFault })
            #expect(faults.allSatisfy { $0.value(forKey: "text") as? String == "t0" })
            #expect(context.statistics.fetches - before <= 2)
        }
    }

    @Test func theFaultsOfAToManyRelationshipFireByThePage() throws {
        _ = try Stack.withPlace(tasks: 1000) { context, place in
            let tasks = try #require(place.tasks as? Set<TestTask>)
            let before = context.statistics.fetches
            for task in tasks { expectEqual(task.text, "t0") }
            #expect(context.statistics.fetches - before <= 2)
        }
    }

    /// Fetches a place with its two tasks, lets `change` change the store, and uses the place, which is still a fault.
    private func withFault(
        change: (Stack) throws -> Void,
        _ body: (NSManagedObjectContext, TestLocation) throws -> Void
    ) throws {
        let stack = try Stack()
        defer { withExtendedLifetime(stack) {} }
        try stack.fill(places: 1, tasks: 2)
        let mine = stack.otherContext()
        let place = try mine.run { () throws in
            let request = NSFetchRequest<TestLocation>(entityName: "Location")
            request.relationshipKeyPathsForPrefetching = ["tasks"]
            return try #require(try mine.fetch(request).first)
        }
        try change(stack)
        try mine.run { () throws in
            #expect(place.isFault)
            try body(mine, place)
        }
    }

    /// Renames the place and deletes one of its tasks in another context.
    private func saveElsewhere(_ stack: Stack) throws {
        let theirs = stack.otherContext()
        try theirs.run { () throws in
            try #require(try theirs.fetch(NSFetchRequest<TestLocation>(entityName: "Location")).first).name = "new"
            theirs.delete(try #require(try theirs.tasks().first))
            try theirs.save()
        }
    }

    @Test func aFaultWithPrefetchedMembersShowsALaterSave() throws {
        try withFault(change: saveElsewhere) { _, place in
            expectEqual(place.name, "new")
            expectEqual(place.tasks?.count, 1)
        }
    }

    @Test func aFaultWithPrefetchedMembersIsSavedWithoutAConflict() throws {
        try withFault(change: saveElsewhere) { context, place in
            place.name = "mine"
            try context.save()
            expectEqual(place.tasks?.count, 1)
        }
    }

    @Test(arguments: [false, true]) func aRefreshDropsPrefetchedMembers(ofAll: Bool) throws {
        try withFault(change: saveElsewhere) { context, place in
            if ofAll { context.refreshAllObjects() } else { context.refresh(place, mergeChanges: false) }
            expectEqual(place.tasks?.count, 1)
            expectEqual(place.name, "new")
        }
    }

    @Test(arguments: [false, true]) func aFaultWithPrefetchedMembersTakesAFresherRow(isFetchedAgain: Bool) throws {
        try withFault(
            change: { try $0.execute("UPDATE ZLOCATION SET ZNAME = 'new', Z_OPT = Z_OPT + 1") },
            { context, place in
                if isFetchedAgain {
                    _ = try context.fetch(NSFetchRequest<TestLocation>(entityName: "Location"))
                } else {
                    context.stalenessInterval = 0
                }
                expectEqual(place.name, "new")
                expectEqual(place.tasks?.count, 2)
            }
        )
    }

    @Test("Prefetches any number of destinations with one statement whose text is always the same")
    func manyDestinations() throws {
        let stack = try Stack()
        let numbers = "WITH RECURSIVE N(I) AS (SELECT 1 UNION ALL SELECT I + 1 FROM N WHERE I < 40000)"
        try stack.execute("\(numbers) INSERT INTO ZLOCATION(Z_PK, Z_ENT, Z_OPT, ZNAME) SELECT I, 1, 1, 'n' || I FROM N")
        try stack.execute(
            "\(numbers) INSERT INTO ZTASK(Z_PK, Z_ENT, Z_OPT, ZTEXT, ZPRIORITY, ZLOCATION) SELECT I, 3, 1, 't', 0, I FROM N"
        )
        try stack.context.performAndWait { () throws in
            let request = NSFetchRequest<TestTask>(entityName: "Task")
            request.relationshipKeyPathsForPrefetching = ["location"]
            let before = stack.coordinator.statistics.statements
            let tasks = try stack.context.fetch(request)
            expectEqual(tasks.count, 40_000)
            #expect(tasks.allSatisfy { $0.location?.name?.hasPrefix("n") == true })
            #expect(stack.coordinator.statistics.statements - before <= 8)
        }
    }
}
