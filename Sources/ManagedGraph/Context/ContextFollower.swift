// A follower of changes to rows that have no object in the context. Called by merges; adopted by ResultsRouter.

/// A follower of one context; used on its queue.
protocol ContextFollower: AnyObject {
    /// Whether anything follows the context.
    var isInUse: Bool { get }
    /// Whether changes of an entity's rows may affect it.
    func concerns(_ layout: ObjectLayout) -> Bool
    /// Called when objects that are not in memory were deleted elsewhere.
    func objectsWereDeletedUnseen(_ identifiers: [NSManagedObjectID])
}
