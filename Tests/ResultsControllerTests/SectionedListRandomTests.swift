import ExpectationSupport
import Foundation
import TestSupport
import Testing

@testable import ManagedGraph

@Suite("Random walks over lists")
struct SectionedListRandomTests {
    /// Seeds vary from run to run; a failing one is in the test's arguments and can be put here.
    static let seeds: [UInt64] = (0..<walks).map { _ in UInt64.random(in: .min ... .max) }
    private static let walks = ProcessInfo.processInfo.environment["LIST_WALKS"].flatMap(Int.init) ?? 5

    @Test("Changes applied to the old arrays give the new ones, which are sorted", arguments: seeds)
    func walk(seed: UInt64) throws {
        print("seed \(seed)")
        var random = SeededNumbers(seed: seed)
        let inSections = Bool.random(using: &random)
        let range = Int.random(in: 1...200, using: &random)
        let size = [0, 3, 40, 1500].randomElement(using: &random) ?? 0
        var items = (0..<size).map { ListItem($0, rank: Int.random(in: 0..<range, using: &random)) }
        items.sort { $0.rank < $1.rank }
        let list = try SectionedList(items, rules: rulesByKey(inSections: inSections))
        var next = size
        list.edits.isRead = true
        var array = list.objects.map(\.item.number)
        for _ in 0..<60 {
            let old = Arrangement(list)
            let frozen = list.frozenCopy()
            let revision = list.edits.revision
            var edits: [ListEdit] = []
            let batch = Int.random(in: 0...20, using: &random)
            for index in items.indices.shuffled(using: &random).prefix(batch) {
                let item = items[index]
                switch Int.random(in: 0..<5, using: &random) {
                case 0: item.belongs = false
                case 1:
                    item.rank = Int.random(in: 0..<range, using: &random)
                    edits.append(ListEdit(object: item, belongs: true, keys: .changed))
                    continue
                case 2:
                    item.rank = max(0, item.rank + Int.random(in: -1...1, using: &random))
                    edits.append(ListEdit(object: item, belongs: true, keys: .unknown))
                    continue
                case 3:
                    edits.append(ListEdit(object: item, belongs: true, keys: .unknown))
                    continue
                default: break
                }
                edits.append(ListEdit(object: item, belongs: item.belongs, keys: .unchanged))
            }
            for _ in 0..<Int.random(in: 0...10, using: &random) {
                let item = ListItem(next, rank: Int.random(in: 0..<range, using: &random))
                next += 1
                items.append(item)
                edits.append(ListEdit(object: item, belongs: true, keys: .unknown))
            }
            items.removeAll { !$0.belongs }
            let changes = list.apply(list.plan(edits))
            var expected = old
            expected.apply(changes)
            let new = Arrangement(list)
            expectEqual(expected, new)
            list.checkInvariants()
            // A frozen copy does not change, whether it is read as content or as a list.
            expectEqual(frozen.content.map(\.name), old.names)
            expectEqual(frozen.content.map { $0.items.map(\.item.number) }, old.numbers)
            expectEqual(Arrangement(frozen.list), old)
            // The recorded edits of the array of all objects give the same order.
            if let edits = list.edits.since(revision) {
                for edit in edits {
                    for index in edit.removals.reversed() { array.remove(at: index) }
                    for (index, object) in edit.insertions { array.insert(object.item.number, at: index) }
                }
            } else {
                array = list.objects.map(\.item.number)
            }
            expectEqual(array, list.objects.map(\.item.number))
            expectEqual(list.objects.count, items.count)
            let keys = list.objects.map(\.item.rank)
            expectEqual(keys, keys.sorted())
            if inSections {
                expectEqual(new.names, Set(items.map(ListItem.sectionName)).sorted { (Int($0) ?? 0) < (Int($1) ?? 0) })
            }
            let read = new.numbers.enumerated().map { section, numbers in
                numbers.indices.map { list.object(at: ListPosition(section: section, item: $0))?.item.number }
            }
            expectEqual(read, new.numbers)
        }
    }

    @Test("One change reads few keys and names, in a list of any size", arguments: [10_000, 100_000])
    func costOfOneChange(size: Int) throws {
        var reads = 0
        var names = 0
        var comparisons = 0
        let items = (0..<size).map { ListItem($0, rank: $0 * 2) }
        var rules = rulesByKey(inSections: false) { reads += 1 }
        let areInOrder = rules.areInOrder
        rules.areInOrder = { first, second in
            comparisons += 1
            return areInOrder(first, second)
        }
        rules.sectionName = { object in
            names += 1
            return object.item.rank < size ? "first" : "second"
        }
        let list = try SectionedList(items, rules: rules)
        list.prepareForChanges()
        expectEqual(reads, 0)
        expectEqual(comparisons, 0)
        expectEqual(names, size)
        names = 0
        items[size / 10 * 7].rank = 41
        let changes = list.apply(list.plan([ListEdit(object: items[size / 10 * 7], belongs: true, keys: .changed)]))
        expectEqual(changes.moved.first?.from, ListPosition(section: 1, item: size / 10 * 7 - size / 2))
        expectEqual(changes.moved.first?.to, ListPosition(section: 0, item: 21))
        // One read for the object, then a binary search: 8 steps over 131 leaves, 9 in a leaf.
        #expect(reads <= 18, "\(reads) keys were read")
        #expect(comparisons <= 17, "\(comparisons) comparisons were made")
        #expect(names <= 2, "\(names) names were read")
        list.checkInvariants()
    }

    @Test("A frozen copy that is not read retains only the leaves that changes touch")
    func frozenCopies() throws {
        let items = (0..<10_000).map { ListItem($0, rank: $0 * 2) }
        let list = try SectionedList(items, rules: rulesByKey(inSections: false))
        let old = Arrangement(list)
        let frozen = list.frozenCopy()
        for step in 0..<40 {
            items[step].rank = 15_001
            _ = list.apply(list.plan([ListEdit(object: items[step], belongs: true, keys: .changed)]))
        }
        expectEqual(frozen.numberOfKeptLeaves, 2)
        expectEqual(frozen.content.map { $0.items.map(\.item.number) }, old.numbers)
    }
}
