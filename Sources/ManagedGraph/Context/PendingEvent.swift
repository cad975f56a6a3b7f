// The changes of a context that its next notification reports, and the deletions whose rules wait for its next save. Held
// by a context, filled as objects change, and taken by processPendingChanges and by saves.

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

/// Deleted objects whose delete rules are still to be applied.
struct OpenDeletions {
    /// Objects whose deletion was reported and whose delete rules the save will apply.
    var unspread: ContiguousArray<NSManagedObject> = []
    /// Objects whose delete rules hit a failed read; a save retries them.
    var halfSpread: ContiguousArray<NSManagedObject> = []
    /// Objects whose rows were read again since: their delete rules apply to the new values as well.
    var reread: ContiguousArray<NSManagedObject> = []

    var isEmpty: Bool { unspread.isEmpty && halfSpread.isEmpty && reread.isEmpty }
}
