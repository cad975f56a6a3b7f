// Executes an NSBatchInsertRequest: rows from dictionaries or from scratch objects, some hundreds at a time, in one
// transaction.
import Foundation
import GraphEngine
import GraphSQL

extension NSBatchInsertRequest: ContextRequest {
    func execute(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult {
        let operation = try BatchOperation(entity?.name ?? entityName, in: context)
        guard !operation.layout.isAbstract else {
            throw CoreDataError.make(
                NSCoreDataError,
                "The entity \(operation.layout.name) is abstract, so it has no rows.",
                remedy: "Insert rows of an entity below it."
            )
        }
        let store = try operation.writableStores(self)[0]
        // A handler has given its rows away.
        let batch = try operation.transaction(
            store,
            .batchInsert(entity: operation.layout.name),
            isRepeatable: objectsToInsert != nil
        ) { session in
            let batch = BatchInsert(self, operation, store, session)
            try batch.run()
            return batch
        }
        batch.noteReplaced()
        let (keys, count) = (batch.keys, batch.count)
        lazy var identifiers = keys.map { operation.identifier($0, store) }
        if mergesIntoContexts {
            var changes = SavedChanges()
            for (identifier, key) in zip(identifiers, keys) {
                if batch.replaced.contains(key.primaryKey) {
                    changes.updated.insert(identifier)
                } else {
                    changes.inserted.insert(identifier)
                }
            }
            operation.notify(changes)
        }
        switch resultType {
        case .statusOnly: return NSBatchInsertResult(true, resultType)
        case .count: return NSBatchInsertResult(count, resultType)
        case .objectIDs: return NSBatchInsertResult(identifiers, resultType)
        }
    }
}

/// A batch insert in progress.
private final class BatchInsert {
    private let operation: BatchOperation
    private let store: any RowStore
    private let session: any BatchWriteSession
    /// Existing rows that received new values.
    private(set) var replaced: Set<Int64> = []
    private let request: NSBatchInsertRequest
    private let layout: ObjectLayout
    private let policy: NSMergePolicyType
    /// The slots of uniqueness constraints, empty if the merge policy does not resolve conflicts.
    private let constraints: [[Int]]
    /// Rows to be written, the first `collected` of them; those after are kept for reuse of their memory.
    @exclusivity(unchecked) private var rows = StoreChanges()
    @exclusivity(unchecked) private var collected = 0
    private(set) var count = 0
    /// The keys of all rows, if they are needed.
    private(set) var keys: [ObjectKey] = []
    private let needsKeys: Bool
    /// The number of rows collected before they are written.
    private let portion: Int
    /// The keys of the rows written by this request.
    private var reserved: [ClosedRange<Int64>] = []
    /// The object passed to the handler each time, unless the handler keeps it.
    @exclusivity(unchecked) private var scratch: NSManagedObject?

    init(
        _ request: NSBatchInsertRequest,
        _ operation: BatchOperation,
        _ store: any RowStore,
        _ session: any BatchWriteSession
    ) {
        self.request = request
        let layout = operation.layout
        self.operation = operation
        self.layout = layout
        self.store = store
        self.session = session
        portion = session.insertedAtOnce
        needsKeys = request.resultType == .objectIDs || request.mergesIntoContexts
        policy = (operation.context.mergePolicy as? NSMergePolicy)?.mergeType ?? .errorMergePolicyType
        constraints =
            policy == .errorMergePolicyType
            ? [] : layout.allUniquenessConstraints.map { names in names.compactMap { layout.slot(named: $0) } }
    }

    /// Writes all rows.
    func run() throws {
        if let dictionaries = request.objectsToInsert {
            for dictionary in dictionaries { try add { try self.read(dictionary, into: &$0) } }
        } else if let handler = request.dictionaryHandler {
            let dictionary = BatchDictionary(layout)
            while !handler(dictionary) {
                try add { try self.read(dictionary, into: &$0) }
                dictionary.removeAllObjects()
            }
        } else if let handler = request.managedObjectHandler {
            while try addObject(handler) {}
        } else {
            throw CoreDataError.make(
                NSCoreDataError,
                "The batch insert of \(layout.name) has nothing to insert.",
                remedy: "Give it dictionaries, a dictionary handler or a managed object handler."
            )
        }
        try write()
    }

    /// Records rows that have received new values, after they are committed.
    func noteReplaced() {
        let entity = Int32(truncatingIfNeeded: layout.index)
        operation.note(replaced.lazy.map { ObjectKey(entity: entity, store: self.store.index, primaryKey: $0) })
    }

    // MARK: Rows

    private typealias Row = (values: ContiguousArray<Value>, set: SlotSet)

    private func add(_ fill: (inout Row) throws -> Void) throws {
        var row: Row = (ContiguousArray(layout.defaults), SlotSet())
        try fill(&row)
        if !layout.derivedSlots.isEmpty {
            let object = scratchObject()
            let edits = object.prepareToChange(layout.derivedSlots[0])
            let values = edits.table.all
            for slot in values.indices { values[slot] = row.values[slot] }
            object.derive()
            for slot in values.indices where !values[slot].isAbsent { row.values[slot] = values[slot] }
        }
        try row.values.withUnsafeBufferPointer { try append($0, row.set) }
    }

