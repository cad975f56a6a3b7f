// What some kinds of stores can do that concerns their files, each a protocol of its own, so that no caller asks a store for its
// class. What engines can do is in GraphEngine/EngineCapabilities.swift.
import Foundation
import GraphSQLite

/// A store whose content is a database file that other connections read too.
protocol DatabaseFileStore: RowStore {
    /// Stands for the file's content; nil where the store has no file, or where it is being written right now.
    var contentState: ContentState? { get }
    /// Goes on at another place; false, and where it was, if there is no such store.
    func reopen(at place: URL, _ model: CompiledModel) -> Bool
    /// Ends what readers hold of the file, before the file itself is emptied or replaced.
    func endSnapshots()
}

/// A store whose migration may leave work for later.
protocol DeferringStore: RowStore {
    var hasDeferredWork: Bool { get }
    /// Does one piece of the work; returns whether more is left.
    func finishDeferredTask() throws -> Bool
}
