// Members that saves append to an ordered relationship: the order in the store, and the statements that a save needs for
// it. Other programs and failed saves come in between.
import ExpectationSupport
import Foundation
import ManagedGraph
import Testing

@testable import StackSupport

@Suite("Appending to ordered relationships")
struct AppendedOrderTests {
    private static let keys = ["items", "friends"]

    private static func append(_ names: String, to key: String, _ stack: Stack) throws {
        try stack.context.performAndWait { () throws in
            let list = try stack.context.find("List", "l")
            for item in try stack.context.make("Item", names: names) {
                list.mutableOrderedSetValue(forKey: key).add(item)
            }
            try stack.context.save()
        }
    }

    private static func saved(_ key: String) throws -> Stack {
        let stack = try Stack(model: OrderedSets.model())
        try stack.context.performAndWait { () throws in
            _ = try stack.context.make("List", "l")
            try stack.context.save()
        }
        try append("abc", to: key, stack)
        return stack
    }

    @Test("A save that appends asks for the last number once, not at each save", arguments: keys)
    func statements(key: String) throws {
        let first = try Self.saved(key)
        let reopened = try Stack(model: OrderedSets.model(), url: first.url)
        let counts = try "defg".map { name in
            try reopened.statements { try Self.append(String(name), to: key, reopened) }
        }
        expectEqual(counts[1], counts[2])
        expectEqual(counts[2], counts[3])
        // The first one also reads the relationship and the keys that are in use.
        #expect(counts[1] < counts[0])
        try expectEqual(reopened.stored("List", "l", key), "abcdefg")
    }

    @Test("New members whose keys follow each other get their numbers with one statement, in any order of adding")
    func newMembers() throws {
        let stack = try Stack(model: OrderedSets.model())
        try stack.context.run { () throws in
            func list(_ name: String, _ order: ([NSManagedObject]) -> [NSManagedObject]) throws -> (Int, String) {
                let list = try stack.context.make("List", name)
                let items = try (0..<100).map { try stack.context.make("Item", "\($0) ") }
                let members = order(items)
                list.relate("items", members)
                let statements = try stack.statements { try stack.context.save() }
                let names = members.map(\.label).joined()
                expectEqual(list.joinedNames("items"), names)
                try expectEqual(stack.stored("List", name, "items"), names)
                return (statements, names)
            }
            let ascending = try list("a") { $0 }
            // Of 100 rows, some are inserted together.
            #expect(ascending.0 < 30)
            let halves = try list("b") { Array($0[50...] + $0[..<50]) }
            #expect(halves.0 < 30)
            let reversed = try list("c") { $0.reversed() }
            #expect(reversed.0 > 100)
            _ = try list("d") { items in items.indices.map { items[$0 * 37 % 100] } }
            // Some have a number, some have none.
            let first = try stack.context.find("List", "a")
            let last = try stack.context.find("List", "d")
            let items = (first.value(forKey: "items") as? NSOrderedSet)?.array as? [NSManagedObject] ?? []
            let more = try (0..<5).map { try stack.context.make("Item", "n\($0) ") }
            let joining = Array(more[..<3]) + Array(items[10..<20]) + Array(more[3...])
            last.mutableOrderedSetValue(forKey: "items").addObjects(from: joining)
            first.mutableOrderedSetValue(forKey: "items").insert(try stack.context.make("Item", "x "), at: 4)
            try stack.context.save()
            for list in [first, last] {
                try expectEqual(stack.stored("List", list.label, "items"), list.joinedNames("items"))
            }
        }
    }

    @Test("A member is appended behind those that another program has appended", arguments: keys)
    func otherProgram(key: String) throws {
        let stack = try Self.saved(key)
        let other = try Stack(model: OrderedSets.model(), url: stack.url)
        try Self.append("d", to: key, stack)
        try Self.append("ef", to: key, other)
        try stack.context.run { stack.context.refreshAllObjects() }
        try Self.append("g", to: key, stack)
        try other.context.run { other.context.refreshAllObjects() }
        try Self.append("h", to: key, other)
        try expectEqual(stack.stored("List", "l", key), "abcdefgh")
        try expectEqual(other.stored("List", "l", key), "abcdefgh")
    }

