// What history requests ask of the sessions of a store that may have a history: a capability of its own, as other stores have
// none.
import Foundation

/// Reads the history of a store.
protocol HistoryReadSession: ReadSession {
    /// The greatest number ever given to a transaction; nil where there is no history.
    func lastTransaction() throws -> Int64?
    /// The number of the oldest transaction there is; nil where there is none.
    func firstTransaction() throws -> Int64?
    /// The transactions after a number or a moment, oldest first; with a limit, the first so many of them.
    func transactions(after number: Int64, date: Date?, withChanges: Bool, limit: Int) throws -> [HistoryTransaction]
}

/// Deletes from the history of a store.
protocol HistoryWriteSession: HistoryReadSession, WriteSession {
    /// Deletes transactions with what they have changed, and texts that no transaction names any more.
    func purgeHistory(before number: Int64, date: Date?) throws
}
