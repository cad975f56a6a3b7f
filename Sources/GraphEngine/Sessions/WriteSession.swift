// One transaction of a store. Started by saves, batch requests and imports.

/// One transaction of a store, including its reads.
///
/// It ends with `commit` or `rollback`, on the thread that started it.
package protocol WriteSession: ReadSession {
    /// Whether another writer of the store has been detected whose deletions only a look at the rows can reveal.
    var mayBeWrittenByOthers: Bool { get }
    /// Whether a save is to be written by one call of `write`, because each call waits for a server.
    var takesWholeSaves: Bool { get }
    /// Reserves `count` new primary keys of a tree, ascending.
    func reserveKeys(tree: TreeLayout, count: Int) throws -> [ClosedRange<Int64>]
    /// Announces the keys that will be reserved in several trees, so that a server can be asked once for all of them.
    func prepareKeys(_ counts: [(tree: TreeLayout, count: Int)]) throws
    /// Writes rows and relationships; may be called several times in a transaction.
    ///
    /// Rows whose version differs from the operation's, or that do not exist, are conflicts and stay unchanged. Throws
    /// `EngineError` of the kind `uniqueValue` for a value that another row has.
    func write(_ changes: StoreChanges) throws -> StoreOutcome
    /// Commits; if it throws, the session is still open and must be rolled back.
    @discardableResult
    func commit() throws -> CommitOutcome
    /// Rolls back; does nothing after a commit.
    func rollback()
}

extension WriteSession {
    package var takesWholeSaves: Bool { false }
    package func prepareKeys(_ counts: [(tree: TreeLayout, count: Int)]) throws {}

    /// Runs `body`, and commits; if either throws, nothing is written.
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
