import Foundation
import GraphPredicates

/// A transaction or a change as predicates read it: tokens are numbers of transactions, entities are names.
final class HistoryRow: KeyValueReadable {
    static let transactionKeys: Set<String> = [
        "timestamp", "transactionNumber", "token", "storeID", "bundleID", "processID", "contextName", "author",
        "changes",
    ]
    static let changeKeys: Set<String> = [
        "changeID", "changedID", "changedObjectID", "changedEntity", "changeType", "updatedProperties", "tombstone",
        "transaction", "token",
    ]

    /// The object that a closure evaluates.
    let object: Any
    private let change: NSPersistentHistoryChange?
    private let transaction: NSPersistentHistoryTransaction

    init(_ transaction: NSPersistentHistoryTransaction) {
        object = transaction
        change = nil
        self.transaction = transaction
    }

    init(_ change: NSPersistentHistoryChange, _ transaction: NSPersistentHistoryTransaction) {
        object = change
        self.change = change
        self.transaction = transaction
    }

    func value(forKey key: String) -> Any? {
        switch (key, change) {
        case ("token", _): NSNumber(value: transaction.transactionNumber)
        case ("transaction", .some): HistoryRow(transaction)
        case ("changedID", let change?): NSNumber(value: change.changeID)
        case ("changes", nil): transaction.changes?.map { HistoryRow($0, transaction) }
        case (_, let change?): change.value(forKey: key)
        case (_, nil): transaction.value(forKey: key)
        }
    }
}
