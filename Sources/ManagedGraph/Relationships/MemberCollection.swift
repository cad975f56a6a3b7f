// The members of a to-many relationship as predicates and key paths read them, without the set that value(forKey:)
// returns. Created by the reading of slots.
import GraphPredicates

/// The members of a to-many relationship, read when the first of them is needed.
final class MemberCollection: EvaluableCollection {
    private let owner: NSManagedObject
    private let slot: Int
    private lazy var members = owner.toManyMembers(slot)

    init(of owner: NSManagedObject, slot: Int) {
        self.owner = owner
        self.slot = slot
    }

    /// The number of members, for which no object is made.
    var evaluatedCount: Int { owner.memberCount(slot) }
    var isUnordered: Bool { !owner.layout.slots[slot].isOrdered }
    func evaluatedElements() -> [EvaluatedValue] { members.map { .readable($0) } }
    var shownValue: Any { owner.toManyCollection(slot) }
}
