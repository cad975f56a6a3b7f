// Executes an NSBatchUpdateRequest in one transaction: with one statement if constants, and expressions over a row's own
// attributes, can be set that way; otherwise constants for hundreds of rows at a time and expressions row by row.
import Foundation
import GraphEngine
import GraphSQL

extension NSBatchUpdateRequest: ContextRequest {
    func execute(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult {
        let operation = try BatchOperation(entityName, in: context)
        let (batch, updated) = try operation.writing { () throws -> (BatchUpdate, [ObjectKey]) in
            let batch = try BatchUpdate(self, operation)
            return (batch, try batch.run())
        }
        let isNamed = mergesIntoContexts || resultType == .updatedObjectIDsResultType
        let identifiers = isNamed ? batch.identifiers(updated) : []
        if mergesIntoContexts {
            var changes = SavedChanges()
            changes.updated = identifiers
            operation.notify(changes)
        }
        switch resultType {
        case .statusOnlyResultType: return NSBatchUpdateResult(true, resultType)
        case .updatedObjectsCountResultType: return NSBatchUpdateResult(updated.count, resultType)
        case .updatedObjectIDsResultType: return NSBatchUpdateResult(identifiers, resultType)
        }
    }
}

/// A batch update in progress.
private struct BatchUpdate {
    private let operation: BatchOperation
    private let request: NSBatchUpdateRequest
    private let stores: [any RowStore]
    private let layout: ObjectLayout
    private var constants: [(slot: Int, value: Any)] = []
    private var expressions: [(slot: Int, expression: NSExpression)] = []

    init(_ request: NSBatchUpdateRequest, _ operation: BatchOperation) throws {
        self.request = request
        self.operation = operation
        layout = operation.layout
        stores = try operation.writableStores(request)
        for (key, value) in request.propertiesToUpdate ?? [:] {
            let name = (key.base as? NSPropertyDescription)?.name ?? key.base as? String ?? "\(key.base)"
            let slot = try layout.batchSlot(name)
            if let expression = value as? NSExpression, expression.expressionType != .constantValue {
                expressions.append((slot, expression))
            } else if let expression = value as? NSExpression {
                constants.append((slot, expression.constantValue ?? NSNull()))
            } else {
                constants.append((slot, value))
            }
        }
        guard !constants.isEmpty || !expressions.isEmpty else {
            throw CoreDataError.make(
                NSCoreDataError,
                "The batch update of \(layout.name) has nothing to set.",
                remedy: "Set its propertiesToUpdate."
            )
        }
    }

    func run() throws -> [ObjectKey] {
        try stores.flatMap { store in
            // Report values that cannot be set before any are set.
            let values = try constantValues(store)
            let keys = try operation.transaction(store, .batchUpdate(entity: operation.layout.name)) { session in
                let fetch = fetchRequest(NSManagedObjectID.self)
                let rows = try operation.storeFetch(fetch, in: store, session)
                let stored = try layout.stored(values.0, values.1)
                if let keys = try session.update(rows, values: stored, slots: values.1, computed: columns) {
                    return keys
                }
                let keys = try operation.keys(fetch, in: store, session)
                let computed = try computedValues(store, session)
                try write(keys, values, computed, store, session)
                return keys
            }
            operation.note(keys)
            return keys
        }
    }

    /// The expressions as columns of a statement.
    private var columns: [(slot: Int, column: PlanColumn)] {
        expressions.map { ($0.slot, .expression(name: layout.slots[$0.slot].name, $0.expression.node)) }
    }

    func identifiers(_ keys: [ObjectKey]) -> [NSManagedObjectID] {
        let links = Dictionary(stores.map { ($0.index, $0.link) }) { first, _ in first }
        let layouts = operation.coordinator.compiledModel.layouts
        return keys.map { NSManagedObjectID(layout: layouts[Int($0.entity)], key: $0, link: links[$0.store]) }
    }

    private func fetchRequest<T>(_ type: T.Type) -> NSFetchRequest<T> {
        let fetch = NSFetchRequest<T>(entityName: layout.name)
        fetch.predicate = request.predicate
        fetch.includesSubentities = request.includesSubentities
        return fetch
    }

