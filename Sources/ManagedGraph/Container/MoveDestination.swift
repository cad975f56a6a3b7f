// The stores that a move can fill with objects or rows. Called by StoreMove.

/// A store that can be filled from another store.
protocol MoveDestination: RowStore {
    /// Fills this store with the content of the moved one.
    func receive(_ move: StoreMove) throws
}

extension SQLiteStore: MoveDestination {
    func receive(_ move: StoreMove) throws { try move.fill(self) }
}

extension NSAtomicStore: MoveDestination {
    func receive(_ move: StoreMove) throws { try move.fill(self) }
}

extension NSIncrementalStore: MoveDestination {
    func receive(_ move: StoreMove) throws { try move.fill(self) }
}
