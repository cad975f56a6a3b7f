// Reads a fetch portion by portion from one store, and merges unsaved changes as it goes. Used by FetchedResults on the
// context's queue.
import Foundation
import GraphEngine
import GraphPredicates

/// A fetch that is read incrementally.
final class FetchCursor<T> {
    private let fetch: FetchOperation<T>
    private let rows: any RowCursor
    private let store: any RowStore
    /// The part of the predicate that tables cannot evaluate.
    private let remainder: Evaluator?
    /// The keys of changed objects with rows; not the objects' addresses, which others get after a save.
    private let changed: Set<ObjectKey>
    /// Changed objects that belong to the result, in its order.
    private var additions: ArraySlice<NSManagedObject>
    private var toSkip: Int
    private var toTake: Int

    /// Opens the cursor; nil if a single file cannot answer the fetch by itself.
    init?(_ fetch: FetchOperation<T>) throws {
        let context = fetch.context
        guard context.parentContext == nil, context.queryGenerationToken == nil, fetch.stores.count == 1,
            [.managedObjectResultType, .managedObjectIDResultType].contains(fetch.request.resultType)
        else { return nil }
        store = fetch.stores[0]
        let pending = fetch.pendingChanges(mayNarrow: false)
        var plain = fetch.fetch
        (plain.limit, plain.offset) = (0, 0)
        var remainder: PredicateNode?
        do {
            let storeFetch = pending.isEmpty ? fetch.fetch : plain
            guard let rows = try Self.open(storeFetch, fetch, store) else { return nil }
            self.rows = rows
        } catch let error as NSError where error.requiresInMemoryEvaluation {
            let split = try fetch.stores[0].split(plain)
            guard split.isSorted, let rows = try Self.open(split.fetch, fetch, store) else { return nil }
            self.rows = rows
            remainder = split.remainder
        }
        self.fetch = fetch
        self.remainder = remainder.map(Evaluator.init)
        changed = Set(pending.objects.lazy.map(\.key).filter { $0.primaryKey > 0 })
        additions = fetch.ordered(try fetch.admitted(pending.objects))[...]
        let isCutHere = remainder != nil || !pending.isEmpty
        toSkip = isCutHere ? fetch.fetch.offset : 0
        toTake = isCutHere && fetch.fetch.limit > 0 ? fetch.fetch.limit : .max
    }

    private static func open(
        _ plan: StoreFetch,
        _ fetch: FetchOperation<T>,
        _ store: any RowStore
    ) throws -> (any RowCursor)? {
        try fetch.context.observed(.fetch(fetch.request)) {
            try store.mapErrors { try store.generations?.cursor(plan) }
        }
    }

    /// The results of the next `count` rows; nil at the end.
    func next(_ count: Int) throws -> [T]? {
        guard toTake > 0, rows.hasMore || !additions.isEmpty else { return nil }
        var result: [NSManagedObject] = []
        if rows.hasMore {
            let batch = try fetch.context.observed(.fetch(fetch.request)) {
                try store.mapErrors { try rows.next(count) }
            }
            let objects = fetch.context.objects(
                from: batch,
                layout: fetch.layout,
                store: store,
                asFaults: fetch.request.returnsObjectsAsFaults
            )
            if fetch.request.shouldRefreshRefetchedObjects { fetch.refresh(objects, batch) }
            for object in objects where !changed.contains(object.key) && !object.isDeleted {
                guard try fetch.admits(object, remainder) else { continue }
                while let addition = additions.first, fetch.isBefore(addition, object) {
                    result.append(addition)
                    additions.removeFirst()
                }
                result.append(object)
            }
        }
        if !rows.hasMore {
            result += additions
            additions = []
        }
        let skipped = min(toSkip, result.count)
        toSkip -= skipped
        let portion = result.dropFirst(skipped).prefix(toTake)
        toTake -= portion.count
        return try typed(Array(portion))
    }

    private func typed(_ objects: [NSManagedObject]) throws -> [T] {
        fetch.request.resultType == .managedObjectIDResultType
            ? try fetch.cast(objects.map(\.objectID)) : try fetch.typed(objects)
    }
}