    private func read(_ dictionary: [String: Any], into row: inout Row) throws {
        for (name, value) in dictionary { try set(layout.batchSlot(name), value, in: &row) }
    }

    private func read(_ dictionary: BatchDictionary, into row: inout Row) throws {
        try dictionary.eachEntry { slot, name, value in try set(slot ?? layout.batchSlot(name), value, in: &row) }
    }

    @inline(__always)
    private func set(_ slot: Int, _ value: Any, in row: inout Row) throws {
        row.values[slot] = try layout.batchValue(value, for: slot, in: store)
        row.set.insert(slot)
    }

    /// Adds one object of the handler; returns false if the handler has no more.
    private func addObject(_ handler: (NSManagedObject) -> Bool) throws -> Bool {
        let object = handedObject()
        if handler(object) { return false }
        guard object.registry == nil else {
            throw CoreDataError.make(
                NSCoreDataError,
                "The object of a batch insert of \(layout.name) was related to an object of a context.",
                remedy: "Insert dictionaries, with the identifiers of the objects that relationships lead to."
            )
        }
        if !layout.derivedSlots.isEmpty { object.derive() }
        guard let edits = object.edits else { return true }
        try object.checkRefusals(edits)
        let values = edits.table.all
        for slot in layout.toOneSlots {
            guard case .object(let destination) = values[slot] else { continue }
            values[slot] = try layout.batchValue(destination, for: slot, in: store)
        }
        try append(UnsafeBufferPointer(values), edits.changed)
        return true
    }

    /// An object without a context with the entity's defaults: the last one, unless the handler has kept it.
    private func handedObject() -> NSManagedObject {
        if isKnownUniquelyReferenced(&scratch), let scratch, let edits = scratch.edits {
            edits.changed.removeAll()
            edits.forgetEvent()
            let values = edits.table.all
            layout.defaults.withUnsafeBufferPointer { defaults in
                for slot in values.indices { values[slot] = defaults[slot] }
            }
            return scratch
        }
        let object = scratchObject()
        object.setDefaults()
        // Mark the object as new in its event, so that no former values are kept.
        object.state.formUnion([.inserted, .pendingInsert])
        scratch = object
        return object
    }

    /// An object without a context, of the entity's class.
    private func scratchObject() -> NSManagedObject {
        layout.objectClass.init(entity: layout.entity, insertInto: nil)
    }

    // MARK: Writing

    /// Adds a row's values.
    private func append(_ values: UnsafeBufferPointer<Value>, _ set: SlotSet) throws {
        if !constraints.isEmpty {
            // An existing row can be among the rows collected.
            try write()
            if let key = try existing(values) { return try settle(values, set, over: key) }
        }
        if collected == rows.inserts.count {
            rows.inserts.append(RowOperation(layout: layout.stored, primaryKey: 0, version: 0, values: []))
        }
        try layout.store(values, in: &rows.inserts[collected].values)
        collected += 1
        if collected == portion { try write() }
    }

    private func write() throws {
        guard collected > 0 else { return }
        rows.inserts.removeLast(rows.inserts.count - collected)
        let fresh = try session.reserveKeys(tree: layout.tree, count: collected)
        for range in fresh {
            if let last = reserved.last, last.upperBound + 1 == range.lowerBound {
                reserved[reserved.count - 1] = last.lowerBound...range.upperBound
            } else {
                reserved.append(range)
            }
        }
        for (place, key) in zip(rows.inserts.indices, fresh.joined()) {
            rows.inserts[place].primaryKey = key
            if needsKeys { keys.append(ObjectKey(entity: Int32(layout.index), store: store.index, primaryKey: key)) }
        }
        try session.insert(rows)
        count += collected
        collected = 0
    }

    /// The key of a row with the same values for a uniqueness constraint.
    private func existing(_ values: UnsafeBufferPointer<Value>) throws -> ObjectKey? {
        let values = try layout.stored(values)
        for constraint in constraints {
            if let key = try session.key(layout: layout.stored, slots: constraint, values: values) { return key }
        }
        return nil
    }

    /// Resolves the conflict with an existing row by the context's merge policy.
    private func settle(_ values: UnsafeBufferPointer<Value>, _ set: SlotSet, over key: ObjectKey) throws {
        switch policy {
        case .mergeByPropertyStoreTrumpMergePolicyType, .rollbackMergePolicyType:
            return
        case .overwriteMergePolicyType:
            var all = SlotSet()
            for slot in layout.slots.indices where layout.slots[slot].isStored && layout.slots[slot].kind != .toMany {
                all.insert(slot)
            }
            try update(key, values, all)
        default:
            try update(key, values, set)
        }
        // A row that this request has inserted is counted already.
        if reserved.contains(where: { $0.contains(key.primaryKey) }) { return }
        guard replaced.insert(key.primaryKey).inserted else { return }
        count += 1
        if needsKeys { keys.append(key) }
    }

    private func update(_ key: ObjectKey, _ values: UnsafeBufferPointer<Value>, _ slots: SlotSet) throws {
        var changes = StoreChanges()
        changes.updates = [
            RowOperation(
                layout: layout.stored,
                primaryKey: key.primaryKey,
                version: RowOperation.anyVersion,
                values: try layout.stored(values, slots),
                slots: slots
            )
        ]
        _ = try session.write(changes)
    }
}
