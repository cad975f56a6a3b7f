// A request to read the persistent history or to delete its older part. Executed by HistoryRequest.
import Foundation

/// A request to read the history of stores, or to delete its older part.
///
/// A store has a history once it was opened with `NSPersistentHistoryTrackingKey`. See
/// [NSPersistentHistoryChangeRequest](https://developer.apple.com/documentation/coredata/nspersistenthistorychangerequest).
open class NSPersistentHistoryChangeRequest: NSPersistentStoreRequest {
    /// The point in the history at which a request begins, or up to which it deletes.
    enum Point {
        case date(Date)
        case token(NSPersistentHistoryToken?)
        case transaction(NSPersistentHistoryTransaction?)
    }

    final let point: Point
    final let isDeletion: Bool
    /// The kind of result: transactions with their changes unless set, and the success of a deletion.
    open var resultType: NSPersistentHistoryResultType
    /// The token that the request was made with.
    open var token: NSPersistentHistoryToken? {
        switch point {
        case .token(let token): token
        case .transaction(let transaction): transaction?.token
        case .date: nil
        }
    }
    /// Selects transactions or changes: a request of `NSPersistentHistoryTransaction.fetchRequest` or
    /// `NSPersistentHistoryChange.fetchRequest` with a predicate.
    open var fetchRequest: NSFetchRequest<any NSFetchRequestResult>?

    private init(_ point: Point, isDeletion: Bool) {
        self.point = point
        self.isDeletion = isDeletion
        resultType = isDeletion ? .statusOnly : .transactionsAndChanges
        super.init()
    }

    /// Reads the history after a moment.
    ///
    /// - Parameter date: The moment.
    /// - Returns: The request.
    open class func fetchHistory(after date: Date) -> NSPersistentHistoryChangeRequest {
        NSPersistentHistoryChangeRequest(.date(date), isDeletion: false)
    }

    /// Reads the history after a point.
    ///
    /// - Parameter token: The point; nil for the whole history.
    /// - Returns: The request.
    open class func fetchHistory(after token: NSPersistentHistoryToken?) -> NSPersistentHistoryChangeRequest {
        NSPersistentHistoryChangeRequest(.token(token), isDeletion: false)
    }

    /// Reads the history after a transaction.
    ///
    /// - Parameter transaction: The transaction; nil for the whole history.
    /// - Returns: The request.
    open class func fetchHistory(after transaction: NSPersistentHistoryTransaction?) -> NSPersistentHistoryChangeRequest
    {
        NSPersistentHistoryChangeRequest(.transaction(transaction), isDeletion: false)
    }

    /// Reads the transactions or changes that a predicate finds.
    ///
    /// - Parameter fetchRequest: A request of `NSPersistentHistoryTransaction` or `NSPersistentHistoryChange`.
    /// - Returns: The request.
    open class func fetchHistory(
        withFetch fetchRequest: NSFetchRequest<any NSFetchRequestResult>
    ) -> NSPersistentHistoryChangeRequest {
        let request = NSPersistentHistoryChangeRequest(.token(nil), isDeletion: false)
        request.fetchRequest = fetchRequest
        return request
    }

    /// Deletes the history before a moment.
    ///
    /// - Parameter date: The moment.
    /// - Returns: The request.
    open class func deleteHistory(before date: Date) -> NSPersistentHistoryChangeRequest {
        NSPersistentHistoryChangeRequest(.date(date), isDeletion: true)
    }

    /// Deletes the history before a point.
    ///
    /// - Parameter token: The point, whose own transaction stays; nil for the whole history.
    /// - Returns: The request.
    open class func deleteHistory(before token: NSPersistentHistoryToken?) -> NSPersistentHistoryChangeRequest {
        NSPersistentHistoryChangeRequest(.token(token), isDeletion: true)
    }

    /// Deletes the history before a transaction.
    ///
    /// - Parameter transaction: The transaction, which stays; nil for the whole history.
    /// - Returns: The request.
    open class func deleteHistory(before transaction: NSPersistentHistoryTransaction?)
        -> NSPersistentHistoryChangeRequest
    {
        NSPersistentHistoryChangeRequest(.transaction(transaction), isDeletion: true)
    }

    /// A copy of the request.
    ///
    /// - Parameter zone: Not used.
    /// - Returns: The copy.
    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSPersistentHistoryChangeRequest(point, isDeletion: isDeletion)
        copy.affectedStores = affectedStores
        copy.resultType = resultType
        copy.fetchRequest = fetchRequest
        return copy
    }
}
