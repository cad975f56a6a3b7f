// Subentities, with abstract parents, and relationships within one entity.
import ExpectationSupport
import Foundation
import GraphSQL
import GraphSupport
import ManagedGraph
import Testing

@testable import StackSupport

struct EntityInheritance {
    private static func model() -> NSManagedObjectModel {
        let owner = NSEntityDescription("Owner")
        let animal = NSEntityDescription("Animal", [NSAttributeDescription("name")], type: TestAnimal.self)
        animal.isAbstract = true
        let dog = NSEntityDescription(
            "Dog",
            [NSAttributeDescription("rank", .integer32AttributeType)],
            type: TestDog.self
        )
        let puppy = NSEntityDescription("Puppy", [NSAttributeDescription("toy")], type: TestPuppy.self)
        let cat = NSEntityDescription(
            "Cat",
            [
                NSAttributeDescription("lives", .integer16AttributeType),
                NSAttributeDescription("rank", .integer32AttributeType),
            ],
            type: TestCat.self
        )
        dog.subentities = [puppy]
        animal.subentities = [dog, cat]
        owner.properties = [NSAttributeDescription("name")]
        owner.relate("pets", toMany: true, to: animal, "keeper", rule: .cascadeDeleteRule)
        owner.relate("favorite", to: animal, "admirers", inverseToMany: true)
        owner.relate("liked", toMany: true, to: animal, "likers", inverseToMany: true)
        owner.relate("mouser", to: cat, "employers", inverseToMany: true)
        return NSManagedObjectModel([owner, animal, dog, puppy, cat])
    }

    @Test func aURIThatNamesAParentGivesTheObjectOfTheRowsOwnClass() throws {
        let stack = try Stack(model: Self.model())
        let uri = try stack.context.run { () throws in
            let puppy = NSEntityDescription.insertNewObject(forEntityName: "Puppy", into: stack.context)
            try stack.context.save()
            return puppy.objectID.uriRepresentation().absoluteString
        }
        for name in ["Animal", "Dog", "Puppy"] {
            let url = try #require(URL(string: uri.replacingOccurrences(of: "Puppy", with: name)))
            let context = stack.otherContext()
            try context.run { () throws in
                let identifier = try #require(stack.coordinator.managedObjectID(forURIRepresentation: url))
                expectEqual(identifier.entity.name, "Puppy")
                #expect(type(of: context.object(with: identifier)) == TestPuppy.self)
                try expectEqual(context.existingObject(with: identifier).entity.name, "Puppy")
            }
        }
        // A row that does not exist, or is on another branch, resolves to the entity in its URI.
        let missing = try #require(URL(string: uri.replacingOccurrences(of: "Puppy/p1", with: "Animal/p77")))
        expectEqual(stack.coordinator.managedObjectID(forURIRepresentation: missing)?.entity.name, "Animal")
        let cat = try #require(URL(string: uri.replacingOccurrences(of: "Puppy", with: "Cat")))
        expectEqual(stack.coordinator.managedObjectID(forURIRepresentation: cat)?.entity.name, "Cat")
    }

    private let stack: Stack
    private var context: NSManagedObjectContext { stack.context }

    init() throws { stack = try Stack(model: Self.model()) }

    private func make(_ entity: String, _ name: String) throws -> NSManagedObject {
        return context.make(entity, ["name": name])
    }

    private func makeAnimals() throws -> [NSManagedObject] {
        let animals = [try make("Dog", "a dog"), try make("Puppy", "b puppy"), try make("Cat", "c cat")]
        try context.save()
        return animals
    }

    private func fetch(
        _ entity: String,
        _ context: NSManagedObjectContext,
        includesSubentities: Bool = true,
        _ change: (NSFetchRequest<NSManagedObject>) -> Void = { _ in }
    ) throws -> [NSManagedObject] {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        request.includesSubentities = includesSubentities
        change(request)
        let objects = try context.fetch(request)
        try expectEqual(context.count(for: request), objects.count)
        return objects
    }

    private func names(_ objects: [NSManagedObject]) -> [String] {
        objects.map { "\($0.entity.name ?? "") \(type(of: $0)) \($0.value(forKey: "name") as? String ?? "")" }
    }

    private static let all = ["Dog TestDog a dog", "Puppy TestPuppy b puppy", "Cat TestCat c cat"]

