// One transaction of a store. Begun by saves, batch requests and imports.

/// One transaction of a store, with what it reads of itself.
///
/// It ends with `commit` or `rollback`, on the thread that began it.
package protocol WriteSession: ReadSession {
    /// Whether others than this engine are known to write to the store.
    var mayBeWrittenByOthers: Bool { get }
    /// Takes `count` new primary keys of a tree.
    func reserveKeys(tree: TreeLayout, count: Int) throws -> ClosedRange<Int64>
    /// Writes rows and relationships; may be called several times in a transaction.
    ///
    /// Rows that have another version than the operation says, or are gone, are conflicts and stay as they are. Throws
    /// `EngineError` of the kind `uniqueValue` for a value that another row has.
    func write(_ changes: StoreChanges) throws -> StoreOutcome
    /// Commits; if it throws, the session is still open and to be rolled back.
    @discardableResult
    func commit() throws -> CommitOutcome
    /// Undoes everything; does nothing after a commit.
    func rollback()
}

extension WriteSession {
    /// Runs `body`, and commits; where either throws, nothing is written.
    package func transaction<R>(_ body: (any WriteSession) throws -> R) throws -> R {
        do {
            let result = try body(self)
            try commit()
            return result
        } catch {
            rollback()
            throw error
        }
    }
}

/// A transaction of an engine that can change rows without objects, as batch requests ask.
package protocol BatchWriteSession: WriteSession {
    /// The row with these values of a uniqueness constraint.
    func key(layout: EntityLayout, slots: [Int], values: ContiguousArray<RowValue>) throws -> ObjectKey?
    /// Sets the same values in rows of one entity.
    func update(layout: EntityLayout, keys: [Int64], values: ContiguousArray<RowValue>, slots: SlotSet) throws
    /// Deletes rows by their delete rules; returns them and the rows that were changed.
    func delete(_ keys: [ObjectKey]) throws -> (deleted: [ObjectKey], changed: [ObjectKey])
}
