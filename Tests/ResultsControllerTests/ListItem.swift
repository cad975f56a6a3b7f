// The items of the lists in these tests, and a reference implementation of their changes.
import GraphPredicates
import GraphSupport

@testable import ManagedGraph

/// An object with a rank that it is sorted by; its section is the tens digit of the rank.
final class ListItem: NSManagedObject {
    private(set) var number = 0
    var rank = 0
    var belongs = true

    private static let model = NSManagedObjectModel([NSEntityDescription("Item")])

    convenience init(_ number: Int, rank: Int) {
        self.init(entity: Self.model.entities[0], insertInto: nil)
        (self.number, self.rank) = (number, rank)
    }

    static func sectionName(_ item: ListItem) -> String { "\(item.rank / 10)" }
}

extension NSManagedObject {
    /// This object, which must be an item.
    var item: ListItem { unsafeDowncast(self, to: ListItem.self) }
}

/// Sorts by key; `onRead` is called each time a key is read.
func rulesByKey(inSections: Bool, onRead: @escaping () -> Void = {}) -> ListRules {
    var rules = ListRules(
        sectionName: nil,
        sortKeys: {
            onRead()
            return [.integer(Int64($0.item.rank))]
        },
        areInOrder: { first, second in
            guard case .integer(let first) = first[0], case .integer(let second) = second[0] else { return true }
            return first <= second
        }
    )
    if inSections { rules.sectionName = { ListItem.sectionName($0.item) } }
    return rules
}
