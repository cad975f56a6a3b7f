// A transaction that can delete the older part of the persistent history.
import Foundation

/// Deletes from the history of a store.
package protocol HistoryWriteSession: HistoryReadSession, WriteSession {
    /// Deletes old transactions with their changes, and strings that are no longer referenced.
    func purgeHistory(before number: Int64, date: Date?) throws
}
