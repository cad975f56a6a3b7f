// What a save has written, as other contexts are told of it: identifiers only, so that it can travel between queues.

/// The objects of a save by their identifiers.
struct SavedChanges: Sendable {
    var inserted: Set<NSManagedObjectID> = []
    var updated: Set<NSManagedObjectID> = []
    var deleted: Set<NSManagedObjectID> = []
    /// Objects to be read anew, though nobody says what has changed in them.
    var refreshed: Set<NSManagedObjectID> = []

    init() {}

    /// What a context has saved.
    init(_ changes: SaveChanges) {
        inserted = Set(changes.inserted.map(\.objectID))
        updated = Set(changes.updated.map(\.objectID))
        deleted = Set(changes.deleted.map(\.objectID))
    }

    var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty && refreshed.isEmpty }
}
