// Merges unsaved changes into a fetch: the stores return the rows, changed objects are evaluated in memory, and both
// are sorted together. Also evaluates conditions that tables cannot, and merges several stores.
import Foundation
import GraphPredicates

/// The unsaved changes that affect a fetch.
struct PendingChanges {
    /// Changed objects of the request's entity that may satisfy its predicate.
    var objects: [NSManagedObject] = []
    /// Whether other objects of the entity may have changed that cannot satisfy the predicate now.
    var isNarrowed = false
    /// The maximum number of changed rows.
    var rowCount = 0

    var isEmpty: Bool { objects.isEmpty && !isNarrowed }
}

extension FetchOperation {
    /// Changed objects of the request's entity; if there are many, only those that may satisfy the predicate.
    func pendingChanges(mayNarrow: Bool = true) -> PendingChanges {
        let count = context.insertedList.count + context.updatedList.count
        guard request.includesPendingChanges, count > 0 || !context.deletedList.isEmpty else { return PendingChanges() }
        func admits(_ object: NSManagedObject) -> Bool {
            guard context.isOwn(object) else { return false }
            return request.includesSubentities ? object.layout.isKind(of: layout) : object.layout === layout
        }
        func isAffected(_ object: NSManagedObject) -> Bool {
            request.affectedStores == nil || object.state.contains(.inserted)
                || stores.contains { $0.index == object.key.store }
        }
        let isListed: (NSManagedObject) -> Bool = { self.isChanged($0) && admits($0) && isAffected($0) }
        if mayNarrow, count > context.judgedOneByOne, let candidates = indexedObjects() {
            return PendingChanges(
                objects: candidates.filter(isListed),
                isNarrowed: true,
                rowCount: context.updatedList.count + context.deletedList.count
            )
        }
        let inserted = context.insertedList.filter { $0.state.contains(.inserted) && admits($0) }
        let saved =
            context.updatedList.filter { $0.state.contains(.updated) && isListed($0) }
            + context.deletedList.filter { $0.state.contains(.deleted) && isListed($0) }
        return PendingChanges(objects: Array(inserted + saved), rowCount: saved.count)
    }

    /// Whether an object has unsaved changes that the request takes into account.
    func isChanged(_ object: NSManagedObject) -> Bool {
        let state = object.state
        guard request.includesPendingChanges else { return false }
        return !state.isDisjoint(with: [.inserted, .updated])
            || state.contains(.deleted) && state.isDisjoint(with: .withoutRow)
    }

    /// Unsaved objects that may satisfy a predicate with an equality on a property; nil if all must be evaluated.
    private func indexedObjects() -> [NSManagedObject]? {
        guard let (slot, key) = fetch.predicate.flatMap(equality) else { return nil }
        let place = PendingIndex.Place(tree: layout.tree.index, name: layout.slots[slot].name)
        return context.pendingObjects(with: key, at: place)
    }

    /// A property and a value that the predicate requires it to have.
    private func equality(in node: PredicateNode) -> (slot: Int, key: PendingIndex.Key)? {
        switch node {
        case .and(let parts):
            for part in parts {
                if let match = equality(in: part) { return match }
            }
            return nil
        case .comparison(let comparison):
            guard comparison.op == .equal, comparison.modifier == .direct, comparison.options.isEmpty else {
                return nil
            }
            switch (comparison.left, comparison.right) {
            case (.keyPath(let path), .constant(let value)), (.constant(let value), .keyPath(let path)):
                guard path.count == 1, let slot = layout.slot(named: path[0]), layout.computed[path[0]] == nil,
                    layout.slots[slot].isStored, let key = key(value, layout.slots[slot])
                else { return nil }
                return (slot, key)
            default: return nil
            }
        default: return nil
        }
    }

    private func key(_ value: Any?, _ slot: Slot) -> PendingIndex.Key? {
        switch (slot.type, EvaluatedValue(value)) {
        case (.integer16, .integer(let value)), (.integer32, .integer(let value)), (.integer64, .integer(let value)):
            .integer(value)
        case (.string, .text(let text)): .text(text)
        case (.uuid, .uuid(let uuid)): .uuid(uuid)
        default: nil
        }
    }

    /// The results of one store, and the work left to do on them.
    private struct Part {
        var objects: [NSManagedObject]
        /// The condition that the objects must also satisfy; nil for none.
        var remainder: PredicateNode?
        var isSorted: Bool
    }

    /// The stores' results with changed objects reevaluated, sorted, then cut to the limits.
    func merged(_ pending: PendingChanges) throws -> [NSManagedObject] {
        if context.parentContext == nil, context.hasChanges, !request.includesPendingChanges { return try saved() }
        let parts: [Part]
        if let parent = context.parentContext {
            parts = [Part(objects: try fetched(in: parent, isWhole: true), remainder: nil, isSorted: true)]
        } else {
            parts = try stores.map { try part(of: $0, changes: pending.rowCount) }
        }
        var result: [NSManagedObject] = []
        for part in parts {
            let remainder = part.remainder.map(Evaluator.init)
            result += try part.objects.filter { object in
                try !isChanged(object) && admits(object, remainder)
            }
        }
        let additions = try admitted(pending.objects)
        if parts.count > 1 || parts.contains(where: { !$0.isSorted }) {
            result = sorted(result + additions)
        } else if !additions.isEmpty {
            insert(additions, into: &result)
        }
        let rest = result.dropFirst(fetch.offset)
        return Array(fetch.limit > 0 ? rest.prefix(fetch.limit) : rest)
    }

