// File-related capabilities of some kinds of stores, each a separate protocol, so that callers never test for a store's
// class. The capabilities of engines are in GraphEngine, as GenerationEngine.
import Foundation
import GraphSQLite

/// A store whose content is a database file that other connections also read.
protocol DatabaseFileStore: RowStore {
    /// Identifies the file's current content; nil if the store has no file, or if the file is being written.
    var contentState: ContentState? { get }
    /// Reopens the store at `place`; returns false and reopens the previous place if there is no such store.
    func reopen(at place: URL, _ model: CompiledModel) -> Bool
    /// Ends the readers' snapshots of the file, before the file itself is emptied or replaced.
    func endSnapshots()
}
