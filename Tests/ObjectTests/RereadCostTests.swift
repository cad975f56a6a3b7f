// Reading a to-many relationship after each change of it: the cost in counted steps, and the members shown.
import ExpectationSupport
import Foundation
import TestSupport
import Testing

@testable import ManagedGraph
@testable import StackSupport

@Suite("Reading a to-many relationship again and again")
struct RereadCostTests {
    private static func model(ordered: Bool) -> NSManagedObjectModel {
        RelationsModel.make((.many("List.items", ordered: ordered), .one("Item.list")))
    }

    /// A saved list whose members were read.
    private static func savedList(of total: Int, in context: NSManagedObjectContext) throws -> NSManagedObject {
        let list = NSEntityDescription.insertNewObject(forEntityName: "List", into: context)
        for _ in 0..<total {
            NSEntityDescription.insertNewObject(forEntityName: "Item", into: context).setValue(list, forKey: "list")
        }
        try context.save()
        expectEqual(count(list), total)
        return list
    }

    private static func count(_ list: NSManagedObject) -> Int? {
        let value = list.value(forKey: "items")
        return (value as? NSSet)?.count ?? (value as? NSOrderedSet)?.count
    }

    private static func steps(_ list: NSManagedObject) throws -> Int {
        let slot = try #require(list.layout.slots.firstIndex { $0.name == "items" })
        return list.toManyState(slot).held.steps
    }

    @Test("Each read after an addition takes in the new member alone", arguments: [false, true])
    func additions(ordered: Bool) throws {
        let stack = try Stack(model: Self.model(ordered: ordered))
        try stack.context.run { () throws in
            var perRead: [Double] = []
            for total in [300, 1_200] {
                let list = NSEntityDescription.insertNewObject(forEntityName: "List", into: stack.context)
                for number in 1...total {
                    let item = NSEntityDescription.insertNewObject(forEntityName: "Item", into: stack.context)
                    item.setValue(list, forKey: "list")
                    expectEqual(Self.count(list), number)
                    if number % 100 == 0 { try stack.context.save() }
                }
                perRead.append(Double(try Self.steps(list)) / Double(total))
            }
            #expect(perRead[1] < 40)
        }
    }

    @Test("A read after each saved addition takes in the new member alone", arguments: [false, true])
    func savedAdditions(ordered: Bool) throws {
        let stack = try Stack(model: Self.model(ordered: ordered))
        try stack.context.run { () throws in
            let list = try Self.savedList(of: 500, in: stack.context)
            let before = try Self.steps(list)
            for number in 501...600 {
                NSEntityDescription.insertNewObject(forEntityName: "Item", into: stack.context)
                    .setValue(list, forKey: "list")
                try stack.context.save()
                expectEqual(Self.count(list), number)
            }
            try expectEqual(Self.steps(list) - before, 100)
        }
    }

