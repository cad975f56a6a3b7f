// The persistent history as stored by an engine. Read by history requests.
import Foundation

/// One save or batch request in the history, with the origin and the changes.
package struct HistoryTransaction {
    package var number: Int64
    package var date: Date
    package var author: String?
    package var bundleID: String
    package var contextName: String?
    package var processID: String
    package var changes: [HistoryChange]

    package init(
        number: Int64,
        date: Date,
        author: String?,
        bundleID: String,
        contextName: String?,
        processID: String,
        changes: [HistoryChange] = []
    ) {
        self.number = number
        self.date = date
        self.author = author
        self.bundleID = bundleID
        self.contextName = contextName
        self.processID = processID
        self.changes = changes
    }
}
