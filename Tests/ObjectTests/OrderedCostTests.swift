// The cost of live views of to-many relationships in counted steps, and the results of single changes.
import ExpectationSupport
import Foundation
import Testing

@testable import ManagedGraph
@testable import StackSupport

@Suite("Costs of ordered relationships")
struct OrderedCostTests {
    private static func model() -> NSManagedObjectModel {
        RelationsModel.make((.many("List.items", ordered: true), .one("Item.list")))
    }

    private static func objects(_ count: Int, _ context: NSManagedObjectContext) -> [NSManagedObject] {
        (0..<count).map { _ in NSEntityDescription.insertNewObject(forEntityName: "Item", into: context) }
    }

    /// Runs a closure in a context with a new list and new objects outside it.
    private func withList(
        objects count: Int,
        _ body: (Stack, _ list: NSManagedObject, _ objects: [NSManagedObject]) throws -> Void
    ) throws {
        let stack = try Stack(model: Self.model())
        try stack.context.run { () throws in
            let list = NSEntityDescription.insertNewObject(forEntityName: "List", into: stack.context)
            try body(stack, list, Self.objects(count, stack.context))
        }
    }

    @Test("The steps of each change grow with the logarithm of the number of members")
    func steps() throws {
        let stack = try Stack(model: Self.model())
        try stack.context.run { () throws in
            var perCall: [Double] = []
            for count in [2_000, 8_000] {
                let objects = Self.objects(count, stack.context)
                let list = OrderedMembers([])
                for (number, object) in objects.enumerated() { list.insert(object, at: number * 7 % (number + 1)) }
                expectEqual(list.count, count)
                for object in objects {
                    let place = try #require(list.index(of: object))
                    #expect(list[place] === object)
                }
                for object in objects.shuffled().dropLast(10) { list.remove(object) }
                expectEqual(list.count, 10)
                expectEqual(list.all.count, 10)
                perCall.append(Double(list.steps) / Double(count * 4))
            }
            // Four times as many members: leaves are no longer, and the tree has two more levels.
            #expect(perCall[1] < 400)
            #expect(perCall[1] < perCall[0] * 1.5)
        }
    }

    @Test("Requesting the ordered set for each of 8,000 changes creates one view and compares no lists")
    func views() throws {
        try withList(objects: 8_000) { stack, list, objects in
            var views: Set<ObjectIdentifier> = []
            for object in objects {
                let set = list.mutableOrderedSetValue(forKey: "items")
                views.insert(ObjectIdentifier(set))
                set.insert(object, at: set.count / 2)
                #expect(set.object(at: set.count / 2) as? NSManagedObject != nil)
            }
            expectEqual(views.count, 1)
            let view = try #require(list.mutableOrderedSetValue(forKey: "items") as? OrderedRelationship)
            #expect(view.steps < 8_000 * 400)
            for number in stride(from: 0, to: 8_000, by: 2) {
                list.mutableOrderedSetValue(forKey: "items").remove(objects[number])
            }
            #expect(view.steps < 8_000 * 800)
            expectEqual(view.count, 4_000)
            try stack.context.save()
        }
    }

    @Test("A view that is held over saves and changes from elsewhere shows the members")
    func savedViews() throws {
        try withList(objects: 300) { stack, list, objects in
            let set = list.mutableOrderedSetValue(forKey: "items")
            for (number, object) in objects.enumerated() {
                set.add(object)
                if number % 50 == 0 { try stack.context.save() }
                expectEqual(set.count, number + 1)
            }
            try stack.context.save()
            objects[7].setValue(nil, forKey: "list")
            let rest = objects.filter { $0 !== objects[7] }
            expectEqual(set.array as? [NSManagedObject], rest)
            list.setValue(NSOrderedSet(array: rest.reversed()), forKey: "items")
            expectEqual(set.array as? [NSManagedObject], rest.reversed())
            set.removeObject(at: 0)
            try stack.context.save()
            expectEqual(set.array as? [NSManagedObject], Array(rest.reversed().dropFirst()))
        }
    }

