// Executes an NSBatchInsertRequest: rows from dictionaries or from scratch objects, some hundreds at a time, in one
// transaction. Under a merge policy that resolves conflicts, each row is looked up by its unique values first: one by
// one, or some thousands at a time (UpsertPlan) if each look-up is a round trip.
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
        let (store, batch) = try operation.writing { () throws -> (any RowStore, BatchInsert) in
            let stores = try operation.writableStores(self)
            // A save puts new objects of the entity in the same store.
            let candidates = operation.coordinator.storesForNewObjects(of: operation.layout)
            let store = stores.first { store in candidates.contains { $0 === store } } ?? stores[0]
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
            return (store, batch)
        }
        batch.noteReplaced()
        let (keys, count) = (batch.keys, batch.count)
        lazy var identifiers = keys.map { operation.identifier($0, store) }
        if mergesIntoContexts {
            var changes = SavedChanges()
            for (identifier, key) in zip(identifiers, keys) {
                if batch.replaced.contains(key.primaryKey) {
                    changes.updated.append(identifier)
                } else {
                    changes.inserted.append(identifier)
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
    /// Rows whose unique values have not been looked up; always empty if the engine looks rows up one by one.
    private var waiting: [UpsertRow] = []
    /// The number of rows that the engine looks up at a time.
    private let lookedUpAtOnce: Int
    /// The number of rows that are looked up next: few after one that had to be written by itself.
    private var lookupSize: Int
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
        lookedUpAtOnce = min(session.lookedUpAtOnce, session.insertedAtOnce)
        lookupSize = lookedUpAtOnce
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
        try settleWaiting()
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
        try dictionary.eachEntry { slot, value in
            row.values[slot] = value
            row.set.insert(slot)
        } convert: { slot, name, value in
            try set(slot ?? layout.batchSlot(name), value, in: &row)
        }
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
        guard constraints.isEmpty else {
            let row = UpsertRow(values: try layout.stored(values), set: set)
            guard lookedUpAtOnce > 1 else { return try appendAlone(row) }
            waiting.append(row)
            if waiting.count == lookedUpAtOnce { try settleWaiting() }
            return
        }
        makeRoom()
        try layout.store(values, in: &rows.inserts[collected].values)
        collected += 1
        if collected == portion { try write() }
    }

    /// Makes `rows` longer if no row is kept for reuse.
    private func makeRoom() {
        guard collected == rows.inserts.count else { return }
        rows.inserts.append(RowOperation(layout: layout.stored, primaryKey: 0, version: 0, values: []))
    }

    /// Adds the values of a new row.
    private func collect(_ values: ContiguousArray<RowValue>) {
        makeRoom()
        rows.inserts[collected].values = values
        collected += 1
    }

    /// Writes the collected rows, and notes their keys unless they have to be in order with others.
    private func write(notesKeys: Bool = true) throws {
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
            if notesKeys { noteInserted(key) }
        }
        try session.insert(rows)
        count += collected
        collected = 0
    }

    private func noteInserted(_ key: Int64) {
        if needsKeys { keys.append(ObjectKey(entity: Int32(layout.index), store: store.index, primaryKey: key)) }
    }

    /// Notes a row that has received new values.
    private func noteReplaced(_ key: ObjectKey) {
        // A row that this request has inserted is counted already.
        if reserved.contains(where: { $0.contains(key.primaryKey) }) { return }
        guard replaced.insert(key.primaryKey).inserted else { return }
        count += 1
        if needsKeys { keys.append(key) }
    }

    // MARK: Unique values

    /// Writes the waiting rows, with the result of writing each before the next one is looked up.
    private func settleWaiting() throws {
        var rest = waiting[...]
        waiting = []
        while !rest.isEmpty {
            let portion = rest.prefix(lookupSize)
            let settled = try settle(portion)
            rest = rest.dropFirst(settled)
            guard settled < portion.count, let row = rest.popFirst() else {
                lookupSize = min(2 * lookupSize, lookedUpAtOnce)
                continue
            }
            // The unique values of the rows after it have to be looked up again.
            try appendAlone(row)
            try write()
            lookupSize = 1
        }
    }

    /// Writes rows up to the first one that must be written by itself; returns their number.
    private func settle(_ portion: ArraySlice<UpsertRow>) throws -> Int {
        var plan = UpsertPlan(policy, constraints: constraints, allSlots: writtenSlots) { [self] values, slots in
            UniqueValues(try slots.map { try session.stored(values[$0], layout: layout.stored, slot: $0) })
        }
        let storedKeys = try session.keys(layout: layout.stored, constraints: constraints, rows: portion.map(\.values))
        for (constraint, keys) in storedKeys.enumerated() {
            for (key, row) in zip(keys, portion) { if let key { try plan.note(key, constraint, row) } }
        }
        var settled = 0
        for row in portion {
            guard try plan.add(row) else { break }
            settled += 1
        }
        try write(plan)
        return settled
    }

    private func write(_ plan: UpsertPlan) throws {
        // Adjacent rows with the same slots are written by one statement.
        var groups: [(slots: SlotSet, updates: [RowOperation])] = []
        for (key, row) in plan.updates {
            let update = makeUpdate(row, over: key)
            if let group = groups.firstIndex(where: { $0.slots == row.set }) {
                groups[group].updates.append(update)
            } else {
                groups.append((row.set, [update]))
            }
        }
        var changes = StoreChanges()
        changes.updates = groups.flatMap(\.updates)
        // Updates first: the unique values that they remove can be those of new rows.
        if !changes.updates.isEmpty { _ = try session.write(changes) }
        for row in plan.inserts { collect(row.values) }
        try write(notesKeys: false)
        for target in plan.order {
            switch target {
            case .new(let place): noteInserted(rows.inserts[place].primaryKey)
            case .stored(let key): noteReplaced(key)
            }
        }
    }

    /// Adds a row after those before it were written, among which one with its unique values can be.
    private func appendAlone(_ row: UpsertRow) throws {
        try write()
        if let key = try existing(row.values) { return try settle(row, over: key) }
        collect(row.values)
    }

    /// The key of a row with the same values for a uniqueness constraint.
    private func existing(_ values: ContiguousArray<RowValue>) throws -> ObjectKey? {
        for constraint in constraints {
            if let key = try session.key(layout: layout.stored, slots: constraint, values: values) { return key }
        }
        return nil
    }

    /// Resolves the conflict with an existing row by the context's merge policy.
    private func settle(_ row: UpsertRow, over key: ObjectKey) throws {
        var row = row
        switch policy {
        case .mergeByPropertyStoreTrumpMergePolicyType, .rollbackMergePolicyType: return
        case .overwriteMergePolicyType: row.set = writtenSlots
        default: break
        }
        var changes = StoreChanges()
        changes.updates = [makeUpdate(row, over: key)]
        _ = try session.write(changes)
        noteReplaced(key)
    }

    /// The slots that rows have values for.
    private var writtenSlots: SlotSet {
        var result = SlotSet()
        for slot in layout.slots.indices where layout.slots[slot].isStored && layout.slots[slot].kind != .toMany {
            result.insert(slot)
        }
        return result
    }

    /// Writes the set values of a row over those of another one.
    private func makeUpdate(_ row: UpsertRow, over key: ObjectKey) -> RowOperation {
        RowOperation(
            layout: layout.stored,
            primaryKey: key.primaryKey,
            version: RowOperation.anyVersion,
            values: row.values,
            slots: row.set
        )
    }
}
