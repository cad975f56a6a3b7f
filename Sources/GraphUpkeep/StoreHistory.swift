// The newest part of a store's persistent history, read without the older one. Called by the studio.
import Foundation
import ManagedGraph

/// The persistent history of the stores of a context.
public enum StoreHistory {
    /// The newest transactions.
    public struct Latest {
        /// The transactions with their changes, oldest first.
        public let transactions: [NSPersistentHistoryTransaction]
        /// Whether these are all that the stores keep.
        public let isComplete: Bool
    }

    /// Reads the newest transactions of each store.
    ///
    /// O(count), however long the history is.
    ///
    /// - Parameters:
    ///   - count: The maximum number of transactions of one store.
    ///   - context: A context of the stores, on whose queue this is called.
    /// - Returns: The transactions; none if no store keeps a history.
    /// - Throws: Errors of reading the stores.
    public static func latest(_ count: Int, in context: NSManagedObjectContext) throws -> Latest {
        let current = context.persistentStoreCoordinator?.currentPersistentHistoryToken(fromStores: nil)
        guard let current, current.numbers.values.contains(where: { $0 > count }) else {
            return Latest(transactions: try transactions(after: nil, context), isComplete: true)
        }
        let start = NSPersistentHistoryToken(current.numbers.mapValues { max(0, $0 - Int64(count)) })
        do {
            return Latest(transactions: try transactions(after: start, context), isComplete: false)
        } catch let error as NSError where error.code == NSPersistentHistoryTokenExpiredError {
            // The transactions before the start were deleted, so the rest is short.
            return Latest(transactions: try transactions(after: nil, context), isComplete: true)
        }
    }

    private static func transactions(
        after token: NSPersistentHistoryToken?,
        _ context: NSManagedObjectContext
    ) throws -> [NSPersistentHistoryTransaction] {
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
        request.resultType = .transactionsAndChanges
        let result = try context.execute(request) as? NSPersistentHistoryResult
        return result?.result as? [NSPersistentHistoryTransaction] ?? []
    }
}
