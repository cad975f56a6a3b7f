import Foundation

/// The kind of result of a history request; raw values are Apple's.
public enum NSPersistentHistoryResultType: Int, Sendable {
    /// Whether it succeeded.
    case statusOnly = 0
    /// The identifiers of the changed objects.
    case objectIDs = 1
    /// The number of transactions.
    case count = 2
    /// Transactions without their changes.
    case transactionsOnly = 3
    /// Changes without their transactions.
    case changesOnly = 4
    /// Transactions with their changes.
    case transactionsAndChanges = 5
}
