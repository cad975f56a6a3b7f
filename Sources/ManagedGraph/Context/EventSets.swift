// The sets of the latest event's notification, which serve for the save's too: where one event changed all that a save
// writes, as in most saves, no second set is made. Held by a context.

/// The sets of objects that the latest event has told of.
struct EventSets {
    private(set) var inserted: Set<NSManagedObject> = []
    private(set) var updated: Set<NSManagedObject> = []

    /// Takes over an event's sets, each where it is all that the context has listed.
    ///
    /// O(updated).
    mutating func note(
        inserted: Set<NSManagedObject>,
        updated: Set<NSManagedObject>,
        hasDeleted: Bool,
        listed: (inserted: Int, updated: Int)
    ) {
        if !inserted.isEmpty || hasDeleted { self.inserted = inserted.count == listed.inserted ? inserted : [] }
        // A new object that an earlier event told of is told of as updated, and is in the other list.
        let isAll = updated.count == listed.updated && updated.allSatisfy { $0.state.contains(.listedUpdated) }
        self.updated = isAll ? updated : []
    }

    /// The set of a list that holds nothing but what was listed at the event: the event's, where it is as large.
    static func set(of list: ContiguousArray<NSManagedObject>, ifNot set: Set<NSManagedObject>) -> Set<NSManagedObject>
    {
        set.count == list.count ? set : Set(list)
    }
}