    @Test("A relationship keeps its view over saves, until its owner becomes a fault or its context ends")
    func restingViews() throws {
        weak var view: NSMutableOrderedSet?
        weak var owner: NSManagedObject?
        try withList(objects: 20) { stack, list, objects in
            for (number, object) in objects.enumerated() {
                func append() {
                    let set = list.mutableOrderedSetValue(forKey: "items")
                    if number > 0 { #expect(view === set) }
                    view = set
                    set.add(object)
                }
                append()
                try stack.context.save()
            }
            objects[3].setValue(nil, forKey: "list")
            let expected = objects.filter { $0 !== objects[3] }
            expectEqual(list.mutableOrderedSetValue(forKey: "items").array as? [NSManagedObject], expected)
            expectEqual(list.mutableOrderedSetValue(forKey: "items").lastObject as? NSManagedObject, objects[19])
            try stack.context.save()
            #expect(view != nil)
            stack.context.refresh(list, mergeChanges: false)
            #expect(view == nil)
            expectEqual(list.mutableOrderedSetValue(forKey: "items").array as? [NSManagedObject], expected)
            list.mutableOrderedSetValue(forKey: "items").moveObjects(at: [0], to: 5)
            view = list.mutableOrderedSetValue(forKey: "items")
            owner = list
            try stack.context.save()
            #expect(view != nil && owner != nil)
        }
        #expect(view == nil && owner == nil)
    }

    @Test("The ordered set of a relationship finds the index of each member, and none for others")
    func indexes() throws {
        try withList(objects: 500) { _, list, objects in
            list.setValue(NSOrderedSet(array: Array(objects.dropLast())), forKey: "items")
            let items = try #require(list.value(forKey: "items") as? NSOrderedSet)
            list.mutableOrderedSetValue(forKey: "items").removeObject(at: 0)
            for (index, object) in objects.dropLast().enumerated() {
                expectEqual(items.index(of: object), index)
                #expect(items.object(at: index) as? NSManagedObject === object)
            }
            for other in [objects[499], list, "text", 3] as [Any] { expectEqual(items.index(of: other), NSNotFound) }
            expectEqual(items, NSOrderedSet(array: Array(objects.dropLast())))
            let later = try #require(list.value(forKey: "items") as? NSOrderedSet)
            expectEqual(later.index(of: objects[0]), NSNotFound)
            expectEqual(later.index(of: objects[1]), 0)
            expectEqual((later.copy() as? NSOrderedSet)?.count, 498)
            expectEqual((later.mutableCopy() as? NSMutableOrderedSet)?.index(of: objects[2]), 1)
        }
    }

    @Test("Random single changes match a plain array, before and after a save, and in the store")
    func random() throws {
        try withList(objects: 700) { stack, list, objects in
            var expected: [NSManagedObject] = []
            var numbers = SystemRandomNumberGenerator()
            for round in 0..<2_500 {
                let view = list.mutableOrderedSetValue(forKey: "items")
                let place = Int.random(in: 0...expected.count, using: &numbers)
                let object = objects[Int.random(in: 0..<objects.count, using: &numbers)]
                switch Int.random(in: 0..<6, using: &numbers) {
                case 0, 1, 2:
                    view.insert(object, at: place)
                    if !expected.contains(object) { expected.insert(object, at: place) }
                case 3 where place < expected.count:
                    view.removeObject(at: place)
                    expected.remove(at: place)
                case 4 where place < expected.count:
                    let target = Int.random(in: 0..<expected.count, using: &numbers)
                    view.exchangeObject(at: place, withObjectAt: target)
                    expected.swapAt(place, target)
                case 5 where place < expected.count:
                    let target = Int.random(in: 0..<expected.count, using: &numbers)
                    view.moveObjects(at: IndexSet(integer: place), to: target)
                    expected.insert(expected.remove(at: place), at: target)
                default:
                    view.add(object)
                    if !expected.contains(object) { expected.append(object) }
                }
                if round % 100 == 0 {
                    expectEqual(view.count, expected.count)
                    expectEqual(view.array.compactMap { $0 as? NSManagedObject }, expected)
                    expectEqual((list.value(forKey: "items") as? NSOrderedSet)?.array as? [NSManagedObject], expected)
                    for (place, object) in expected.enumerated().prefix(20) {
                        expectEqual(view.index(of: object), place)
                        #expect(view.object(at: place) as? NSObject === object)
                    }
                }
                if round % 700 == 0 { try stack.context.save() }
            }
            try stack.context.save()
            let other = stack.otherContext()
            let identifiers = expected.map(\.objectID)
            let members = try other.performAndWait { () throws -> [NSManagedObjectID] in
                let list = try other.existingObject(with: list.objectID)
                return (list.value(forKey: "items") as? NSOrderedSet)?.compactMap {
                    ($0 as? NSManagedObject)?.objectID
                } ?? []
            }
            expectEqual(members, identifiers)
        }
    }
}
