import Foundation

/// A store whose migration may defer work.
protocol DeferringStore: RowStore {
    var hasDeferredWork: Bool { get }
    /// Performs one deferred task; returns whether more remain.
    func finishDeferredTask() throws -> Bool
}
