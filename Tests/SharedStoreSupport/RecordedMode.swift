/// The ways in which recorded transactions use contexts.
package enum RecordedMode: String, CaseIterable, Sendable {
    /// A block of a context for each transaction, and the error policy.
    case turns
    /// As `turns`, in a new context for each transaction, whose own queue runs the block: as `performBackgroundTask`.
    case tasks
    /// As `turns`, in a child of the context.
    case children
    /// A block for each operation, in a context that is pinned to a query generation.
    case generations
    /// Two contexts that merge each other's saves, whose objects stay in memory and are never read again unless a save
    /// fails.
    case merging
    /// A block for each read: not a transaction. Must be found.
    case split
    /// Objects in conflict overwrite the store. Must be found.
    case overwriting

    /// Whether everything that a transaction reads is of one time.
    ///
    /// A child reads as its parent does outside of a block: each row in its newest version. Objects that stay in memory
    /// have the version in which they were read or merged.
    package var hasSnapshot: Bool { self != .children && self != .merging }

    /// Whether each transaction reads rows that are as new as its beginning.
    package var readsNewest: Bool { self != .merging }
}