    @Test func aToOneRelationshipLeadsToAnEntityThatNoneInheritsFrom() throws {
        // A regression: opening failed, because it expected an entity column, which an entity without subentities
        // lacks.
        try context.run { () throws in
            let owner = try make("Owner", "o")
            owner.setValue(try make("Cat", "c cat"), forKey: "mouser")
            try context.save()
        }
        let other = stack.otherContext()
        try other.run { () throws in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Owner")
            let owner = try #require(try other.fetch(request).first)
            let cat = try #require(owner.value(forKey: "mouser") as? TestCat)
            expectEqual(cat.value(forKey: "name") as? String, "c cat")
            expectEqual(cat.value(forKey: "employers") as? Set<NSManagedObject>, [owner])
            request.predicate = NSPredicate(format: "mouser.name == 'c cat'")
            request.sortDescriptors = [NSSortDescriptor(key: "mouser.name", ascending: true)]
            try expectEqual(other.fetch(request), [owner])
        }
    }

    @Test func dictionariesHaveIdentifiersOfTheRowsOwnEntities() throws {
        let identifiers = try context.performAndWait { () throws in
            let animals = try makeAnimals()
            let owner = try make("Owner", "o")
            owner.setValue(animals[1], forKey: "favorite")
            try context.save()
            return animals.map(\.objectID)
        }
        let identifier = NSExpressionDescription()
        identifier.name = "id"
        identifier.expression = NSExpression.expressionForEvaluatedObject()
        identifier.expressionResultType = .objectIDAttributeType
        let other = stack.otherContext()
        try other.run { () throws in
            let animals = NSFetchRequest<NSDictionary>(entityName: "Animal")
            animals.resultType = .dictionaryResultType
            animals.propertiesToFetch = [identifier]
            animals.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
            let fetched = try other.fetch(animals).map { $0["id"] as? NSManagedObjectID }
            expectEqual(fetched.compactMap(\.self), identifiers)
            expectEqual(fetched.map { $0?.entity.name }, ["Dog", "Puppy", "Cat"])
            let owners = NSFetchRequest<NSDictionary>(entityName: "Owner")
            owners.resultType = .dictionaryResultType
            owners.propertiesToFetch = ["favorite"]
            let favorite = try #require(try other.fetch(owners).first)["favorite"] as? NSManagedObjectID
            expectEqual(favorite, identifiers[1])
            expectEqual(favorite?.entity.name, "Puppy")
        }
    }

    @Test func objectsComeWithTheirOwnEntitiesAndClasses() throws {
        try context.run { () throws in
            _ = try makeAnimals()
            try expectEqual(names(fetch("Animal", context)), Self.all)
            let other = stack.otherContext()
            try other.run { () throws in
                try expectEqual(names(fetch("Animal", other)), Self.all)
            }
            for change in [
                { $0.returnsObjectsAsFaults = false }, { $0.fetchBatchSize = 2 }, { $0.includesPropertyValues = false },
            ] as [(NSFetchRequest<NSManagedObject>) -> Void] {
                let other = stack.otherContext()
                try other.run { () throws in try expectEqual(names(fetch("Animal", other, change)), Self.all) }
            }
        }
        let again = try Stack(model: Self.model(), url: stack.url)
        try again.context.run { () throws in
            try expectEqual(names(fetch("Animal", again.context)), Self.all)
        }
    }

    // "includesSubentities: whether the fetch request includes subentities in the results" [D]
    @Test func aFetchWithoutSubentitiesHasTheEntitysOwnObjectsOnly() throws {
        try context.run { () throws in
            for isSaved in [false, true] {
                if isSaved {
                    try context.save()
                } else {
                    for name in ["Dog", "Puppy", "Cat"] { _ = try make(name, name) }
                }
                #expect(try fetch("Animal", context, includesSubentities: false).isEmpty)
                try expectEqual(fetch("Dog", context).map { $0.entity.name }, ["Dog", "Puppy"])
                try expectEqual(fetch("Dog", context, includesSubentities: false).map { $0.entity.name }, ["Dog"])
                try expectEqual(fetch("Puppy", context).map { $0.entity.name }, ["Puppy"])
                try expectEqual(fetch("Cat", context).map { $0.entity.name }, ["Cat"])
            }
        }
    }

    @Test func attributesOfOneNameBelowOneParentAreKeptApart() throws {
        try context.run { () throws in
            let animals = try makeAnimals()
            for (rank, animal) in animals.enumerated() { animal.setValue(rank + 1, forKey: "rank") }
            try context.save()
            try expectEqual(fetch("Animal", context) { $0.predicate = NSPredicate(format: "rank >= 2") }.count, 2)
            let other = stack.otherContext()
            try other.run { () throws in
                try expectEqual(fetch("Animal", other).map { $0.value(forKey: "rank") as? Int }, [1, 2, 3])
            }
        }
        try expectEqual(
            stack.rows("SELECT ZRANK, ZRANK1 FROM ZANIMAL ORDER BY ZNAME"),
            [
                [.null, .integer(1)], [.null, .integer(2)], [.integer(3), .null],
            ]
        )
    }

