// Sessions of an engine that keeps a history. Used by history requests.
import Foundation

/// Reads the history of a store.
package protocol HistoryReadSession: ReadSession {
    /// The greatest number ever assigned to a transaction; nil if there is no history.
    func lastTransaction() throws -> Int64?
    /// The number of the oldest transaction; nil if there is none.
    func firstTransaction() throws -> Int64?
    /// The transactions after a number and, unless nil, a date, oldest first; a limit of -1 means all.
    func transactions(after number: Int64, date: Date?, withChanges: Bool, limit: Int) throws -> [HistoryTransaction]
}
