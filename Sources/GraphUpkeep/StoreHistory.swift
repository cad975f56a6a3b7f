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
    /// O(count), however long the history is, if its numbers have no gaps; a few times as many rows are read otherwise.
    ///
    /// - Parameters:
    ///   - count: The maximum number of transactions of one store.
    ///   - context: A context of the stores, on whose queue this is called.
    /// - Returns: The transactions; none if no store keeps a history.
    /// - Throws: Errors of reading the stores.
    public static func latest(_ count: Int, in context: NSManagedObjectContext) throws -> Latest {
        let token = context.persistentStoreCoordinator?.currentPersistentHistoryToken(fromStores: nil)
        let numbers = token?.numbers ?? [:]
        // Databases give numbers to other transactions, too, so that the last `count` numbers may have fewer.
        var window = Int64(max(1, count))
        while numbers.values.contains(where: { $0 > window }) {
            let start = NSPersistentHistoryToken(numbers.mapValues { max(0, $0 - window) })
            do {
                let newerTransactions = try transactions(after: start, context)
                let counts = Dictionary(grouping: newerTransactions, by: \.storeID).mapValues(\.count)
                let isEnough = numbers.allSatisfy { $0.value <= window || counts[$0.key, default: 0] >= count }
                if isEnough { return Latest(transactions: newest(count, of: newerTransactions), isComplete: false) }
            } catch let error as NSError where error.code == NSPersistentHistoryTokenExpiredError {
                // The transactions before the start were deleted, so the rest is short.
                break
            }
            window = window > Int64.max / 8 ? Int64.max : window * 8
        }
        let all = try transactions(after: nil, context)
        let newestTransactions = newest(count, of: all)
        return Latest(transactions: newestTransactions, isComplete: newestTransactions.count == all.count)
    }

    /// The last transactions of each store, in their order.
    private static func newest(
        _ count: Int,
        of transactions: [NSPersistentHistoryTransaction]
    ) -> [NSPersistentHistoryTransaction] {
        var counts: [String: Int] = [:]
        let newest = transactions.reversed().filter { transaction in
            counts[transaction.storeID, default: 0] += 1
            return counts[transaction.storeID, default: 0] <= count
        }
        return newest.reversed()
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
