// The changes of a save as other contexts receive them: only identifiers, so that they can cross queues.

/// The identifiers of the objects of a save, each once in its list: sets would have to be hashed for every save.
struct SavedChanges: Sendable {
    var inserted: [NSManagedObjectID] = []
    var updated: [NSManagedObjectID] = []
    var deleted: [NSManagedObjectID] = []
    /// Objects to be reread, for which the changed properties are unknown; some may be among the updated ones.
    var refreshed: [NSManagedObjectID] = []

    init() {}

    /// The changes that a context has saved.
    init(_ changes: SaveChanges, refreshed: Set<NSManagedObjectID> = []) {
        inserted = changes.inserted.map(\.objectID)
        updated = changes.updated.map(\.objectID)
        deleted = changes.deleted.map(\.objectID)
        if !refreshed.isEmpty { self.refreshed = Array(refreshed.subtracting(inserted).subtracting(updated)) }
    }

    var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty && refreshed.isEmpty }

    /// The objects whose rows may have new values, each once.
    var changed: [NSManagedObjectID] {
        if refreshed.isEmpty { return updated }
        return updated.isEmpty ? refreshed : Array(Set(updated).union(refreshed))
    }
}