    @Test("Members are appended in order after a save that failed, and after moves and removals", arguments: keys)
    func otherSaves(key: String) throws {
        let stack = try Self.saved(key)
        try stack.context.run { () throws in
            let list = try stack.context.find("List", "l")
            expectEqual(list.value(forKey: "number") as? Int, nil)
            let conflicting = stack.otherContext()
            try conflicting.performAndWait { () throws in
                try conflicting.find("List", "l").setValue(7, forKey: "number")
                try conflicting.save()
            }
            list.setValue(8, forKey: "number")
            list.mutableOrderedSetValue(forKey: key).add(try stack.context.make("Item", "x"))
            #expect(throws: CocoaError.self) { try stack.context.save() }
            stack.context.rollback()
            stack.context.refreshAllObjects()
            let members = list.mutableOrderedSetValue(forKey: key)
            members.moveObjects(at: [0], to: 2)
            try stack.context.save()
            members.add(try stack.context.make("Item", "d"))
            try stack.context.save()
            members.removeObject(at: 3)
            try stack.context.save()
            members.add(try stack.context.make("Item", "e"))
            members.exchangeObject(at: 0, withObjectAt: 3)
            try stack.context.save()
            members.add(try stack.context.make("Item", "f"))
            try stack.context.save()
            try expectEqual(stack.stored("List", "l", key), "ecabf")
        }
    }

    @Test("A member that comes from another list is appended behind the others")
    func fromAnotherList() throws {
        let stack = try Self.saved("items")
        try stack.context.run { () throws in
            let list = try stack.context.find("List", "l")
            let second = try stack.context.make("List", "m")
            second.relate("items", try stack.context.make("Item", names: "pq"))
            try stack.context.save()
            // Its number of the first list is greater than all of the second one's.
            try stack.context.find("Item", "c").setValue(second, forKey: "list")
            try stack.context.save()
            for name in ["r", "s"] {
                try stack.context.make("Item", name).setValue(second, forKey: "list")
                try stack.context.save()
            }
            try stack.context.find("Item", "p").setValue(list, forKey: "list")
            try stack.context.save()
            try expectEqual(stack.stored("List", "m", "items"), "qcrs")
            try expectEqual(stack.stored("List", "l", "items"), "abp")
        }
    }

    @Test("The order in which a child context adds members is the parent's", arguments: keys)
    func childContexts(key: String) throws {
        let stack = try Self.saved(key)
        try stack.context.run { () throws in
            let list = try stack.context.find("List", "l")
            let read = stack.coordinator.statistics.rowsRead
            for names in ["ed", "gf"] {
                let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
                child.parent = stack.context
                try child.performAndWait { () throws in
                    let list = child.object(with: list.objectID)
                    // Made in the other order than they are added.
                    let items = try child.make("Item", names: names)
                    for item in items.reversed() {
                        if key == "items" {
                            item.setValue(list, forKey: "list")
                        } else {
                            list.mutableOrderedSetValue(forKey: key).add(item)
                        }
                    }
                    try child.save()
                }
            }
            if key == "items" { expectEqual(stack.coordinator.statistics.rowsRead, read) }
            expectEqual(list.joinedNames(key), "abcdefg")
            try stack.context.save()
            try expectEqual(stack.stored("List", "l", key), "abcdefg")
            let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            child.parent = stack.context
            try child.performAndWait { () throws in
                let members = try child.find("List", "l").mutableOrderedSetValue(forKey: key)
                members.add(try child.make("Item", "h"))
                members.moveObjects(at: [7], to: 0)
                try child.save()
            }
            expectEqual(list.joinedNames(key), "habcdefg")
        }
    }
}
