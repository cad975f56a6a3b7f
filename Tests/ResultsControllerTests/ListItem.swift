// The items of the lists in these tests, and a reference implementation of their changes.
import GraphPredicates

@testable import ManagedGraph

/// An object with a sort key; its section is the tens digit of the key.
final class ListItem {
    let number: Int
    var key: Int
    var belongs = true

    init(_ number: Int, key: Int) {
        self.number = number
        self.key = key
    }

    static func sectionName(_ item: ListItem) -> String { "\(item.key / 10)" }
}

/// The arrangement of a list as plain arrays.
struct Arrangement: Equatable {
    var names: [String]
    var numbers: [[Int]]

    init(_ list: SectionedList<ListItem>) {
        names = list.sections.map(\.name)
        numbers = list.sections.map { section in
            var items: [ListItem] = []
            section.appendObjects(to: &items)
            return items.map(\.number)
        }
    }

    /// Applies changes as a table view does: removals by old positions, then insertions by new ones.
    mutating func apply(_ changes: ListChanges<ListItem>) {
        let leaving = changes.deleted.map(\.from) + changes.moved.map(\.from)
        for position in leaving.sorted(by: >) { numbers[position.section].remove(at: position.item) }
        for (_, index) in changes.deletedSections.sorted(by: { $0.index > $1.index }) {
            precondition(numbers[index].isEmpty, "a section is deleted whose objects are not all gone")
            numbers.remove(at: index)
            names.remove(at: index)
        }
        for (section, index) in changes.insertedSections {
            numbers.insert([], at: index)
            names.insert(section.name, at: index)
        }
        let coming =
            changes.inserted.map { (number: $0.object.number, to: $0.to) }
            + changes.moved.map { (number: $0.object.number, to: $0.to) }
        for (number, position) in coming.sorted(by: { $0.to < $1.to }) {
            numbers[position.section].insert(number, at: position.item)
        }
    }
}

/// Sorts by key; `onRead` is called each time a key is read.
func rulesByKey(inSections: Bool, onRead: @escaping () -> Void = {}) -> ListRules<ListItem> {
    var rules = ListRules<ListItem>(
        sectionName: nil,
        sortKeys: { item in
            onRead()
            return [.integer(Int64(item.key))]
        },
        areInOrder: { first, second in
            guard case .integer(let first) = first[0], case .integer(let second) = second[0] else { return true }
            return first <= second
        }
    )
    if inSections { rules.sectionName = ListItem.sectionName }
    return rules
}
