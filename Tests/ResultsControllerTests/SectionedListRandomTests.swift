import Testing

@testable import ManagedGraph

/// A small generator whose seed can be printed and set again.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}

@Suite("Random walks over lists")
struct SectionedListRandomTests {
    /// Seeds vary from run to run; a failing one is in the test's arguments and can be put here.
    static let seeds: [UInt64] = (0..<60).map { _ in UInt64.random(in: .min ... .max) }

    @Test("Changes applied to the old arrays give the new ones, which are sorted", arguments: seeds)
    func walk(seed: UInt64) throws {
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let inSections = Bool.random(using: &random)
        let range = Int.random(in: 1...200, using: &random)
        let size = [0, 3, 40, 1500].randomElement(using: &random) ?? 0
        var items = (0..<size).map { ListItem($0, key: Int.random(in: 0..<range, using: &random)) }
        items.sort { $0.key < $1.key }
        let list = try SectionedList(items, rules: rulesByKey(inSections: inSections))
        var next = size
        for _ in 0..<60 {
            let old = Arrangement(list)
            var edits: [ListEdit<ListItem>] = []
            let batch = Int.random(in: 0...20, using: &random)
            for index in items.indices.shuffled(using: &random).prefix(batch) {
                let item = items[index]
                switch Int.random(in: 0..<5, using: &random) {
                case 0: item.belongs = false
                case 1:
                    item.key = Int.random(in: 0..<range, using: &random)
                    edits.append(ListEdit(object: item, belongs: true, keys: .changed))
                    continue
                case 2:
                    item.key = max(0, item.key + Int.random(in: -1...1, using: &random))
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
                let item = ListItem(next, key: Int.random(in: 0..<range, using: &random))
                next += 1
                items.append(item)
                edits.append(ListEdit(object: item, belongs: true, keys: .unknown))
            }
            items.removeAll { !$0.belongs }
            let changes = list.apply(list.plan(edits))
            var expected = old
            expected.apply(changes)
            let new = Arrangement(list)
            #expect(expected == new)
            list.checkInvariants()
            #expect(list.objects.count == items.count)
            let keys = list.objects.map(\.key)
            #expect(keys == keys.sorted())
            if inSections {
                #expect(new.names == Set(items.map(ListItem.sectionName)).sorted { (Int($0) ?? 0) < (Int($1) ?? 0) })
            }
            let read = new.numbers.enumerated().map { section, numbers in
                numbers.indices.map { list.object(at: ListPosition(section: section, item: $0))?.number }
            }
            #expect(read == new.numbers)
        }
    }

    @Test("One change among 100,000 objects reads the keys of few and touches none of the others")
    func costOfOneChange() throws {
        var reads = 0
        let items = (0..<100_000).map { ListItem($0, key: $0 * 2) }
        let list = try SectionedList(items, rules: rulesByKey(inSections: false) { reads += 1 })
        #expect(reads == 0)
        _ = list.position(of: items[0])
        #expect(reads == 0)
        items[70_000].key = 41
        let changes = list.apply(list.plan([ListEdit(object: items[70_000], belongs: true, keys: .changed)]))
        #expect(changes.moved.first?.from.item == 70_000)
        #expect(changes.moved.first?.to.item == 21)
        // One for the object, then the search: 9 steps over 261 leaves, 9 in a leaf.
        #expect(reads <= 24, "\(reads) keys were read")
        list.checkInvariants()
    }
}
