// Finds the objects that violate uniqueness constraints, after a store has rejected a save for one. Run by
// SaveOperation outside a transaction; costs nothing as long as constraints hold.
import Foundation
import GraphEngine
import GraphPredicates
import GraphSQLite

/// Searches for duplicate values.
struct ConstraintSearch {
    private let context: NSManagedObjectContext
    private let coordinator: NSPersistentStoreCoordinator
    private let changed: [NSManagedObject]
    private let deleted: Set<ObjectKey>

    init(
        _ context: NSManagedObjectContext,
        _ coordinator: NSPersistentStoreCoordinator,
        _ inserted: ContiguousArray<NSManagedObject>,
        _ updated: ContiguousArray<NSManagedObject>,
        _ deleted: ContiguousArray<NSManagedObject>
    ) {
        self.context = context
        self.coordinator = coordinator
        changed = Array(inserted) + Array(updated)
        self.deleted = Set(deleted.map(\.key))
    }

    /// The conflicts, one for each set of equal values.
    func run() throws -> [NSObject] {
        var conflicts: [NSObject] = []
        for layout in coordinator.compiledModel.layouts {
            for names in layout.entity.uniquenessConstraintNames where !names.isEmpty {
                conflicts += try search(layout, names)
            }
        }
        return conflicts
    }

    private func search(_ layout: ObjectLayout, _ names: [String]) throws -> [NSObject] {
        var groups: [[AnyHashable]: [NSManagedObject]] = [:]
        var order: [[AnyHashable]] = []
        for object in changed where object.layout.isKind(of: layout) {
            guard let values = values(of: object, names) else { continue }
            if groups[values] == nil { order.append(values) }
            groups[values, default: []].append(object)
        }
        let rows = try rows(layout, names, order)
        return order.compactMap { values in
            let objects = groups[values] ?? []
            let row = rows[values]
            guard row != nil || objects.count > 1 else { return nil }
            return NSConstraintConflict(
                constraint: names,
                database: row?.object,
                databaseSnapshot: row?.snapshot,
                conflicting: objects,
                conflictingSnapshots: objects.map { $0.storedSnapshot() }
            )
        }
    }

    /// The constrained values; nil if one of them is nil, because nil never conflicts.
    private func values(of object: NSManagedObject, _ names: [String]) -> [AnyHashable]? {
        var result: [AnyHashable] = []
        for name in names {
            guard let slot = object.layout.slot(named: name), let value = object.publicValue(slot) as? AnyHashable
            else {
                return nil
            }
            result.append(value)
        }
        return result
    }

    /// The rows of the stores with such values that this save neither deletes nor changes.
    ///
    /// Runs one statement for each store. It may return more rows than match a constraint over several properties.
    private func rows(
        _ layout: ObjectLayout,
        _ names: [String],
        _ groups: [[AnyHashable]]
    ) throws -> [[AnyHashable]: (object: NSManagedObject, snapshot: [String: Any])] {
        guard !groups.isEmpty else { return [:] }
        var fetch = StoreFetch(layout: layout.stored)
        fetch.predicate =
            NSCompoundPredicate(
                andPredicateWithSubpredicates: names.enumerated().map { place, name in
                    NSPredicate(format: "%K IN %@", argumentArray: [name, Set(groups.map { $0[place] }).map(\.base)])
                }
            ).node
        var result: [[AnyHashable]: (object: NSManagedObject, snapshot: [String: Any])] = [:]
        for store in coordinator.rowStores(for: layout) {
            let batch = try store.reading(for: context) { session in
                do {
                    return try session.rows(fetch)
                } catch let error as TranslationError where error.kind == .needsMemory {
                    // The values are compared here anyway.
                    return try session.rows(try store.split(fetch).fetch)
                }
            }
            for row in 0..<batch.count {
                let object = registeredOrMade(batch, row, layout, store)
                // A changed object has other values after the save, or is in one of the groups itself.
                if deleted.contains(object.key) || object.hasChanges { continue }
                let snapshot = CommittedRow.row(batch, row).snapshot(of: object) ?? [:]
                // A row without a value equals no object; only stores that do not evaluate predicates return one.
                let values = names.compactMap { snapshot[$0] is NSNull ? nil : snapshot[$0] as? AnyHashable }
                if values.count == names.count, result[values] == nil { result[values] = (object, snapshot) }
            }
        }
        return result
    }

    private func registeredOrMade(
        _ batch: RowBatch,
        _ row: Int,
        _ layout: ObjectLayout,
        _ store: any RowStore
    ) -> NSManagedObject {
        let tree = layout.tree
        let entity = tree.isInTree ? store.entityIndex(number: batch.integer(TreeLayout.entityColumn, row)) : nil
        let key = ObjectKey(
            entity: Int32(entity ?? layout.index),
            store: store.index,
            primaryKey: batch.integer(TreeLayout.primaryKeyColumn, row)
        )
        if let existing = context.registered(key, tree) { return existing }
        let object = context.makeFault(coordinator.compiledModel.layouts[Int(key.entity)], key: key)
        object.adopt(batch, row: row)
        object.state.insert(.madeForConflict)
        context.registry.register(object)
        return object
    }
}
