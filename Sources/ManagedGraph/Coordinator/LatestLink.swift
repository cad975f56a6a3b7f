// Finds the links of stores for many objects, most of which are of the same store as the one before. Used by saves and
// resets.

/// The link of a store, looked up when the store changes.
struct LatestLink {
    private let coordinator: NSPersistentStoreCoordinator?
    private var latest: (store: Int32, link: StoreLink?)?

    init(_ coordinator: NSPersistentStoreCoordinator?) { self.coordinator = coordinator }

    /// The link of a store by its index.
    mutating func link(of store: Int32) -> StoreLink? {
        if let latest, latest.store == store { return latest.link }
        let link = coordinator?.link(at: store)
        latest = (store, link)
        return link
    }
}
