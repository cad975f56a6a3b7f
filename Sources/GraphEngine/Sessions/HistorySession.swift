// What history requests ask of the sessions of an engine that keeps a history.
import Foundation

/// Reads the history of a store.
package protocol HistoryReadSession: ReadSession {
    /// The greatest number ever given to a transaction; nil if there is no history.
    func lastTransaction() throws -> Int64?
    /// The number of the oldest transaction there is; nil if there is none.
    func firstTransaction() throws -> Int64?
    /// The transactions after a number or a moment, oldest first; a limit of -1 means all.
    func transactions(after number: Int64, date: Date?, withChanges: Bool, limit: Int) throws -> [HistoryTransaction]
}

/// Deletes from the history of a store.
package protocol HistoryWriteSession: HistoryReadSession, WriteSession {
    /// Deletes transactions with what they have changed, and texts that no transaction names any more.
    func purgeHistory(before number: Int64, date: Date?) throws
}
