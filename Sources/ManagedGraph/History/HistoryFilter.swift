// The fetch request in a history request: a predicate, an order and a limit over transactions or over changes. Used by
// HistoryRequest.
import Foundation
import GraphPredicates

/// The fetch request of a history request, prepared for the transactions and changes of one store after the other.
struct HistoryFilter {
    let isOfChanges: Bool
    /// Whether the predicate reads the changes of transactions.
    let readsChanges: Bool
    private let predicate: PredicateNode?
    private let sorts: [NSSortDescriptor]
    private let offset: Int
    private let limit: Int

    /// Prepares a request.
    ///
    /// - Parameter request: The request; nil for all transactions.
    /// - Throws: 134060 for a request of another entity, and for a key that transactions or changes do not have.
    init(_ request: NSFetchRequest<any NSFetchRequestResult>?) throws {
        let name = request?.entityName
        guard name == nil || name == HistoryEntities.change.name || name == HistoryEntities.transaction.name else {
            throw CoreDataError.make(
                NSCoreDataError,
                "A history request was given a fetch request of the entity \(name ?? "").",
                reason: "a history consists of transactions and changes",
                remedy: "Use NSPersistentHistoryTransaction.fetchRequest or NSPersistentHistoryChange.fetchRequest."
            )
        }
        isOfChanges = name == HistoryEntities.change.name
        predicate = request?.predicate?.node
        sorts = request?.sortDescriptors ?? []
        offset = request?.fetchOffset ?? 0
        limit = request?.fetchLimit ?? 0
        var keys = Set(sorts.compactMap(\.sortKey).map { String($0.prefix { $0 != "." }) })
        _ = predicate?.mapped(
            PredicateMapping(
                keyPath: { path in
                    path.first.map { _ = keys.insert($0) }
                    return .keyPath(path)
                }
            )
        )
        let propertyNames = isOfChanges ? HistoryRow.changeKeys : HistoryRow.transactionKeys
        if let unknown = keys.first(where: { !$0.hasPrefix("@") && !propertyNames.contains($0) }) {
            throw CoreDataError.make(
                NSCoreDataError,
                "\(isOfChanges ? "Changes" : "Transactions") of a history have no property \(unknown).",
                remedy: "Use one of \(propertyNames.sorted().joined(separator: ", "))."
            )
        }
        readsChanges = keys.contains("changes")
    }

    /// The transactions of a store that satisfy the predicate.
    func transactions(
        _ transactions: [NSPersistentHistoryTransaction],
        of store: String
    ) throws -> [NSPersistentHistoryTransaction] {
        guard !isOfChanges, let evaluator = evaluator(for: store) else { return transactions }
        return try transactions.filter { try evaluate(evaluator, HistoryRow($0)) }
    }

    /// The changes of a store that satisfy the predicate.
    func changes(
        _ transactions: [NSPersistentHistoryTransaction],
        of store: String
    ) throws -> [NSPersistentHistoryChange] {
        guard isOfChanges else { return [] }
        let evaluator = evaluator(for: store)
        return try transactions.flatMap { transaction in
            try (transaction.changes ?? []).filter { change in
                try evaluator.map { try evaluate($0, HistoryRow(change, transaction)) } ?? true
            }
        }
    }

    /// The elements in the requested order, between the offset and the limit.
    func ordered<Element>(_ elements: [Element], _ row: (Element) -> HistoryRow) -> [Element] {
        var result = elements
        if !sorts.isEmpty {
            let rows = elements.map(row)
            let order = rows.indices.sorted { a, b in
                for sort in sorts {
                    let comparison = sort.compare(rows[a], to: rows[b])
                    if comparison != .orderedSame { return comparison == .orderedAscending }
                }
                return a < b
            }
            result = order.map { elements[$0] }
        }
        if offset > 0 { result = Array(result.dropFirst(offset)) }
        return limit > 0 ? Array(result.prefix(limit)) : result
    }

    /// The predicate with tokens and entities replaced by their values in the rows of one store.
    private func evaluator(for store: String) -> Evaluator? {
        func plain(_ value: Any?) -> Any? {
            switch value {
            case let token as NSPersistentHistoryToken: return NSNumber(value: token.numbers[store] ?? 0)
            case let entity as NSEntityDescription: return entity.name
            case let list as [Any]: return list.map { plain($0) ?? NSNull() }
            case let set as NSSet: return set.allObjects.map { plain($0) ?? NSNull() }
            default: return value
            }
        }
        return predicate.map { predicate in
            Evaluator(
                predicate.mapped(
                    PredicateMapping(constant: plain, judged: { ($0 as? HistoryRow)?.object ?? $0 })
                )
            )
        }
    }

    private func evaluate(_ evaluator: Evaluator, _ row: HistoryRow) throws -> Bool {
        do {
            return try evaluator.evaluate(row)
        } catch {
            throw CoreDataError.make(
                NSCoreDataError,
                "The predicate of a history request cannot be evaluated: \(error)",
                reason: "\(error)",
                remedy: "Compare properties of transactions or of changes with values of their types."
            )
        }
    }
}
