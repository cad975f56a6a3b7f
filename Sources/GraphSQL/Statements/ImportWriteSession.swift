// A transaction that takes rows from files, for the tools that import them. Beside the writing of rows it answers questions
// about rows that only their file or another program has written.
import GraphEngine

/// A transaction of an engine with tables that rows are imported into.
package protocol ImportWriteSession: BatchWriteSession {
    /// The tables.
    var schema: StoreSchema { get throws }
    /// Runs `body`; if it throws, its writes are undone and the transaction continues.
    ///
    /// Throws `EngineError` of the kinds `uniqueValue` and `invalidValue` if the database refuses a row of `body`.
    func inSavepoint(_ body: () throws -> Void) throws
    /// The rows of a query that selects whole numbers, in the transaction.
    func integers(_ sql: String) throws -> [[Int64?]]
    /// The greatest key of a tree; nil if the database gives the keys, so that `reserveKeys` is used.
    func greatestKey(_ tree: TreeLayout) throws -> Int64?
    /// Records that the keys of a tree up to this one are used.
    func keepKeys(_ tree: TreeLayout, through key: Int64) throws
    /// Makes `key(layout:slots:values:)` fast for these slots, until `removeLookups`; called before rows are written.
    func prepareLookup(layout: EntityLayout, slots: [Int]) throws
    /// Ends all that `prepareLookup` has made.
    func removeLookups() throws
}
