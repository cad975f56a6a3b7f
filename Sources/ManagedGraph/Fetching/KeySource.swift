// The keys of a fetched list, read in portions. Made by a fetch that is lazy.
import Foundation
import GraphEngine

/// The keys of results, read from one store when they are needed.
final class KeySource<T>: ListSource {
    private let fetch: FetchOperation<T>
    private let store: any RowStore
    private var keys: ContiguousArray<Int64> = []
    /// The entity of each key; empty if all have the fetch's.
    private var entities: ContiguousArray<Int32> = []
    /// The rest of the keys; nil if all are read.
    private var rest: (any RowCursor)?

    private static var firstPortion: Int { 256 }
    private static var largestPortion: Int { 65_536 }

    /// Nil if no single store can answer the fetch by itself.
    init?(_ fetch: FetchOperation<T>) throws {
        guard fetch.request.resultType == .managedObjectResultType, fetch.context.parentContext == nil,
            !fetch.request.shouldRefreshRefetchedObjects, fetch.stores.count == 1, !fetch.hasIncrementalStore,
            fetch.pendingChanges(mayNarrow: false).isEmpty
        else { return nil }
        (self.fetch, store) = (fetch, fetch.stores[0])
        let context = fetch.context
        do {
            if context.queryGenerationToken == nil {
                // The rows must be as new as the keys.
                context.renewSnapshots()
                rest = try store.mapErrors { try store.generations?.keyCursor(fetch.fetch) }
            }
            if rest == nil { append(try context.reading(store) { try $0.keys(fetch.fetch) }) }
        } catch let error as NSError where error.requiresInMemoryEvaluation {
            return nil
        }
    }

    func count(atLeast minimum: Int) -> Int {
        guard keys.count < minimum else { return keys.count }
        while keys.count < minimum, let cursor = rest {
            // Portions grow with the part that is read, so that short lists cost little and long ones few calls.
            let portion = min(max(keys.count, Self.firstPortion), Self.largestPortion)
            do {
                let batch = try fetch.context.observed(.fetch(fetch.request)) {
                    try store.mapErrors { try cursor.next(portion) }
                }
                append(batch)
                if !cursor.hasMore { rest = nil }
            } catch {
                rest = nil
                fetch.context.noteFailedRead(of: "The rest of a fetched list of \(fetch.layout.name)", error)
            }
        }
        return keys.count
    }

    private func append(_ batch: RowBatch) {
        fetch.context.registry.rowsRead.add(batch.count)
        for row in 0..<batch.count { keys.append(batch.integer(0, row)) }
        guard fetch.layout.tree.isInTree else { return }
        let layouts = RowLayouts(fetch.layout, fetch.context, store)
        for row in 0..<batch.count {
            entities.append(Int32(truncatingIfNeeded: layouts.layout(batch.integer(1, row)).index))
        }
    }

    func objects(_ range: Range<Int>) -> [NSManagedObject] {
        let context = fetch.context
        let entity = Int32(truncatingIfNeeded: fetch.layout.index)
        let rowKeys = range.map { position in
            ObjectKey(
                entity: entities.isEmpty ? entity : entities[position],
                store: store.index,
                primaryKey: keys[position]
            )
        }
        let rows = PagedObjectKeys(rowKeys, fetch.layout.model.layouts, pageSize: max(1, rowKeys.count))
        let objects = context.objects(of: rows, fetch.layout, store: store.index)
        if !fetch.request.returnsObjectsAsFaults { for object in objects where object.isFault { object.fire() } }
        do {
            if fetch.prefetches {
                // The destinations are those of the rows.
                try objects.first(where: \.isUnread)?.page?.load(in: context)
                try fetch.prefetch(objects)
            }
        } catch {
            context.noteFailedRead(of: "Relationships of \(fetch.layout.name)", error)
        }
        return objects
    }
}
