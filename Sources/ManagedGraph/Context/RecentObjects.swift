// Keeps the objects of the last fetch and the last save alive until the event ends; otherwise they would leave
// registeredObjects as soon as the call returns. Programs depend on that, because Apple's autorelease pool keeps them.
// Owned by the context; released when its turn ends or, outside a turn, at the main queue's next block.

/// The objects of a context's last fetch and last save.
struct RecentObjects {
    var fetched: [NSManagedObject] = []
    var inserted: ContiguousArray<NSManagedObject> = []
    var updated: ContiguousArray<NSManagedObject> = []
}

extension NSManagedObjectContext {
    /// Keeps the objects of a fetch until the event ends; O(1).
    final func keepUntilEventEnds(fetched objects: [NSManagedObject]) {
        guard hasEvents else { return }
        registry.removeDying(&recentObjects.fetched)
        recentObjects.fetched = objects
        noteEvent()
    }

    /// Releases the objects at the end of an event.
    final func releaseRecentObjects() {
        registry.removeDying(&recentObjects.fetched)
        registry.removeDying(&recentObjects.inserted)
        registry.removeDying(&recentObjects.updated)
        recentObjects = RecentObjects()
    }

    /// Keeps the objects of a save until the event ends; O(1).
    final func keepUntilEventEnds(_ saved: SaveChanges) {
        guard hasEvents else { return }
        recentObjects.inserted = saved.inserted
        recentObjects.updated = saved.updated
        noteEvent()
    }

    /// Whether the event will end: on a private queue, none ends outside the queue's blocks.
    private var hasEvents: Bool { turnDepth > 0 || concurrencyType == .mainQueueConcurrencyType }
}
