// The changes of a context that its next notification reports. Held by a context, filled as objects change, and taken
// by processPendingChanges, which saves call too.

/// The changes since the last `processPendingChanges`; an object that has changed twice may be in a list twice.
struct PendingEvent {
    var inserted: ContiguousArray<NSManagedObject> = []
    var updated: ContiguousArray<NSManagedObject> = []
    var deleted: ContiguousArray<NSManagedObject> = []
    var refreshed: ContiguousArray<NSManagedObject> = []
    /// Objects inserted by a merge.
    var merged: ContiguousArray<NSManagedObject> = []
    /// Whether the program has changed nothing: all changes come from the rules of deleted objects that were read again.
    var isOfRereads = false

    var isEmpty: Bool { hasNoChanges && refreshed.isEmpty && merged.isEmpty }
    /// Whether no object was inserted, updated or deleted here.
    var hasNoChanges: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }
}