    @Test func identifiersHaveTheEntityAndLeadBackToTheClass() throws {
        try context.run { () throws in
            let animals = try makeAnimals()
            for animal in animals {
                let uri = animal.objectID.uriRepresentation()
                #expect(uri.pathComponents.contains(animal.entity.name ?? ""))
                let other = stack.otherContext()
                try other.run { () throws in
                    let identifier = try #require(stack.coordinator.managedObjectID(forURIRepresentation: uri))
                    expectEqual(identifier.entity.name, animal.entity.name)
                    let object = try other.existingObject(with: identifier)
                    #expect(type(of: object) == type(of: animal))
                    expectEqual(object.value(forKey: "name") as? String, animal.value(forKey: "name") as? String)
                }
            }
        }
    }

    // The root entity's row counts the keys, so that objects of different entities never share one.
    @Test func aTreeOfEntitiesSharesItsKeys() throws {
        try context.run { () throws in _ = try makeAnimals() }
        try expectEqual(
            stack.rows("SELECT Z_NAME, Z_SUPER, Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME <> 'Owner' ORDER BY Z_ENT"),
            [
                [.text("Animal"), .integer(0), .integer(3)], [.text("Cat"), .integer(1), .integer(0)],
                [.text("Dog"), .integer(1), .integer(0)], [.text("Puppy"), .integer(3), .integer(0)],
            ]
        )
    }

    @Test func relationshipsToAnAbstractEntityLeadToTheRightClasses() throws {
        try context.run { () throws in
            let animals = try makeAnimals()
            let owner = try make("Owner", "owner")
            owner.setValue(NSSet(array: animals), forKey: "pets")
            owner.setValue(NSSet(array: [animals[1], animals[2]]), forKey: "liked")
            owner.setValue(animals[1], forKey: "favorite")
            try context.save()
            let other = stack.otherContext()
            try other.run { () throws in
                let owner = try #require(try fetch("Owner", other).first)
                let pets = try #require(owner.value(forKey: "pets") as? NSSet)
                expectEqual(Set(pets.map { "\(type(of: $0))" }), ["TestDog", "TestPuppy", "TestCat"])
                let liked = try #require(owner.value(forKey: "liked") as? NSSet)
                expectEqual(Set(liked.map { "\(type(of: $0))" }), ["TestPuppy", "TestCat"])
                let favorite = try #require(owner.value(forKey: "favorite") as? TestPuppy)
                #expect(favorite.value(forKey: "keeper") as? NSManagedObject === owner)
                expectEqual((favorite.value(forKey: "admirers") as? NSSet)?.contains(owner), true)
                expectEqual((favorite.value(forKey: "likers") as? NSSet)?.contains(owner), true)
                try expectEqual(
                    fetch("Owner", other) { $0.predicate = NSPredicate(format: "ANY pets.lives == nil") }.count,
                    1
                )
                try expectEqual(
                    fetch("Owner", other) { $0.predicate = NSPredicate(format: "favorite.toy == nil") }.count,
                    1
                )
                other.delete(owner)
                try other.save()
                #expect(try fetch("Animal", other).isEmpty)
            }
        }
    }

    @Test func requestsOfAClassOrOfTheEntityOfAClassFindItsSubclasses() throws {
        try context.run { () throws in
            _ = try makeAnimals()
            let request = NSFetchRequest<TestDog>(entityName: "Dog")
            try expectEqual(context.fetch(request).count, 2)
            let wrong = NSFetchRequest<TestPuppy>(entityName: "Dog")
            #expect(throws: NSError.self) { try context.fetch(wrong) }
        }
    }

    @Test func changesAndDeletionsOfSubentitiesAreTheParents() throws {
        try context.run { () throws in
            let animals = try makeAnimals()
            animals[1].setValue("z", forKey: "name")
            animals[1].setValue("ball", forKey: "toy")
            #expect(try fetch("Animal", context).last === animals[1])
            context.delete(animals[0])
            try expectEqual(fetch("Animal", context), [animals[2], animals[1]])
            try context.save()
            let other = stack.otherContext()
            try other.run { () throws in
                let savedAnimals = try fetch("Animal", other)
                expectEqual(savedAnimals.map { $0.entity.name }, ["Cat", "Puppy"])
                expectEqual(savedAnimals.last?.value(forKey: "toy") as? String, "ball")
            }
        }
    }
}
