// Ordered relationships: the live ordered set, generated accessors by index, and the order keys that a save writes.
import ExpectationSupport
import Foundation
import GraphSQLite
import GraphSupport
import ManagedGraph
import TestSupport
import Testing

@testable import StackSupport

struct OrderedSets {
    static func model() -> NSManagedObjectModel {
        RelationsModel.make(
            (.many("List.items", ordered: true), .one("Item.list")),
            (.many("List.friends", ordered: true), .many("Item.friendOf", ordered: true))
        )
    }

    /// A saved list with members `abcde` in the relationship.
    private static func saved(_ key: String) throws -> (Stack, NSManagedObject, [NSManagedObject]) {
        let stack = try Stack(model: model())
        let (list, items) = try stack.context.performAndWait { () throws in
            let list = try stack.context.make("List", "l")
            let items = try stack.context.make("Item", names: "abcdefg")
            list.relate(key, Array(items[..<5]))
            try stack.context.save()
            return (list, items)
        }
        return (stack, list, items)
    }

    @Test func aMemberThatIsRemovedAndAddedAtItsPlaceIsNotAChange() throws {
        let (stack, list, items) = try Self.saved("items")
        try stack.context.run { () throws in
            let members = list.mutableOrderedSetValue(forKey: "items")
            members.remove(items[4])
            #expect(list.hasPersistentChangedValues)
            members.add(items[4])
            #expect(list.changedValues().isEmpty && !list.hasPersistentChangedValues)
            expectEqual(list.joinedNames("items"), "abcde")
            members.remove(items[0])
            members.add(items[0])
            expectEqual(Array(list.changedValues().keys), ["items"])
            try stack.context.save()
            expectEqual(list.joinedNames("items"), "bcdea")
        }
    }

