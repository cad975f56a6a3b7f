// Who is to hear of rows that no object of the context stands for. Asked by merges; adopted by ResultsRouter.

/// A follower of one context; used on its queue.
protocol ContextFollower: AnyObject {
    /// Whether there is anyone to tell.
    var isInUse: Bool { get }
    /// Whether a change of an entity's rows may matter to it.
    func concerns(_ layout: ObjectLayout) -> Bool
    /// Objects that are not in memory were deleted elsewhere.
    func objectsWereDeletedUnseen(_ identifiers: [NSManagedObjectID])
}
