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
        let batch = try operation.transaction(store) { session in
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
    /// Rows that are collected before they are written: few enough to stay in the processor's cache.
    private static var chunk: Int { 256 }

    private let operation: BatchOperation
    private let store: any RowStore
    private let session: any BatchWriteSession
    /// Rows that were there already and took on new values.
    private(set) var replaced: Set<Int64> = []
    private let request: NSBatchInsertRequest
    private let layout: ObjectLayout
    private let policy: NSMergePolicyType
    /// What makes a row one that is there already, where the merge policy has an answer to that.
    private let constraints: [[Int]]
    /// Rows that wait to be written, `collected` of them; those behind keep their memory for the rows to come.
    @exclusivity(unchecked) private var rows = StoreChanges()
    @exclusivity(unchecked) private var collected = 0
    private(set) var count = 0
    /// The keys of all rows, where somebody asks for them.
    private(set) var keys: [ObjectKey] = []
    private let needsKeys: Bool
    /// The object that the handler gets each time, unless it keeps it.
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

    /// Notes rows that have taken on new values, once they are committed.
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
            edits.values = row.values
            object.derive()
            row.values = filled(edits.values)
        }
        try append(row)
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

    /// Takes one object of the handler; false where it says that there is none left.
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
        // The values change places with those of a row that was written: no memory is taken for a row.
        var row: Row = ([], edits.changed)
        swap(&row.values, &edits.values)
        for slot in layout.toOneSlots {
            guard case .object(let destination) = row.values[slot] else { continue }
            row.values[slot] = try layout.batchValue(destination, for: slot, in: store)
        }
        try append(row)
        swap(&row.values, &edits.values)
        return true
    }

    /// An object without a context with the defaults of the entity: the last one, where nobody has kept it.
    private func handedObject() -> NSManagedObject {
        if isKnownUniquelyReferenced(&scratch), let scratch, let edits = scratch.edits {
            edits.changed.removeAll()
            edits.forgetEvent()
            if edits.values.count == layout.defaults.count {
                layout.defaults.withUnsafeBufferPointer { defaults in
                    edits.values.withUnsafeMutableBufferPointer { values in
                        for slot in values.indices { values[slot] = defaults[slot] }
                    }
                }
            } else {
                edits.values = ContiguousArray(layout.defaults)
            }
            return scratch
        }
        let object = scratchObject()
        object.setDefaults()
        // As an object that is new in its event: nothing of what was before a change has to be kept.
        object.state.formUnion([.inserted, .pendingInsert])
        scratch = object
        return object
    }

    /// An object without a context, of the entity's class.
    private func scratchObject() -> NSManagedObject {
        layout.objectClass.init(entity: layout.entity, insertInto: nil)
    }

    /// Values of an object, with the defaults of those that it does not have.
    private func filled(_ values: ContiguousArray<Value>) -> ContiguousArray<Value> {
        guard values.count == layout.defaults.count else { return ContiguousArray(layout.defaults) }
        var values = values
        for slot in values.indices where values[slot].isAbsent { values[slot] = layout.defaults[slot] }
        return values
    }

    // MARK: Writing

    /// Takes a row's values.
    private func append(_ row: Row) throws {
        if !constraints.isEmpty {
            // One that is there may be of the rows collected.
            try write()
            if let key = try existing(row) { return try settle(row, over: key) }
        }
        if collected == rows.inserts.count {
            rows.inserts.append(RowOperation(layout: layout.stored, primaryKey: 0, version: 0, values: []))
        }
        try layout.store(row.values, in: &rows.inserts[collected].values)
        collected += 1
        if collected == Self.chunk { try write() }
    }

    private func write() throws {
        guard collected > 0 else { return }
        rows.inserts.removeLast(rows.inserts.count - collected)
        let range = try session.reserveKeys(tree: layout.tree, count: collected)
        for (place, key) in zip(rows.inserts.indices, range) {
            rows.inserts[place].primaryKey = key
            if needsKeys { keys.append(ObjectKey(entity: Int32(layout.index), store: store.index, primaryKey: key)) }
        }
        _ = try session.write(rows)
        count += collected
        collected = 0
    }

    /// A row that has the same values where these must be unique.
    private func existing(_ row: Row) throws -> ObjectKey? {
        let values = try layout.stored(row.values)
        for constraint in constraints {
            if let key = try session.key(layout: layout.stored, slots: constraint, values: values) { return key }
        }
        return nil
    }

    /// A row meets one that is there: the context's merge policy decides which values there are then.
    private func settle(_ row: Row, over key: ObjectKey) throws {
        switch policy {
        case .mergeByPropertyStoreTrumpMergePolicyType, .rollbackMergePolicyType:
            return
        case .overwriteMergePolicyType:
            var all = SlotSet()
            for slot in layout.slots.indices where layout.slots[slot].isStored && layout.slots[slot].kind != .toMany {
                all.insert(slot)
            }
            try update(key, row.values, all)
        default:
            try update(key, row.values, row.set)
        }
        guard replaced.insert(key.primaryKey).inserted else { return }
        count += 1
        if needsKeys { keys.append(key) }
    }

    private func update(_ key: ObjectKey, _ values: ContiguousArray<Value>, _ slots: SlotSet) throws {
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
