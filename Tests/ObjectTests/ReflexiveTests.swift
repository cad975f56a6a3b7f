// Relationships within one entity: their own inverses, and pairs of them. Every context reads both directions
// correctly.
import ExpectationSupport
import Foundation
import GraphSQL
import GraphSupport
import ManagedGraph
import Testing

@testable import StackSupport

struct ReflexiveRelationships {
    private static func model() -> NSManagedObjectModel {
        let person = NSEntityDescription("Person")
        let friends = NSRelationshipDescription("friends", to: person, toMany: true)
        friends.inverseRelationship = friends
        let spouse = NSRelationshipDescription("spouse", to: person)
        spouse.inverseRelationship = spouse
        person.properties = [
            NSAttributeDescription("name"), friends, spouse,
        ]
        person.relate("following", toMany: true, to: person, "followers", inverseToMany: true)
        person.relate("children", toMany: true, to: person, "parent", ordered: true)
        return NSManagedObjectModel([person])
    }

    private let stack: Stack
    private var context: NSManagedObjectContext { stack.context }

    init() throws { stack = try Stack(model: Self.model()) }

    private func people(_ names: String...) throws -> [NSManagedObject] {
        let entity = try #require(stack.coordinator.managedObjectModel.entitiesByName["Person"])
        return names.map { name in
            let person = NSManagedObject(entity: entity, insertInto: context)
            person.setValue(name, forKey: "name")
            return person
        }
    }

    /// Checks each person's relationship in memory and in a fresh context.
    private func expect(_ key: String, _ expected: [String: String], at location: SourceLocation = #_sourceLocation)
        throws
    {
        try context.save()
        for context in [self.context, stack.otherContext()] {
            try context.run { () throws in
                let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
                var related: [String: String] = [:]
                for person in try context.fetch(request) {
                    related[person.value(forKey: "name") as? String ?? ""] = person.joinedNames(key)
                }
                #expect(related == expected, sourceLocation: location)
            }
        }
    }

    @Test func aRelationshipThatIsItsOwnInverseIsReadFromEitherSide() throws {
        try context.run { () throws in
            let people = try people("a", "b", "c")
            people[0].setValue(NSSet(array: [people[1], people[2]]), forKey: "friends")
            expectEqual(people[1].joinedNames("friends"), "a")
            try expect("friends", ["a": "bc", "b": "a", "c": "a"])
            people[2].mutableSetValue(forKey: "friends").add(people[1])
            try expect("friends", ["a": "bc", "b": "ac", "c": "ab"])
            // Remove from the side that did not add it.
            people[1].mutableSetValue(forKey: "friends").remove(people[0])
            try expect("friends", ["a": "c", "b": "c", "c": "ab"])
            people[2].mutableSetValue(forKey: "friends").add(people[2])
            try expect("friends", ["a": "c", "b": "c", "c": "abc"])
            context.delete(people[2])
            try expect("friends", ["a": "", "b": ""])
        }
        #expect(try stack.rows("SELECT * FROM Z_1FRIENDS").isEmpty)
    }

    @Test func aFreshContextChangesItWithoutReadingIt() throws {
        try context.run { () throws in
            let people = try people("a", "b")
            people[0].mutableSetValue(forKey: "friends").add(people[1])
            try context.save()
        }
        let other = stack.otherContext()
        try other.run { () throws in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
            request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
            let people = try other.fetch(request)
            people[1].mutableSetValue(forKey: "friends").remove(people[0])
            try other.save()
            #expect(people[0].joinedNames("friends").isEmpty)
        }
        #expect(try stack.rows("SELECT * FROM Z_1FRIENDS").isEmpty)
    }

    @Test func predicatesFollowItInBothDirections() throws {
        try context.run { () throws in
            let people = try people("a", "b", "c")
            people[0].mutableSetValue(forKey: "friends").add(people[1])
            for _ in 0..<2 {
                for (name, expected) in [("a", ["b"]), ("b", ["a"]), ("c", [])] {
                    let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
                    request.predicate = NSPredicate(format: "ANY friends.name == %@", argumentArray: [name])
                    try expectEqual(context.fetch(request).map { $0.value(forKey: "name") as? String }, expected)
                }
                try context.save()
            }
        }
    }

    @Test func aPairOfInversesOfOneEntityIsChangedFromEitherSide() throws {
        try context.run { () throws in
            let people = try people("a", "b", "c")
            people[0].setValue(NSSet(array: [people[1], people[2]]), forKey: "following")
            people[0].mutableSetValue(forKey: "followers").add(people[1])
            try expect("following", ["a": "bc", "b": "a", "c": ""])
            try expect("followers", ["a": "b", "b": "a", "c": "a"])
            people[2].mutableSetValue(forKey: "followers").remove(people[0])
            people[2].mutableSetValue(forKey: "following").add(people[0])
            try expect("following", ["a": "b", "b": "a", "c": "a"])
            try expect("followers", ["a": "bc", "b": "a", "c": ""])
            context.delete(people[0])
            try expect("followers", ["b": "", "c": ""])
        }
        #expect(try stack.rows("SELECT * FROM Z_1FOLLOWING").isEmpty)
    }

    @Test func aToOneThatIsItsOwnInverseJoinsTwo() throws {
        try context.run { () throws in
            let people = try people("a", "b", "c")
            people[0].setValue(people[1], forKey: "spouse")
            try expect("spouse", ["a": "b", "b": "a", "c": ""])
            people[2].setValue(people[0], forKey: "spouse")
            try expect("spouse", ["a": "c", "b": "", "c": "a"])
            people[0].setValue(nil, forKey: "spouse")
            try expect("spouse", ["a": "", "b": "", "c": ""])
            people[0].setValue(people[0], forKey: "spouse")
            try expect("spouse", ["a": "a", "b": "", "c": ""])
        }
    }

    @Test func treesOfOneEntityKeepTheirOrder() throws {
        try context.run { () throws in
            let people = try people("a", "b", "c", "d")
            people[0].setValue(NSOrderedSet(array: [people[3], people[1], people[2]]), forKey: "children")
            try expect("children", ["a": "dbc", "b": "", "c": "", "d": ""])
            people[3].setValue(people[1], forKey: "parent")
            try expect("children", ["a": "bc", "b": "d", "c": "", "d": ""])
            try expect("parent", ["a": "", "b": "a", "c": "a", "d": "b"])
        }
    }
}
