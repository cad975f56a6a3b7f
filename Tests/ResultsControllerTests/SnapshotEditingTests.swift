// Snapshots that are edited item by item: random edits leave the items of plain arrays, and an edit compares as many
// items in a large snapshot as in a small one.
import ExpectationSupport
import Foundation
import ManagedGraph
import TestSupport
import Testing

struct SnapshotEditingTests {
    /// Sections as plain arrays.
    private struct Plain {
        var sections: [(name: String, items: [Int])] = []

        var items: [Int] { sections.flatMap(\.items) }

        func place(_ item: Int) -> (section: Int, item: Int)? {
            for (number, section) in sections.enumerated() {
                if let index = section.items.firstIndex(of: item) { return (number, index) }
            }
            return nil
        }
    }

    /// Makes one random edit in both.
    private func edit(
        _ snapshot: NSDiffableDataSourceSnapshotReference,
        _ plain: inout Plain,
        _ next: inout Int,
        _ random: inout some RandomNumberGenerator
    ) {
        let items = plain.items
        switch Int.random(in: 0..<10, using: &random) {
        case 0...2:
            let section = Int.random(in: plain.sections.indices, using: &random)
            let new = Array(next..<next + Int.random(in: 1...3, using: &random))
            next += new.count
            snapshot.appendItems(withIdentifiers: new, intoSectionWithIdentifier: plain.sections[section].name)
            plain.sections[section].items += new
        case 3, 4:
            guard let neighbour = items.randomElement(using: &random), let place = plain.place(neighbour) else {
                return
            }
            snapshot.insertItems(withIdentifiers: [next], beforeItemWithIdentifier: neighbour)
            plain.sections[place.section].items.insert(next, at: place.item)
            next += 1
        case 5, 6:
            guard let item = items.randomElement(using: &random), let neighbour = items.randomElement(using: &random),
                let from = plain.place(item)
            else { return }
            snapshot.moveItem(withIdentifier: item, afterItemWithIdentifier: neighbour)
            if item == neighbour { return }
            plain.sections[from.section].items.remove(at: from.item)
            guard let to = plain.place(neighbour) else { return }
            plain.sections[to.section].items.insert(item, at: to.item + 1)
        case 7, 8:
            let count = [1, 2, 60].randomElement(using: &random) ?? 1
            let removed = Set(items.shuffled(using: &random).prefix(count))
            snapshot.deleteItems(withIdentifiers: Array(removed) + [-1])
            for section in plain.sections.indices { plain.sections[section].items.removeAll(where: removed.contains) }
        default:
            let (from, to) = (
                Int.random(in: plain.sections.indices, using: &random),
                Int.random(in: plain.sections.indices, using: &random)
            )
            let neighbour = plain.sections[to].name
            snapshot.moveSection(
                withIdentifier: plain.sections[from].name,
                beforeSectionWithIdentifier: neighbour
            )
            if from == to { return }
            let section = plain.sections.remove(at: from)
            plain.sections.insert(section, at: plain.sections.firstIndex { $0.name == neighbour } ?? 0)
        }
    }

    @Test("Random edits leave the sections and items of plain arrays", arguments: 1...8)
    func randomEdits(seed: UInt64) {
        var random = SeededNumbers(seed: seed)
        let snapshot = NSDiffableDataSourceSnapshotReference()
        var plain = Plain(sections: ["A", "B", "C"].map { ($0, []) })
        snapshot.appendSections(withIdentifiers: ["A", "B", "C"])
        var next = 0
        for _ in 0..<400 {
            edit(snapshot, &plain, &next, &random)
            expectEqual(snapshot.sectionIdentifiers as? [String], plain.sections.map(\.name))
            expectEqual(snapshot.itemIdentifiers as? [Int], plain.items)
            guard let item = plain.items.randomElement(using: &random), let place = plain.place(item) else { continue }
            expectEqual(snapshot.index(ofItemIdentifier: item), plain.items.firstIndex(of: item))
            expectEqual(
                snapshot.sectionIdentifierForSection(containingItemIdentifier: item) as? String,
                plain.sections[place.section].name
            )
        }
    }

    /// An item that counts the comparisons of all of them.
    private final class Counted: NSObject {
        nonisolated(unsafe) static var comparisons = 0
        let number: Int

        init(_ number: Int) { self.number = number }

        override var hash: Int { number }

        override func isEqual(_ object: Any?) -> Bool {
            Self.comparisons += 1
            return (object as? Counted)?.number == number
        }
    }

    /// The comparisons of edits of a snapshot of a size, after the first one.
    private func comparisons(_ size: Int, _ body: (NSDiffableDataSourceSnapshotReference, [Counted]) -> Void) -> Int {
        let snapshot = NSDiffableDataSourceSnapshotReference()
        let items = (0..<size).map(Counted.init)
        snapshot.appendSections(withIdentifiers: ["A"])
        snapshot.appendItems(withIdentifiers: items)
        _ = snapshot.index(ofItemIdentifier: items[0])
        Counted.comparisons = 0
        body(snapshot, items)
        return Counted.comparisons
    }

    @Test("An edit compares as many items in a large snapshot as in a small one")
    func costs() {
        let edits: [(String, (NSDiffableDataSourceSnapshotReference, [Counted]) -> Void)] = [
            (
                "append",
                { snapshot, items in
                    for number in 0..<100 { snapshot.appendItems(withIdentifiers: [Counted(items.count + number)]) }
                }
            ),
            (
                "delete",
                { snapshot, items in
                    for item in items.prefix(100) { snapshot.deleteItems(withIdentifiers: [item]) }
                }
            ),
            (
                "move",
                { snapshot, items in
                    for number in 0..<100 {
                        snapshot.moveItem(
                            withIdentifier: items[number * 2],
                            afterItemWithIdentifier: items[number * 2 + 1]
                        )
                    }
                }
            ),
            (
                "look up",
                { snapshot, items in
                    for item in items.suffix(100) { _ = snapshot.index(ofItemIdentifier: item) }
                }
            ),
            (
                "reload",
                { snapshot, items in
                    for item in items.suffix(100) { snapshot.reloadItems(withIdentifiers: [item]) }
                }
            ),
        ]
        for (name, edit) in edits {
            let (small, large) = (comparisons(400, edit), comparisons(4_000, edit))
            #expect(large <= small * 2 + 1_000, "\(name): \(small) comparisons of 400 items, \(large) of 4,000")
        }
    }
}
