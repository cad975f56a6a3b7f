// Executes an NSPersistentHistoryChangeRequest: reads rows of Apple's tables, makes transactions and changes of them,
// and evaluates predicates in memory.
import Foundation
import GraphEngine

extension NSPersistentHistoryChangeRequest: ContextRequest {
    func execute(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult {
        try context.observed(.history) { try run(in: context) }
    }

    private func run(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult {
        let coordinator = try context.requireCoordinator()
        if isDeletion {
            context.renewSnapshotsOfThread()
            // The stores are found when no move can replace them.
            try coordinator.writeGate.writing {
                for store in stores(of: coordinator) where !store.isReadOnly {
                    if store.capabilities is any HistoryEngine { try delete(in: store) }
                }
            }
            return NSPersistentHistoryResult(true, resultType)
        }
        // A request for remote changes returns the transactions of other processes.
        context.renewSnapshots()
        let answer = try result(of: stores(of: coordinator), coordinator.compiledModel, context)
        return NSPersistentHistoryResult(answer, resultType)
    }

    /// The stores that the request is for.
    private func stores(of coordinator: NSPersistentStoreCoordinator) -> [any RowStore] {
        coordinator.persistentStores.compactMap { $0 as? any RowStore }.filter { store in
            affectedStores?.contains { $0 === store } ?? true
        }
    }

    private func result(of stores: [any RowStore], _ model: CompiledModel, _ context: NSManagedObjectContext) throws
        -> Any
    {
        let filter = try HistoryFilter(fetchRequest)
        let needsChanges = ![.transactionsOnly, .count, .statusOnly].contains(resultType)
        var transactions: [NSPersistentHistoryTransaction] = []
        var changes: [(change: NSPersistentHistoryChange, transaction: NSPersistentHistoryTransaction)] = []
        for store in stores {
            let withChanges = needsChanges || filter.isOfChanges || filter.readsChanges
            let storeTransactions = try context.reading(store) { session in
                guard let session = session as? any HistoryReadSession else {
                    return [NSPersistentHistoryTransaction]()
                }
                return try self.transactions(of: store, session, model, withChanges)
            }
            let identifier = store.identifier ?? ""
            transactions += try filter.transactions(storeTransactions, of: identifier)
            let owners = Dictionary(uniqueKeysWithValues: storeTransactions.map { (ObjectIdentifier($0), $0) })
            changes += try filter.changes(storeTransactions, of: identifier).compactMap { change in
                change.transaction.flatMap { owners[ObjectIdentifier($0)] }.map { (change, $0) }
            }
        }
        if filter.isOfChanges {
            changes = filter.ordered(changes) { HistoryRow($0.change, $0.transaction) }
            // The transactions of the changes, each with these changes only.
            var places: [ObjectIdentifier: Int] = [:]
            var parts: [(whole: NSPersistentHistoryTransaction, changes: [NSPersistentHistoryChange])] = []
            for (change, transaction) in changes {
                if let place = places[ObjectIdentifier(transaction)] {
                    parts[place].changes.append(change)
                } else {
                    places[ObjectIdentifier(transaction)] = parts.count
                    parts.append((transaction, [change]))
                }
            }
            transactions = parts.map {
                NSPersistentHistoryTransaction($0.whole, changes: needsChanges ? $0.changes : nil)
            }
        } else {
            transactions = filter.ordered(transactions) { HistoryRow($0) }
            if filter.readsChanges, !needsChanges {
                transactions = transactions.map { NSPersistentHistoryTransaction($0, changes: nil) }
            }
        }
        let listedChanges = filter.isOfChanges ? changes.map(\.change) : transactions.flatMap { $0.changes ?? [] }
        return result(transactions, listedChanges)
    }

    private func result(
        _ transactions: [NSPersistentHistoryTransaction],
        _ changes: [NSPersistentHistoryChange]
    ) -> Any {
        switch resultType {
        case .statusOnly: return true
        case .count: return transactions.count
        case .objectIDs:
            var seen: Set<NSManagedObjectID> = []
            return changes.map(\.changedObjectID).filter { seen.insert($0).inserted }
        case .changesOnly: return changes
        case .transactionsOnly, .transactionsAndChanges: return transactions
        }
    }

    private func transactions(
        of store: any RowStore,
        _ session: any HistoryReadSession,
        _ model: CompiledModel,
        _ withChanges: Bool
    ) throws -> [NSPersistentHistoryTransaction] {
        let number = try start(in: store, session)
        let date: Date? = if case .date(let date) = point { date } else { nil }
        return try session.transactions(after: number, date: date, withChanges: withChanges, limit: -1).map {
            transaction in
            let changes = transaction.changes.map {
                NSPersistentHistoryChange($0, store: store, layout: model.layouts[Int($0.key.entity)])
            }
            return NSPersistentHistoryTransaction(
                transaction,
                changes: withChanges ? changes : nil,
                storeID: store.identifier ?? ""
            )
        }
    }

    /// The number of the last transaction that is excluded.
    ///
    /// Throws 134301 if transactions after it were deleted.
    private func start(in store: any RowStore, _ session: any HistoryReadSession) throws -> Int64 {
        guard let number = token?.numbers[store.identifier ?? ""] else { return 0 }
        guard let last = try session.lastTransaction() else { return number }
        // Numbers of a damaged store may be so large that sums overflow.
        let first = try session.firstTransaction() ?? last &+ 1
        guard number >= first &- 1 || number == last else {
            throw CoreDataError.make(
                NSPersistentHistoryTokenExpiredError,
                "The history after transaction \(number) was deleted: it begins at transaction \(first).",
                remedy: "Read the store's content again, and continue from currentPersistentHistoryToken(fromStores:)."
            )
        }
        return number
    }

    private func delete(in store: any RowStore) throws {
        let number: Int64
        var date: Date?
        switch point {
        case .date(let moment): (number, date) = (.max, moment)
        case .token(nil), .transaction(nil): number = .max
        case .token, .transaction:
            guard let tokenNumber = token?.numbers[store.identifier ?? ""] else { return }
            number = tokenNumber
        }
        try store.writing { session in
            guard let session = session as? any HistoryWriteSession else { return }
            try session.purgeHistory(before: number, date: date)
        }
    }
}
