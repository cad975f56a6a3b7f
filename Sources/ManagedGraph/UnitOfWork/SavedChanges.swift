// The changes of a save as other contexts receive them: only identifiers, so that they can cross queues.

/// The identifiers of the objects of a save.
struct SavedChanges: Sendable {
    var inserted: Set<NSManagedObjectID> = []
    var updated: Set<NSManagedObjectID> = []
    var deleted: Set<NSManagedObjectID> = []
    /// Objects to be reread, for which the changed properties are unknown.
    var refreshed: Set<NSManagedObjectID> = []

    init() {}

    /// The changes that a context has saved.
    init(_ changes: SaveChanges, refreshed: Set<NSManagedObjectID> = []) {
        inserted = Set(changes.inserted.map(\.objectID))
        updated = Set(changes.updated.map(\.objectID))
        deleted = Set(changes.deleted.map(\.objectID))
        self.refreshed = refreshed.subtracting(inserted).subtracting(updated)
    }

    var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty && refreshed.isEmpty }
}
