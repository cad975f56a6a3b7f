// Finds what a uniqueness constraint objects to, after a store has refused a save for one. Run by SaveOperation, outside
// of a transaction: it costs nothing where constraints hold.
import Foundation
import GraphPredicates
import GraphSQLite

/// The search for values that are there more than once.
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
        return try order.compactMap { values in
            let objects = groups[values] ?? []
            let row = try row(layout, names, values, objects)
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

    /// The constrained values; nil where one of them is nil, as those never conflict.
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

    /// A row of the store with the values, which this save neither deletes nor changes.
    private func row(
        _ layout: ObjectLayout,
        _ names: [String],
        _ values: [AnyHashable],
        _ objects: [NSManagedObject]
    ) throws -> (object: NSManagedObject, snapshot: [String: Any]?)? {
        var fetch = StoreFetch(layout: layout)
        fetch.predicate =
            NSCompoundPredicate(
                andPredicateWithSubpredicates: zip(names, values).map { name, value in
                    NSPredicate(format: "%K == %@", argumentArray: [name, value.base])
                }
            ).node
        for store in coordinator.rowStores(for: layout) {
            let batch = try store.rows(fetch)
            for row in 0..<batch.count {
                let found = registeredOrMade(batch, row, layout, store)
                if deleted.contains(found.key) || objects.contains(where: { $0 === found }) { continue }
                // Changed here to other values, which the same save writes.
                if found.hasChanges, self.values(of: found, names) != values { continue }
                return (found, CommittedRow.row(batch, row).snapshot(of: found))
            }
        }
        return nil
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
        if let known = context.registered(key, tree) { return known }
        let object = context.makeFault(coordinator.compiledModel.layouts[Int(key.entity)], key: key)
        object.adopt(batch, row: row)
        object.state.insert(.madeForConflict)
        context.registry.register(object)
        return object
    }
}
