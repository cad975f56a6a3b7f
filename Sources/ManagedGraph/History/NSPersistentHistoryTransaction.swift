// One save in the persistent history. Made by a history request; immutable.
import Foundation
import GraphEngine
import GraphPredicates

/// A save in the history of its store.
///
/// See [NSPersistentHistoryTransaction](https://developer.apple.com/documentation/coredata/nspersistenthistorytransaction).
open class NSPersistentHistoryTransaction: NSObject, NSCopying, @unchecked Sendable {
    // Sendable: immutable once the request has made it.

    /// The transaction as the engine has read it, without its changes.
    private let transaction: HistoryTransaction
    /// The changes; nil if the request returns transactions only.
    public final let changes: [NSPersistentHistoryChange]?
    /// The UUID of the store.
    public final let storeID: String

    init(_ transaction: HistoryTransaction, changes: [NSPersistentHistoryChange]?, storeID: String) {
        var transaction = transaction
        transaction.changes = []
        self.transaction = transaction
        self.changes = changes
        self.storeID = storeID
        super.init()
        for change in changes ?? [] { change.transaction = self }
    }

    /// The same transaction with other changes.
    convenience init(_ original: NSPersistentHistoryTransaction, changes: [NSPersistentHistoryChange]?) {
        self.init(original.transaction, changes: changes, storeID: original.storeID)
    }

    /// The date of the save.
    public final var timestamp: Date { transaction.date }
    /// The number of the transaction in its store; later ones have greater numbers.
    public final var transactionNumber: Int64 { transaction.number }
    /// The program that saved: its bundle's identifier, or its name if it has none.
    public final var bundleID: String { transaction.bundleID }
    /// The name of the process that saved.
    public final var processID: String { transaction.processID }
    /// The name of the context that saved.
    public final var contextName: String? { transaction.contextName }
    /// The `transactionAuthor` of the context that saved.
    public final var author: String? { transaction.author }

    /// The point in the history after this transaction.
    open var token: NSPersistentHistoryToken { NSPersistentHistoryToken([storeID: transactionNumber]) }

    /// The transaction itself: it cannot be changed.
    ///
    /// - Parameter zone: Not used.
    /// - Returns: The transaction.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// A notification for `mergeChanges(fromContextDidSave:)`, which merges this transaction into a context.
    ///
    /// - Returns: A notification with the objects' identifiers.
    open func objectIDNotification() -> Notification {
        var identifiers: [NSPersistentHistoryChangeType: Set<NSManagedObjectID>] = [:]
        for change in changes ?? [] { identifiers[change.changeType, default: []].insert(change.changedObjectID) }
        return Notification(
            name: .NSManagedObjectContextDidSaveObjectIDs,
            object: nil,
            userInfo: [
                NSInsertedObjectIDsKey: identifiers[.insert] ?? [], NSUpdatedObjectIDsKey: identifiers[.update] ?? [],
                NSDeletedObjectIDsKey: identifiers[.delete] ?? [], NSPersistentHistoryTokenKey: token,
            ]
        )
    }

    /// A description of the transactions' entity, for fetch requests.
    ///
    /// - Parameter context: Not used: the description is the same for all contexts.
    /// - Returns: The description.
    open class func entityDescription(with context: NSManagedObjectContext) -> NSEntityDescription? {
        entityDescription
    }

    /// A description of the transactions' entity, for fetch requests.
    open class var entityDescription: NSEntityDescription? { HistoryEntities.transaction }

    /// A request for transactions, to be given a predicate over `author`, `contextName`, `bundleID`, `processID`,
    /// `timestamp`, `transactionNumber` and `token`, an order and a limit.
    ///
    /// A token is compared as the number of its transaction: `token > %@` finds later transactions.
    open class var fetchRequest: NSFetchRequest<any NSFetchRequestResult>? {
        HistoryEntities.request(HistoryEntities.transaction)
    }

    /// The transaction's number, moment and author.
    open override var description: String {
        "<NSPersistentHistoryTransaction: \(transactionNumber) \(timestamp) \(author ?? "-") \(contextName ?? "-")>"
    }
}

extension NSPersistentHistoryTransaction: KeyValueReadable {
    /// The value of a property, for predicates.
    ///
    /// - Parameter key: The name of one of the class's properties.
    /// - Returns: The value.
    public func value(forKey key: String) -> Any? {
        switch key {
        case "timestamp": timestamp
        case "transactionNumber": NSNumber(value: transactionNumber)
        case "token": token
        case "storeID": storeID
        case "bundleID": bundleID
        case "processID": processID
        case "contextName": contextName
        case "author": author
        case "changes": changes
        default: nil
        }
    }
}
