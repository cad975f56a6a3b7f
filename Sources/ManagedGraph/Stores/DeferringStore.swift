// File-related capabilities of some kinds of stores, each a separate protocol, so that callers never test for a
// store's class. Beside `DatabaseFileStore`.
import Foundation
import GraphSQLite

/// A store whose migration may defer work.
protocol DeferringStore: RowStore {
    var hasDeferredWork: Bool { get }
    /// Performs one deferred task; returns whether more remain.
    func finishDeferredTask() throws -> Bool
}
