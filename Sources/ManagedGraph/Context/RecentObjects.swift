// Keeps the results of the last fetch and the objects of the last save alive until the event ends. Without it they would
// leave registeredObjects as soon as the call returns. On Apple's platforms the autorelease pool keeps them, and programs
// depend on that. Owned by the context; released when its turn ends or, outside of a turn, at the main queue's next block.

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
