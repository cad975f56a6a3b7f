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

    /// The values of a constraint in one store: those of different stores do not conflict.
    private struct Place: Hashable {
        let store: Int32
        let key: ConstraintKey
    }

    /// The objects of the save that have equal values, and the row that has them too.
    private struct Group {
        let place: Place
        var objects: [NSManagedObject]
        var row: (object: NSManagedObject, values: ConflictSnapshot)?
    }

    private func search(_ layout: ObjectLayout, _ names: [String]) throws -> [NSObject] {
        var groups: [Group] = []
        var numbers: [Place: Int] = [:]
        var latest: (layout: ObjectLayout, store: Int32)?
        for object in changed where object.layout.isKind(of: layout) {
            guard let slots = Self.slots(names, object.layout),
                let key = ConstraintKey(slots, stored: object.currentValue, shown: object.publicValue)
            else { continue }
            let place = Place(store: try store(of: object, &latest), key: key)
            if let number = numbers[place] {
                groups[number].objects.append(object)
            } else {
                numbers[place] = groups.count
                groups.append(Group(place: place, objects: [object]))
            }
        }
        try findRows(layout, names, &groups, numbers)
        return groups.compactMap { group in
            guard group.row != nil || group.objects.count > 1 else { return nil }
            return NSConstraintConflict(names, group.objects, row: group.row)
        }
    }

    /// The index of the store that has an object's row, or will have it.
    private func store(
        of object: NSManagedObject,
        _ latest: inout (layout: ObjectLayout, store: Int32)?
    ) throws -> Int32 {
        if object.key.primaryKey > 0 { return object.key.store }
        // New objects come in runs of one entity.
        if let latest, latest.layout === object.layout, context.assignedStores.isEmpty { return latest.store }
        let index = try KeyAssignment(context: context, coordinator: coordinator).store(for: object).index
        latest = (object.layout, index)
        return index
    }

    /// The slots of a constraint's properties; nil if an entity lacks one.
    private static func slots(_ names: [String], _ layout: ObjectLayout) -> [Int]? {
        let slots = names.compactMap { layout.slot(named: $0) }
        return slots.count == names.count ? slots : nil
    }

    /// Finds the rows of the stores with such values that this save neither deletes nor changes.
    ///
    /// Runs one statement for each store. It may return more rows than match a constraint over several properties.
    private func findRows(
        _ layout: ObjectLayout,
        _ names: [String],
        _ groups: inout [Group],
        _ numbers: [Place: Int]
    ) throws {
        for store in coordinator.rowStores(for: layout) {
            let keys = groups.filter { $0.place.store == store.index }.map(\.place.key)
            if keys.isEmpty { continue }
            var fetch = StoreFetch(layout: layout.stored)
            fetch.predicate = .and(
                names.enumerated().map { place, name in
                    let values = ConstraintKey.values(of: keys, at: place)
                    return .comparison(ComparisonNode(left: .keyPath([name]), right: .constant(values), op: .in))
                }
            )
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
                let committed = CommittedRow.row(batch, row)
                // A row without a value equals no object; only stores that do not evaluate predicates return one.
                guard let slots = Self.slots(names, object.layout),
                    let key = ConstraintKey(
                        slots,
                        stored: { committed.value($0, of: object) },
                        shown: { committed.value($0, of: object).publicAttribute(object.layout.slots[$0].type) }
                    ),
                    let number = numbers[Place(store: store.index, key: key)], groups[number].row == nil
                else { continue }
                groups[number].row = (object, ConflictSnapshot(object) { committed.value($0, of: object) })
            }
        }
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
