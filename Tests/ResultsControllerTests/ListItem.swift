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
