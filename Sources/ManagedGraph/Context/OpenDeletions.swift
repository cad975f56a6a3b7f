// The deletions of a context whose rules wait for its next save. Held by a context, filled as objects are deleted or
// read again, and taken by saves.

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