    private func constantValues(_ store: any RowStore) throws -> (ContiguousArray<Value>, SlotSet) {
        var values = ContiguousArray<Value>(repeating: .absent, count: layout.slots.count)
        var slots = SlotSet()
        for (slot, value) in constants {
            values[slot] = try layout.batchValue(value, for: slot, in: store)
            slots.insert(slot)
        }
        for (slot, _) in expressions { _ = try layout.batchValue(NSNull(), for: slot, in: store) }
        return (values, slots)
    }

    /// The values of expressions by primary key, all read before anything is written.
    private func computedValues(_ store: any RowStore, _ session: any BatchWriteSession) throws -> [Int64: [Any?]] {
        guard !expressions.isEmpty else { return [:] }
        let fetch = fetchRequest(NSDictionary.self)
        fetch.resultType = .dictionaryResultType
        let identifier = NSExpressionDescription()
        identifier.name = "identifier"
        identifier.expression = NSExpression.expressionForEvaluatedObject()
        identifier.expressionResultType = .objectIDAttributeType
        fetch.propertiesToFetch =
            [identifier]
            + expressions.enumerated().map { place, entry in
                let description = NSExpressionDescription()
                description.name = "value\(place)"
                description.expression = entry.expression
                description.expressionResultType =
                    (layout.slots[entry.slot].property as? NSAttributeDescription)?.attributeType
                    ?? .objectIDAttributeType
                return description
            }
        var result: [Int64: [Any?]] = [:]
        for row in try operation.fetch(fetch, in: store, session) {
            guard let identifier = row["identifier"] as? NSManagedObjectID else { continue }
            result[identifier.key.primaryKey] = expressions.indices.map { row["value\($0)"] }
        }
        return result
    }

    private func write(
        _ keys: [ObjectKey],
        _ constants: (values: ContiguousArray<Value>, slots: SlotSet),
        _ computed: [Int64: [Any?]],
        _ store: any RowStore,
        _ session: any BatchWriteSession
    ) throws {
        guard !expressions.isEmpty else {
            let byEntity = Dictionary(grouping: keys, by: \.entity)
            for (entity, group) in byEntity.sorted(by: { $0.key < $1.key }) {
                let entityLayout = operation.coordinator.compiledModel.layouts[Int(entity)]
                let (values, slots) = entityLayout.taking(constants.values, constants.slots, from: layout)
                try session.update(
                    layout: entityLayout.stored,
                    keys: group.map(\.primaryKey),
                    values: try entityLayout.stored(values, slots),
                    slots: slots
                )
            }
            return
        }
        var changes = StoreChanges()
        for key in keys {
            var values = constants.values
            var slots = constants.slots
            for (entry, value) in zip(expressions, computed[key.primaryKey] ?? []) {
                values[entry.slot] = try layout.batchValue(value ?? NSNull(), for: entry.slot, in: store)
                slots.insert(entry.slot)
            }
            let entityLayout = operation.coordinator.compiledModel.layouts[Int(key.entity)]
            let (ownValues, ownSlots) = entityLayout.taking(values, slots, from: layout)
            changes.updates.append(
                RowOperation(
                    layout: entityLayout.stored,
                    primaryKey: key.primaryKey,
                    version: RowOperation.anyVersion,
                    values: try entityLayout.stored(ownValues, ownSlots),
                    slots: ownSlots
                )
            )
        }
        _ = try session.write(changes)
    }
}

extension ObjectLayout {
    /// Maps values from the slots of a parent entity to the slots of this one.
    fileprivate func taking(_ values: ContiguousArray<Value>, _ slots: SlotSet, from source: ObjectLayout) -> (
        ContiguousArray<Value>, SlotSet
    ) {
        guard source !== self else { return (values, slots) }
        var result = ContiguousArray<Value>(repeating: .absent, count: self.slots.count)
        var resultSlots = SlotSet()
        slots.forEach { slot in
            guard let place = self.slot(named: source.slots[slot].name) else { return }
            result[place] = values[slot]
            resultSlots.insert(place)
        }
        return (result, resultSlots)
    }
}