    @Test func anOrderedSetIsReachedByAPathOfToOneRelationships() throws {
        let (stack, list, items) = try Self.saved("items")
        try stack.context.run { () throws in
            let path = items[0].mutableOrderedSetValue(forKeyPath: "list.items")
            path.exchangeObject(at: 0, withObjectAt: 4)
            expectEqual(list.joinedNames("items"), "ebcda")
            expectEqual(list.mutableOrderedSetValue(forKeyPath: "items").count, 5)
            path.removeAllObjects()
            // The path now ends at nil.
            #expect(
                list.joinedNames("items") == "" && items[0].mutableOrderedSetValue(forKeyPath: "list.items").count == 0
            )
        }
    }

    @Test(arguments: ["items", "friends"])
    func everyMethodOfTheViewChangesTheRelationship(key: String) throws {
        let (stack, list, items) = try Self.saved(key)
        try stack.context.run { () throws in
            let view = list.mutableOrderedSetValue(forKey: key)
            func expect(_ names: String, line: Int = #line) {
                expectEqual(list.joinedNames(key), names, "line \(line)")
                expectEqual(view.compactMap { ($0 as? NSManagedObject)?.label }.joined(), names, "line \(line)")
                expectEqual(view.count, names.count, "line \(line)")
            }
            expect("abcde")
            view.insert(items[5], at: 0)
            expect("fabcde")
            view.insert(items[0], at: 6)
            expect("fabcde")
            view.exchangeObject(at: 0, withObjectAt: 5)
            expect("eabcdf")
            view.moveObjects(at: [0, 2], to: 4)
            expect("acdfeb")
            view.replaceObject(at: 2, with: items[6])
            expect("acgfeb")
            view.setObject(items[3], at: 6)
            expect("acgfebd")
            view.removeObjects(at: [1, 3])
            expect("agebd")
            view.removeObject(at: 0)
            expect("gebd")
            view.remove(items[1])
            expect("ged")
            view.add(items[0])
            view.addObjects(from: [items[1], items[0]])
            expect("gedab")
            view.sort { ($0 as? NSManagedObject)?.label.compare(($1 as? NSManagedObject)?.label ?? "") ?? .orderedSame }
            expect("abdeg")
            view.sort(using: [NSSortDescriptor(key: "name", ascending: false)])
            expect("gedba")
            view.sortRange(NSRange(location: 1, length: 3)) {
                ($0 as? NSManagedObject)?.label.compare(($1 as? NSManagedObject)?.label ?? "") ?? .orderedSame
            }
            expect("gbdea")
            view.minus(NSOrderedSet(array: [items[6], items[5]]))
            expect("bdea")
            view.union(NSOrderedSet(array: [items[0], items[2]]))
            expect("bdeac")
            view.intersect(NSOrderedSet(array: [items[2], items[3], items[4]]))
            expect("dec")
            view.unionSet([items[0]])
            view.minusSet([items[3]])
            expect("eca")
            view.intersectSet([items[0], items[4]])
            expect("ea")
            view.replaceObjects(at: [0, 1], with: [items[5], items[6]])
            expect("fg")
            view.insert([items[0], items[1]], at: [0, 2])
            expect("afbg")
            view.removeObjects(in: NSRange(location: 1, length: 2))
            expect("ag")
            view[1] = items[2]
            expect("ac")
            try stack.context.save()
            expect("ac")
            view.removeAllObjects()
            expect("")
            stack.context.rollback()
            #expect(view.count == 2 && view.contains(items[2]) && !view.contains(items[3]))
            expect("ac")
        }
        try expectEqual(stack.stored("List", "l", key), "ac")
    }

    @Test func theViewShowsTheChangesOfOthers() throws {
        let (stack, list, items) = try Self.saved("items")
        try stack.context.run { () throws in
            let view = list.mutableOrderedSetValue(forKey: "items")
            items[0].setValue(nil, forKey: "list")
            #expect(view.count == 4 && view.index(of: items[0]) == NSNotFound && view.index(of: items[1]) == 0)
            #expect(view.object(at: 3) as? NSManagedObject === items[4])
            expectEqual((view.copy() as? NSOrderedSet)?.count, 4)
            var labels = ""
            items[1].setValue(nil, forKey: "list")
            view.enumerateObjects { object, _, _ in labels += (object as? NSManagedObject)?.label ?? "" }
            expectEqual(labels, "cde")
            expectEqual(view, NSOrderedSet(array: Array(items[2..<5])))
        }
    }

    @Test func aMemberThatLeavesAndComesBackStandsAtTheEnd() throws {
        let (stack, list, items) = try Self.saved("items")
        try stack.context.run { () throws in
            items[1].setValue(nil, forKey: "list")
            items[1].setValue(list, forKey: "list")
            expectEqual(list.joinedNames("items"), "acdeb")
            try stack.context.save()
        }
        try expectEqual(stack.stored("List", "l", "items"), "acdeb")
        let context = stack.otherContext()
        try context.run { () throws in
            // The same for members that were not read before.
            let item = try context.find("Item", "c")
            let list = item.value(forKey: "list")
            item.setValue(nil, forKey: "list")
            item.setValue(list, forKey: "list")
            try context.save()
        }
        try expectEqual(stack.stored("List", "l", "items"), "adebc")
    }

    @Test(arguments: ["items", "friends"])
    func aChildsOrderReachesItsParentAndTheStore(key: String) throws {
        let (stack, list, items) = try Self.saved(key)
        let child = stack.context.makeChild()
        let names = try child.performAndWait { () throws in
            let mine = child.object(with: list.objectID)
            let view = mine.mutableOrderedSetValue(forKey: key)
            view.moveObjects(at: [4], to: 1)
            view.add(child.object(with: items[5].objectID))
            view.insert(try child.make("Item", "n"), at: 0)
            view.removeObject(at: 3)
            try child.save()
            return mine.joinedNames(key)
        }
        expectEqual(names, "naecdf")
        try stack.context.run { () throws in
            expectEqual(list.joinedNames(key), "naecdf")
            try stack.context.save()
        }
        try expectEqual(stack.stored("List", "l", key), "naecdf")
    }

    // MARK: Generated accessors

    @Test(arguments: ["items", "friends"])
    func generatedAccessorsInsertRemoveAndReplaceByIndex(key: String) throws {
        let (stack, list, items) = try Self.saved(key)
        let property = ManagedProperty(key)
        try stack.context.run { () throws in
            list.insertIntoManaged(items[5], at: 1, for: property)
            expectEqual(list.joinedNames(key), "afbcde")
            // A member moves; an object that is passed twice appears once.
            list.insertIntoManaged(items[0], at: 5, for: property)
            expectEqual(list.joinedNames(key), "fbcdea")
            list.insertIntoManaged(
                [items[6], items[6]],
                at: NSIndexSet(indexesIn: NSRange(location: 0, length: 2)),
                for: property
            )
            expectEqual(list.joinedNames(key), "gfbcdea")
            list.removeFromManaged(at: 0, for: property)
            list.removeFromManaged(at: NSIndexSet(indexesIn: NSRange(location: 3, length: 2)), for: property)
            expectEqual(list.joinedNames(key), "fbca")
            list.replaceManaged(at: 1, with: items[3], for: property)
            expectEqual(list.joinedNames(key), "fdca")
            // A member that replaces another leaves its old position.
            list.replaceManaged(at: 3, with: items[5], for: property)
            expectEqual(list.joinedNames(key), "dcf")
            list.replaceManaged(
                at: NSIndexSet(indexesIn: NSRange(location: 0, length: 2)),
                with: [items[2], items[3]],
                for: property
            )
            expectEqual(list.joinedNames(key), "cdf")
            list.addToManaged(NSOrderedSet(array: [items[0], items[2]]), for: property)
            expectEqual(list.joinedNames(key), "cdfa")
            list.removeFromManaged(NSOrderedSet(array: [items[2], items[6]]), for: property)
            expectEqual(list.joinedNames(key), "dfa")
            try stack.context.save()
        }
        try expectEqual(stack.stored("List", "l", key), "dfa")
    }

    private static func text(_ result: ExitTest.Result?) -> String {
        String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    }

    @Test func anIndexBeyondTheMembersStopsTheProgramWithASentence() async throws {
        let insertion = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (stack, list, items) = try Self.saved("items")
            stack.context.performAndWait { list.insertIntoManaged(items[5], at: 6, for: ManagedProperty("items")) }
        }
        #expect(Self.text(insertion).contains("Index 6 is beyond the 5 members of List.items."))
        let removal = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (stack, list, _) = try Self.saved("items")
            stack.context.performAndWait { list.removeFromManaged(at: 5, for: ManagedProperty("items")) }
        }
        #expect(Self.text(removal).contains("Index 5 is beyond the 5 members of List.items."))
        let view = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (stack, list, _) = try Self.saved("items")
            stack.context.performAndWait { list.mutableOrderedSetValue(forKey: "items").removeObject(at: 7) }
        }
        #expect(Self.text(view).contains("Index 7 is beyond the 5 members of List.items."))
        let unordered = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let stack = try Stack()
            try stack.context.performAndWait { () throws in
                let place = TestLocation(context: stack.context)
                place.insertIntoManaged(stack.context.task("a"), at: 0, for: TestLocation.Keys.tasks)
            }
        }
        #expect(Self.text(unordered).contains("Location.tasks is not an ordered to-many relationship"))
    }

    // MARK: Saving

    private struct Change: CustomStringConvertible {
        let description: String
        let updates: Int
        let change: @Sendable (NSMutableOrderedSet, [NSManagedObject]) -> Void
    }

    private static let changes: [Change] = [
        Change(description: "append", updates: 1) { view, items in view.add(items[5]) },
        Change(description: "move the last to the front", updates: 1) { view, _ in
            view.moveObjects(at: [4], to: 0)
        },
        Change(description: "move the first to the end", updates: 1) { view, _ in view.moveObjects(at: [0], to: 4) },
        Change(description: "insert between two", updates: 1) { view, items in view.insert(items[5], at: 2) },
        Change(description: "remove", updates: 0) { view, _ in view.removeObject(at: 2) },
        Change(description: "exchange neighbours", updates: 1) { view, _ in
            view.exchangeObject(at: 1, withObjectAt: 2)
        },
        Change(description: "reverse", updates: 4) { view, _ in
            for index in 0..<4 { view.moveObjects(at: [4], to: index) }
        },
    ]

    @Test(arguments: changes.indices)
    func aChangeOfOrderUpdatesAsFewRowsAsPossible(index: Int) throws {
        let change = Self.changes[index]
        let (stack, list, items) = try Self.saved("items")
        try stack.context.run { () throws in
            let view = list.mutableOrderedSetValue(forKey: "items")
            change.change(view, items)
            let names = list.joinedNames("items")
            let before = try orderKeys(stack)
            try stack.context.save()
            let after = try orderKeys(stack)
            expectEqual(after.filter { before[$0.key] != $0.value }.count, change.updates, "\(change)")
            try expectEqual(stack.stored("List", "l", "items"), names, "\(change)")
        }
    }

    /// The order keys in the file by the member's key, for members of a list.
    private func orderKeys(_ stack: Stack) throws -> [Int64: Int64] {
        let connection = try Connection(path: stack.url.path, mode: .readOnly)
        var result: [Int64: Int64] = [:]
        for row in try connection.rows("SELECT Z_PK, Z_FOK_LIST FROM ZITEM WHERE Z_FOK_LIST IS NOT NULL") {
            if case .integer(let key) = row[0], case .integer(let order) = row[1] { result[key] = order }
        }
        return result
    }

    @Test func manyMovesToTheFrontKeepTheOrder() throws {
        let (stack, list, _) = try Self.saved("items")
        try stack.context.run { () throws in
            let view = list.mutableOrderedSetValue(forKey: "items")
            for round in 0..<30 {
                view.moveObjects(at: [4], to: 0)
                try stack.context.save()
                try expectEqual(stack.stored("List", "l", "items"), list.joinedNames("items"), "round \(round)")
            }
        }
    }

    @Test(
        "A member is appended behind the greatest number that a damaged store can have",
        arguments: ["items", "friends"]
    )
    func appendingBehindTheGreatestNumber(key: String) throws {
        let (stack, list, items) = try Self.saved(key)
        let connection = try Connection(path: stack.url.path)
        let places = try connection.rows(
            "SELECT t.name, c.name FROM sqlite_master t JOIN pragma_table_info(t.name) c "
                + "WHERE t.type = 'table' AND c.name LIKE ?",
            [.text(key == "items" ? "Z_FOK_LIST" : "Z_FOK_%FRIENDS")]
        )
        guard case .text(let table)? = places.first?[0], case .text(let column)? = places.first?[1] else {
            Issue.record("there is no order column")
            return
        }
        try connection.execute(
            "UPDATE \(table) SET \(column) = \(Int64.max) WHERE \(column) = (SELECT max(\(column)) FROM \(table))"
        )
        connection.close()
        try stack.context.run { () throws in
            stack.context.refreshAllObjects()
            for item in items[5...] {
                list.mutableOrderedSetValue(forKey: key).add(item)
                try stack.context.save()
            }
            stack.context.refreshAllObjects()
            expectEqual(list.joinedNames(key), "abcdefg")
        }
    }

    @Test(arguments: 0..<40)
    func newOrderNumbersAscendAndAreFew(seed: Int) {
        var random = SeededNumbers(seed: UInt64(seed))
        let count = Int.random(in: 0...12, using: &random)
        let range: ClosedRange<Int64> = Bool.random(using: &random) ? 1...20 : 1...20_000
        let keys = (0..<count).map { _ in
            Int.random(in: 0..<4, using: &random) == 0 ? nil : Int64.random(in: range, using: &random)
        }
        let floor = Int64.random(in: 0...10, using: &random)
        var result = keys
        let changes = OrderKeys.changes(keys, above: floor)
        for (place, key) in changes { result[place] = key }
        let numbers = result.compactMap(\.self)
        expectEqual(numbers.count, count)
        #expect(zip([floor] + numbers, numbers).allSatisfy { $0 < $1 }, "\(keys) \(numbers)")
        // With wide gaps, all keys of the longest ascending sequence stay.
        if range.upperBound > 20 { expectEqual(changes.count, count - Self.longestAscent(keys, floor), "\(keys)") }
    }

    /// Tries all subsets.
    private static func longestAscent(_ keys: [Int64?], _ floor: Int64) -> Int {
        (0..<(1 << keys.count)).map { subset -> Int in
            var last = floor
            var length = 0
            for (place, key) in keys.enumerated() where subset & (1 << place) != 0 {
                guard let key, key > last else { return 0 }
                last = key
                length += 1
            }
            return length
        }.max() ?? 0
    }
}