    @Test("A read after each removal takes in no other member", arguments: [false, true])
    func removals(ordered: Bool) throws {
        let stack = try Stack(model: Self.model(ordered: ordered))
        try stack.context.run { () throws in
            let list = try Self.savedList(of: 500, in: stack.context)
            let value = list.value(forKey: "items")
            let items = (value as? NSOrderedSet)?.array ?? (value as? NSSet)?.allObjects
            let before = try Self.steps(list)
            for (number, item) in try #require(items as? [NSManagedObject]).prefix(100).enumerated() {
                item.setValue(nil, forKey: "list")
                expectEqual(Self.count(list), 499 - number)
                if number % 2 == 0 { try stack.context.save() }
                expectEqual(Self.count(list), 499 - number)
            }
            // The set that the test has read is another one from the first removal on.
            #expect(try Self.steps(list) - before <= 100 + 500)
        }
    }

    @Test("Reads without changes take in no member again", arguments: [false, true])
    func unchanged(ordered: Bool) throws {
        let stack = try Stack(model: Self.model(ordered: ordered))
        try stack.context.run { () throws in
            let list = try Self.savedList(of: 500, in: stack.context)
            let before = try Self.steps(list)
            for _ in 0..<500 { expectEqual(Self.count(list), 500) }
            try expectEqual(Self.steps(list), before)
        }
    }

    @Test("A caller that changes the set that it has read changes neither the relationship nor the next set")
    func changedCopies() throws {
        for ordered in [false, true] {
            let stack = try Stack(model: Self.model(ordered: ordered))
            try stack.context.run { () throws in
                let list = NSEntityDescription.insertNewObject(forEntityName: "List", into: stack.context)
                let items = (0..<3).map { _ in
                    NSEntityDescription.insertNewObject(forEntityName: "Item", into: stack.context)
                }
                for item in items[..<2] { item.setValue(list, forKey: "list") }
                let read = list.value(forKey: "items")
                (read as? NSMutableSet)?.add(items[2])
                (read as? NSMutableOrderedSet)?.add(items[2])
                expectEqual(Self.count(list), 2)
                func exchangeMembersAndRelease() {
                    let shown = list.value(forKey: "items") as? NSMutableOrderedSet
                    shown?.exchangeObject(at: 0, withObjectAt: 1)
                }
                exchangeMembersAndRelease()
                items[0].setValue(nil, forKey: "list")
                expectEqual(list.value(forKey: "items") as? Set<NSManagedObject> ?? [items[1]], [items[1]])
                expectEqual(
                    (list.value(forKey: "items") as? NSOrderedSet)?.array as? [NSManagedObject] ?? [items[1]],
                    [items[1]]
                )
                items[1].setValue(nil, forKey: "list")
                for item in items[..<2] { item.setValue(list, forKey: "list") }
                items[2].setValue(list, forKey: "list")
                expectEqual(Self.count(list), 3)
                let shown = list.value(forKey: "items")
                expectEqual((shown as? NSOrderedSet)?.array as? [NSManagedObject] ?? items, items)
                expectEqual(shown as? Set<NSManagedObject> ?? Set(items), Set(items))
            }
        }
    }

    @Test("The members shown after each change are those of a plain list", arguments: [false, true], 1...4)
    func random(ordered: Bool, seed: UInt64) throws {
        let keepingSets = seed.isMultiple(of: 2)
        let stack = try Stack(model: Self.model(ordered: ordered))
        stack.context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        try stack.context.run { () throws in
            var numbers = SeededNumbers(seed: seed)
            let list = NSEntityDescription.insertNewObject(forEntityName: "List", into: stack.context)
            var members: [NSManagedObject] = []
            var former: [(shown: Any?, members: [NSManagedObject])] = []
            func check(_ shown: Any?, _ expected: [NSManagedObject], _ text: String) {
                if let shown = shown as? NSOrderedSet {
                    expectEqual(shown.array as? [NSManagedObject], expected, "\(text)")
                    for (index, object) in expected.enumerated() { expectEqual(shown.index(of: object), index) }
                } else {
                    expectEqual(shown as? Set<NSManagedObject>, Set(expected), "\(text)")
                }
            }
            for round in 0..<600 {
                let member = members.randomElement(using: &numbers)
                switch (Int.random(in: 0..<10, using: &numbers), member) {
                case (0..<5, _):
                    let item = NSEntityDescription.insertNewObject(forEntityName: "Item", into: stack.context)
                    item.setValue(list, forKey: "list")
                    members.append(item)
                case (5, let member?):
                    member.setValue(nil, forKey: "list")
                    members.removeAll { $0 === member }
                case (6, let member?):
                    // Leaves and comes back, at the end of an ordered relationship.
                    member.setValue(nil, forKey: "list")
                    member.setValue(list, forKey: "list")
                    members.removeAll { $0 === member }
                    members.append(member)
                case (7, let member?):
                    stack.context.delete(member)
                    stack.context.processPendingChanges()
                    members.removeAll { $0 === member }
                case (8, _): try stack.context.save()
                case (9, _) where round % 3 == 0: stack.context.refresh(list, mergeChanges: true)
                default: break
                }
                // Some changes are read together.
                if round % 4 == 3 { continue }
                let shown = list.value(forKey: "items")
                check(shown, members, "round \(round)")
                if keepingSets { former.append((shown, members)) }
            }
            for (shown, members) in former { check(shown, members, "read earlier") }
        }
    }
}
