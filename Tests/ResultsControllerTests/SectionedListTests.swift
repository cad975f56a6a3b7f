import ExpectationSupport
import Testing

@testable import ManagedGraph

@Suite("A list in sections")
struct SectionedListTests {
    private func list(_ keys: [Int], inSections: Bool = true) throws -> (SectionedList, [ListItem]) {
        let items = keys.enumerated().map { ListItem($0.offset, rank: $0.element) }
        return (try SectionedList(items, rules: rulesByKey(inSections: inSections)), items)
    }

    private func edit(_ item: ListItem, _ keys: ListEdit.Keys = .changed) -> ListEdit {
        ListEdit(object: item, belongs: item.belongs, keys: keys)
    }

    @Test("Objects keep their order, and each run of equal names is a section")
    func loading() throws {
        let (list, items) = try list([1, 2, 11, 12, 35])
        expectEqual(Arrangement(list).names, ["0", "1", "3"])
        expectEqual(Arrangement(list).numbers, [[0, 1], [2, 3], [4]])
        expectEqual(list.position(of: items[3]), ListPosition(section: 1, item: 1))
        #expect(list.object(at: ListPosition(section: 2, item: 0)) === items[4])
        expectNil(list.object(at: ListPosition(section: 2, item: 1)))
        expectNil(list.object(at: ListPosition(section: 3, item: 0)))
        list.checkInvariants()
    }

    @Test("A section that starts a second time is refused with index and name")
    func tornSections() {
        #expect {
            try list([1, 11, 2])
        } throws: { error in
            let violation = error as? SectionOrderViolation
            return violation?.index == 2 && violation?.sectionName == "0"
        }
    }

    @Test("A list without sections has one section, even if it is empty, and never reports it")
    func unsectioned() throws {
        let (list, items) = try list([], inSections: false)
        #expect(items.isEmpty)
        expectEqual(list.sections.count, 1)
        let item = ListItem(0, rank: 5)
        let insertion = list.apply(list.plan([edit(item)]))
        #expect(insertion.insertedSections.isEmpty)
        expectEqual(insertion.inserted.first?.to, ListPosition(section: 0, item: 0))
        item.belongs = false
        let deletion = list.apply(list.plan([edit(item)]))
        #expect(deletion.deletedSections.isEmpty)
        expectEqual(list.sections.count, 1)
    }

    @Test("A changed key is a move even to the same position, other changes are updates")
    func moveOrUpdate() throws {
        let (list, items) = try list([1, 3, 5])
        items[1].rank = 4
        let moved = list.apply(list.plan([edit(items[1], .changed)]))
        expectEqual(moved.moved.map(\.from), [ListPosition(section: 0, item: 1)])
        expectEqual(moved.moved.map(\.to), [ListPosition(section: 0, item: 1)])
        let updated = list.apply(list.plan([edit(items[1], .unchanged)]))
        #expect(updated.moved.isEmpty)
        expectEqual(updated.updated.map(\.from), [ListPosition(section: 0, item: 1)])
    }

    @Test("An object with unknown changes moves only if its neighbours require it")
    func unknownChanges() throws {
        let (list, items) = try list([1, 3, 5])
        let same = list.plan([edit(items[1], .unknown)])
        expectEqual(same.updated.count, 1)
        #expect(same.moved.isEmpty)
        items[1].rank = 7
        let other = list.plan([edit(items[1], .unknown)])
        expectEqual(other.moved.count, 1)
        #expect(other.updated.isEmpty)
    }

    @Test("A section is deleted when its only object moves away, and inserted when an object moves to it")
    func sectionsComeAndGo() throws {
        let (list, items) = try list([1, 11, 12])
        items[0].rank = 25
        let changes = list.apply(list.plan([edit(items[0])]))
        expectEqual(changes.deletedSections.map(\.index), [0])
        expectEqual(changes.deletedSections.map(\.section.name), ["0"])
        expectEqual(changes.insertedSections.map(\.index), [1])
        expectEqual(changes.insertedSections.map(\.section.name), ["2"])
        expectEqual(changes.moved.first?.from, ListPosition(section: 0, item: 0))
        expectEqual(changes.moved.first?.to, ListPosition(section: 1, item: 0))
    }

    @Test("A section that is emptied and refilled in one batch is neither deleted nor inserted")
    func refilledSection() throws {
        let (list, items) = try list([1, 11])
        items[0].belongs = false
        let changes = list.apply(list.plan([edit(items[0]), edit(ListItem(9, rank: 2))]))
        #expect(changes.deletedSections.isEmpty)
        #expect(changes.insertedSections.isEmpty)
        expectEqual(Arrangement(list).numbers, [[9], [1]])
    }

    @Test("Sections move with the sort keys of all their objects", arguments: [true, false])
    func movedSections(isKnown: Bool) throws {
        // A key is the rank of a section and its name.
        var rules = rulesByKey(inSections: true)
        rules.sectionName = { "\($0.item.rank % 10)" }
        for code in 0..<256 {
            let ranks = (0..<4).map { code >> (2 * $0) & 3 }
            guard Set(ranks).count == 4 else { continue }
            let items = (0..<8).map { ListItem($0, rank: $0 / 2 * 10 + $0 / 2) }
            let list = try SectionedList(items, rules: rules)
            let old = Arrangement(list)
            var edits: [ListEdit] = []
            for item in items where ranks[item.number / 2] != item.number / 2 {
                item.rank = ranks[item.number / 2] * 10 + item.rank % 10
                edits.append(edit(item, isKnown ? .changed : .unknown))
            }
            let changes = list.apply(list.plan(edits))
            list.checkInvariants()
            let keys = list.objects.map(\.item.rank)
            expectEqual(keys, keys.sorted())
            let new = Arrangement(list)
            expectEqual(new.names, (0..<4).sorted { ranks[$0] < ranks[$1] }.map { "\($0)" })
            var expected = old
            expected.apply(changes)
            expectEqual(expected, new)
        }
    }

    @Test("A section whose order changes is deleted from its place and inserted at the new one")
    func reportsOfMovedSections() throws {
        var rules = rulesByKey(inSections: true)
        rules.sectionName = { "\($0.item.rank % 10)" }
        let items = [11, 11, 22, 33].enumerated().map { ListItem($0.offset, rank: $0.element) }
        let list = try SectionedList(items, rules: rules)
        for item in items.prefix(2) { item.rank = 41 }
        let changes = list.apply(list.plan(items.prefix(2).map { edit($0) }))
        expectEqual(changes.deletedSections.map(\.index), [0])
        expectEqual(changes.insertedSections.map(\.index), [2])
        expectEqual(changes.insertedSections.map(\.section.name), ["1"])
        expectEqual(changes.moved.map(\.to), [0, 1].map { ListPosition(section: 2, item: $0) })
        expectEqual(Arrangement(list).names, ["2", "3", "1"])
    }

    @Test("Objects with equal keys keep their positions when others are inserted")
    func equalKeys() throws {
        let (list, _) = try list([1, 1, 1])
        _ = list.apply(list.plan([edit(ListItem(9, rank: 1))]))
        expectEqual(Arrangement(list).numbers, [[0, 1, 2, 9]])
    }

    @Test("An edit of an object that was not and is not in the list has no effect")
    func unrelatedObject() throws {
        let (list, _) = try list([1])
        let unrelated = ListItem(9, rank: 1)
        unrelated.belongs = false
        #expect(list.plan([edit(unrelated)]).isEmpty)
    }
}
