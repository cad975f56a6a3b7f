// Finds and makes the objects of many keys at once: under one lock, with pages by position. Called by to-many
// relationships, whose members are mostly new faults.
import Foundation
import GraphEngine

extension NSManagedObjectContext {
    /// The objects of keys, as faults if they are not in memory; firing one of these reads a few hundred of them.
    ///
    /// - Parameters:
    ///   - keys: The keys.
    ///   - origin: The origin of the faults; nil if none is recorded.
    /// - Returns: The objects in the order of the keys. O(keys).
    final func objects(for keys: [ObjectKey], origin: FaultOrigin?) -> [NSManagedObject] {
        guard let first = keys.first else { return [] }
        guard origin == nil, parentContext == nil, pagesForNewFaults == nil, let model = compiledModel,
            !registry.ledger.isOn, keys.count > 1
        else { return faultingByThePage(keys, origin: origin) { keys.map { object(for: $0) } } }
        let tree = model.layouts[Int(first.entity)].tree
        let isUniform = keys.allSatisfy {
            !$0.isTemporary && $0.store == first.store
                && ($0.entity == first.entity || model.layouts[Int($0.entity)].tree === tree)
        }
        guard isUniform else { return faultingByThePage(keys) { keys.map { object(for: $0) } } }
        let areNew = registry.withPages(store: first.store, tree: tree.index) { pages in
            pages.count == 0 || keys.allSatisfy { !pages.contains($0.primaryKey) }
        }
        if areNew { return newFaults(for: keys, first, model) }
        var objects = registry.objects(keys.count, store: first.store, tree: tree.index) { keys[$0].primaryKey }
        let missing = objects.indices.filter { objects[$0] == nil }
        if !missing.isEmpty {
            // Pages of the new objects alone: the rows of the others are known.
            let faults = newFaults(for: missing.map { keys[$0] }, first, model)
            for (index, fault) in zip(missing, faults) { objects[index] = fault }
        }
        return objects.map { $0.unsafelyUnwrapped }
    }

    private func newFaults(for keys: [ObjectKey], _ first: ObjectKey, _ model: CompiledModel) -> [NSManagedObject] {
        let rows = PagedObjectKeys(keys, model.layouts, pageSize: FaultPage.limit)
        let faults = objects(of: rows, model.layouts[Int(first.entity)], store: first.store)
        // Hold them until the turn ends: otherwise walking a graph would read the same row repeatedly.
        if turnDepth > 0 { turnObjects += faults }
        return faults
    }

    /// The objects of keys, with the rows of those that are unread faults; one whose row is gone stays a fault.
    ///
    /// Reads with one statement for each entity and store.
    final func objectsWithRows(for keys: some Sequence<ObjectKey>) throws -> [NSManagedObject] {
        let objects = keys.map { object(for: $0) }
        var rest = objects.filter(\.isUnread)
        while let first = rest.first {
            let isTogether = { (object: NSManagedObject) in
                object.layout.tree === first.layout.tree && object.key.store == first.key.store
            }
            let primaryKeys = rest.filter(isTogether).map(\.primaryKey)
            if primaryKeys.count > 1 { try fill(keys: primaryKeys, layout: first.layout, store: first.key.store) }
            rest.removeAll(where: isTogether)
        }
        return objects
    }
}
