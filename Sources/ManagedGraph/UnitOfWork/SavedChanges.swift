// The changes of a save as other contexts receive them: only identifiers, so that they can cross queues.

/// The identifiers of the objects of a save, each once in its list: sets would have to be hashed for every save.
struct SavedChanges: Sendable {
    var inserted: [NSManagedObjectID] = []
    var updated: [NSManagedObjectID] = []
    var deleted: [NSManagedObjectID] = []
    /// Objects to be reread, for which the changed properties are unknown; some may be among the updated ones.
    var refreshed: [NSManagedObjectID] = []

    init() {}

    /// The changes that a context of a coordinator has saved.
    init(_ changes: SaveChanges, _ coordinator: NSPersistentStoreCoordinator?, refreshed: Set<NSManagedObjectID> = []) {
        inserted = changes.inserted.identifiers(coordinator)
        updated = changes.updated.identifiers(coordinator)
        deleted = changes.deleted.identifiers(coordinator)
        if !refreshed.isEmpty { self.refreshed = Array(refreshed.subtracting(inserted).subtracting(updated)) }
    }

    var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty && refreshed.isEmpty }

    /// The objects whose rows may have new values, each once.
    var changed: [NSManagedObjectID] {
        if refreshed.isEmpty { return updated }
        return updated.isEmpty ? refreshed : Array(Set(updated).union(refreshed))
    }
}
