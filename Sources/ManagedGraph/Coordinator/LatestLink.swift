// Looks up the stores' links for many objects, each most often of the same store as the previous one. Used by saves and
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

extension Collection<NSManagedObject> {
    /// The identifiers of objects that share a coordinator; each store is looked up once for a run of its objects.
    func identifiers(_ coordinator: NSPersistentStoreCoordinator?) -> [NSManagedObjectID] {
        var links = LatestLink(coordinator)
        return map { object in
            let key = object.identifyingKey
            if key.isTemporary { return object.objectID }
            return NSManagedObjectID(layout: object.layout, key: key, link: links.link(of: key.store))
        }
    }
}
