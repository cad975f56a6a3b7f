// The sets of the latest event's notification, reused for the save's notification: if one event changed everything that
// a save writes, as is usual, no second set is built. Held by a context.

/// The sets of objects that the latest event reported.
struct EventSets {
    private(set) var inserted: Set<NSManagedObject> = []
    private(set) var updated: Set<NSManagedObject> = []
    private(set) var deleted: Set<NSManagedObject> = []

    /// An empty set for objects, so large that few of them share a place: a comparison costs more than the memory.
    static func makeSet(for objects: ContiguousArray<NSManagedObject>) -> Set<NSManagedObject> {
        Set(minimumCapacity: objects.count + objects.count / 2)
    }

    /// Stores an event's sets, each only if it covers everything the context has listed.
    ///
    /// `areNew` is true if all inserted objects are in the list of inserted objects.
    ///
    /// O(updated and deleted objects).
    mutating func note(
        inserted: Set<NSManagedObject>,
        updated: Set<NSManagedObject>,
        deleted: Set<NSManagedObject>,
        areNew: Bool,
        hasDeleted: Bool,
        listed: (inserted: Int, updated: Int, deleted: Int)
    ) {
        if hasDeleted {
            // A deleted object that was never saved is not in the list.
            let isAll = deleted.count == listed.deleted && deleted.allSatisfy { !$0.state.contains(.inserted) }
            self.deleted = isAll ? deleted : []
        }
        if !inserted.isEmpty || hasDeleted {
            self.inserted = areNew && inserted.count == listed.inserted ? inserted : []
        }
        // A new object that an earlier event reported is now reported as updated, but is in the inserted list.
        let isAll = updated.count == listed.updated && updated.allSatisfy { $0.state.contains(.listedUpdated) }
        self.updated = isAll ? updated : []
    }

    /// Returns the event's set if it is as large as a list that contains only its objects, else a new set.
    static func set(of list: ContiguousArray<NSManagedObject>, ifNot set: Set<NSManagedObject>) -> Set<NSManagedObject>
    {
        set.count == list.count ? set : Set(list)
    }
}