    /// The stored objects, evaluated and sorted in a separate context, because this one's have unsaved values.
    private func saved() throws -> [NSManagedObject] {
        let savedContext = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        savedContext.persistentStoreCoordinator = coordinator
        savedContext.isAuxiliary = true
        if let generation = context.queryGenerationToken {
            try savedContext.onQueue { () throws in try savedContext.setQueryGenerationFrom(generation) }
        }
        return try fetched(in: savedContext, isWhole: false)
    }

    /// The number of objects, without reading any rows.
    func countMerged(_ pending: PendingChanges) throws -> Int {
        if pending.isNarrowed, pending.rowCount > 0 { return try merged(pending).count }
        var plain = fetch
        (plain.limit, plain.offset) = (0, 0)
        let saved = pending.objects.filter { $0.key.primaryKey > 0 }.map(\.objectID)
        if !saved.isEmpty {
            let isChanged = ComparisonNode(left: .evaluatedObject, right: .constant(saved), op: .in)
            plain.predicate = .and([fetch.predicate ?? .constant(true), .not(.comparison(isChanged))])
        }
        let stored = try stores.reduce(0) { sum, store in
            sum + (try context.reading(store) { try $0.count(plain) })
        }
        let total = max(0, stored + (try admitted(pending.objects).count) - fetch.offset)
        return fetch.limit > 0 ? min(fetch.limit, total) : total
    }

    /// One store's part of a fetch whose result is still to be merged with `changes` changed objects.
    private func part(of store: any RowStore, changes: Int) throws -> Part {
        var plain = fetch
        plain.offset = 0
        // Each changed object removes at most one row.
        if plain.limit > 0 {
            // Offsets and limits come from outside; a sum that overflows means no limit.
            let (rows, isLarge) = fetch.offset.addingReportingOverflow(changes)
            let (limit, isLarger) = plain.limit.addingReportingOverflow(rows)
            plain.limit = isLarge || isLarger ? 0 : limit
        }
        do {
            return Part(objects: try stored(plain, store), remainder: nil, isSorted: true)
        } catch let error as NSError where error.requiresInMemoryEvaluation {
            // The store may have rejected the fetch before it checked the names.
            try checkPredicateAndSort()
            let split = try store.split(fetch)
            return Part(
                objects: try stored(split.fetch, store),
                remainder: split.remainder,
                isSorted: split.isSorted
            )
        }
    }

    /// The changed objects that belong to the result.
    func admitted(_ pending: [NSManagedObject]) throws -> [NSManagedObject] {
        let evaluator = fetch.predicate.map(Evaluator.init)
        return try pending.filter { try !$0.state.contains(.deleted) && admits($0, evaluator) }
    }

    func admits(_ object: NSManagedObject, _ evaluator: Evaluator?) throws -> Bool {
        do {
            return try evaluator?.evaluate(object) ?? true
        } catch {
            throw CoreDataError.make(
                NSCoreDataError,
                "The predicate \(request.predicate?.printedFormat ?? "") cannot be evaluated: \(error)",
                remedy: "Correct the predicate."
            )
        }
    }

    // MARK: Order

    private func sorted(_ objects: [NSManagedObject]) -> [NSManagedObject] {
        sorts.isEmpty ? objects : ordered(objects)
    }

    /// The objects in the order of `isBefore`; each sort value is read once.
    func ordered(_ objects: [NSManagedObject]) -> [NSManagedObject] {
        objects.sorted { $0.placeAmongEquals < $1.placeAmongEquals }.sorted(using: sorts)
    }

    func isBefore(_ lhs: NSManagedObject, _ rhs: NSManagedObject) -> Bool {
        for sort in sorts {
            switch sort.compare(lhs, to: rhs) {
            case .orderedAscending: return true
            case .orderedDescending: return false
            case .orderedSame: continue
            }
        }
        return lhs.placeAmongEquals < rhs.placeAmongEquals
    }

    private func insert(_ additions: [NSManagedObject], into result: inout [NSManagedObject]) {
        // For few additions, use a binary search for each; for many, sort once.
        if additions.count < 16 {
            for object in additions {
                var low = 0
                var high = result.count
                while low < high {
                    let middle = (low + high) / 2
                    if isBefore(object, result[middle]) { high = middle } else { low = middle + 1 }
                }
                result.insert(object, at: low)
            }
        } else {
            result = ordered(result + additions)
        }
    }
}

extension NSManagedObject {
    /// The rank by key among equal objects, as in the store.
    ///
    /// New objects come after saved ones, as they will once they have a key.
    fileprivate var placeAmongEquals: Int64 { key.primaryKey > 0 ? key.primaryKey : .max }
}
