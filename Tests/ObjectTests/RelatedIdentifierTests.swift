// Identifiers of related objects without the objects, identifiers from URIs, and paging of large relationships.
import ExpectationSupport
import Foundation
import ManagedGraph
import Testing

@testable import StackSupport

@Suite("Related identifiers")
struct RelatedIdentifierTests {
    @Test("objectIDs(forRelationshipNamed:) creates no objects and fires no faults")
    func identifiers() throws {
        let stack = try Stack()
        try stack.fill(places: 2, tasks: 3)
        let context = stack.otherContext()
        try context.run { () throws in
            let request = NSFetchRequest<NSManagedObjectID>(entityName: "Location")
            request.resultType = .managedObjectIDResultType
            request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
            let place = context.object(with: try #require(try context.fetch(request).first))
            let members = place.objectIDs(forRelationshipNamed: "tasks")
            expectEqual(members.count, 3)
            #expect(place.isFault)
            expectEqual(context.registeredObjects.count, 1)
            expectEqual(context.statistics.faultsFired, 0)
            let task = context.object(with: members[0])
            expectEqual(task.objectIDs(forRelationshipNamed: "location"), [place.objectID])
            #expect(task.isFault && place.isFault)
            expectEqual(context.registeredObjects.count, 2)
            #expect(task.objectIDs(forRelationshipNamed: "text").isEmpty)
        }
    }

    @Test("Unsaved changes of a relationship are included")
    func changes() throws {
        let stack = try Stack()
        try stack.fill(places: 1, tasks: 3)
        let context = stack.otherContext()
        try context.run { () throws in
            let place = try #require(try context.fetch(NSFetchRequest<TestLocation>(entityName: "Location")).first)
            let members = place.objectIDs(forRelationshipNamed: "tasks")
            let new = context.task("new")
            new.location = place
            let gone = context.object(with: members[1])
            gone.setValue(nil, forKey: "location")
            let registeredCount = context.registeredObjects.count
            expectEqual(Set(place.objectIDs(forRelationshipNamed: "tasks")), [members[0], members[2], new.objectID])
            expectEqual(context.registeredObjects.count, registeredCount)
            #expect(gone.objectIDs(forRelationshipNamed: "location").isEmpty)
            expectEqual(new.objectIDs(forRelationshipNamed: "location"), [place.objectID])
        }
    }

    @Test("Reads a large relationship in pages of adjacent keys, each member with its page")
    func pages() throws {
        let stack = try Stack()
        try stack.fill(places: 1, tasks: 2_200)
        let context = stack.otherContext()
        try context.run { () throws in
            let place = try #require(try context.fetch(NSFetchRequest<TestLocation>(entityName: "Location")).first)
            let tasks = place.tasks?.compactMap { $0 as? TestTask } ?? []
            expectEqual(tasks.count, 2_200)
            let rows = context.statistics.rowsRead
            let batches = context.statistics.faultBatches
            for task in tasks { expectEqual(task.text, "t0") }
            expectEqual(context.statistics.rowsRead - rows, 2_200)
            expectEqual(context.statistics.faultBatches - batches, 5)
        }
    }
}
