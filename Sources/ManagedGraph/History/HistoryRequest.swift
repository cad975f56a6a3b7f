// Executes an NSPersistentHistoryChangeRequest: reads rows of Apple's tables, makes transactions and changes of them, has
// predicates judged in memory.
import Foundation

extension NSPersistentHistoryChangeRequest: ContextRequest {
    func execute(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult {
        let coordinator = try context.requireCoordinator()
        return try coordinator.withLock { () throws -> NSPersistentHistoryResult in
            let stores = coordinator.persistentStores.compactMap { $0 as? SQLiteStore }.filter { store in
                affectedStores?.contains { $0 === store } ?? true
            }
            if isDeletion {
                for store in stores { try delete(in: store) }
                return NSPersistentHistoryResult(true, resultType)
            }
            let isOfChanges = fetchRequest?.entity === HistoryEntities.change
            let withoutChanges = [.transactionsOnly, .count, .statusOnly].contains(resultType) && !isOfChanges
            var transactions = try stores.flatMap { store in
                try self.transactions(of: store, coordinator.compiledModel, withChanges: !withoutChanges)
            }
            if let predicate = fetchRequest?.predicate, !isOfChanges {
                transactions = transactions.filter { predicate.evaluate(with: $0) }
            }
            var changes = transactions.flatMap { $0.changes ?? [] }
            if let predicate = fetchRequest?.predicate, isOfChanges {
                changes = changes.filter { predicate.evaluate(with: $0) }
            }
            return NSPersistentHistoryResult(result(transactions, changes, isOfChanges), resultType)
        }
    }

    private func result(
        _ transactions: [NSPersistentHistoryTransaction],
        _ changes: [NSPersistentHistoryChange],
        _ isOfChanges: Bool
    ) -> Any {
        switch resultType {
        case .statusOnly: return true
        case .count: return isOfChanges ? changes.count : transactions.count
        case .objectIDs:
            var seen: Set<NSManagedObjectID> = []
            return changes.map(\.changedObjectID).filter { seen.insert($0).inserted }
        case .changesOnly: return changes
        case .transactionsOnly: return transactions
        case .transactionsAndChanges: return isOfChanges ? changes : transactions
        }
    }

    private func transactions(of store: SQLiteStore, _ model: CompiledModel, withChanges: Bool) throws
        -> [NSPersistentHistoryTransaction]
    {
        let number = try start(in: store)
        let date: Date? = if case .date(let date) = point { date } else { nil }
        return try store.transactions(after: number, date: date, withChanges: withChanges).map { transaction in
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

    /// The number of the last transaction that is not wanted.
    ///
    /// Throws 134301 where transactions after it were deleted.
    private func start(in store: SQLiteStore) throws -> Int64 {
        guard let number = token?.numbers[store.identifier ?? ""] else { return 0 }
        guard let last = try store.lastTransaction() else { return number }
        let first = try store.firstTransaction() ?? last + 1
        guard number >= first - 1 || number == last else {
            throw CoreDataError.make(
                NSPersistentHistoryTokenExpiredError,
                "The history after transaction \(number) was deleted: it begins at transaction \(first).",
                remedy: "Read what the store holds anew, and go on from currentPersistentHistoryToken(fromStores:)."
            )
        }
        return number
    }

    private func delete(in store: SQLiteStore) throws {
        guard store.history != nil else { return }
        let number: Int64
        var date: Date?
        switch point {
        case .date(let moment): (number, date) = (.max, moment)
        case .token(nil), .transaction(nil): number = .max
        case .token, .transaction:
            guard let found = token?.numbers[store.identifier ?? ""] else { return }
            number = found
        }
        try store.beginSave()
        do {
            try store.purgeHistory(before: number, date: date)
            try store.commitSave()
        } catch {
            store.rollbackSave()
            throw error
        }
    }
}
