// Objects that nobody holds would leave the context as soon as the call that had them in hand returns. Apple's are in an
// autorelease pool until the event ends, and programs count on it: what a save has written or a fetch has found is still
// registered in the next line. Owned by the context; let go when its turn ends, or outside of one when the main queue
// comes to its next block.

/// The objects of a context's last fetch and last save.
struct RecentObjects {
    var fetched: [NSManagedObject] = []
    var inserted: ContiguousArray<NSManagedObject> = []
    var updated: ContiguousArray<NSManagedObject> = []
}

extension NSManagedObjectContext {
    /// Keeps what a fetch has found until the event ends; O(1).
    final func keepUntilEventEnds(fetched objects: [NSManagedObject]) {
        guard hasEvents else { return }
        recentObjects.fetched = objects
        noteEvent()
    }

    /// Keeps what a save has written until the event ends; O(1).
    final func keepUntilEventEnds(_ saved: SaveChanges) {
        guard hasEvents else { return }
        recentObjects.inserted = saved.inserted
        recentObjects.updated = saved.updated
        noteEvent()
    }

    /// Whether an end of the event will come: a private queue has none outside of its blocks.
    private var hasEvents: Bool { turnDepth > 0 || concurrencyType == .mainQueueConcurrencyType }
}
