// The common parts of the three batch requests: the entity, the stores, one transaction for each, and notifications.
// Passes values to the stores, never objects.
import Foundation
import GraphEngine
import GraphSQL

/// A batch request in progress.
struct BatchOperation {
    let context: NSManagedObjectContext
    let coordinator: NSPersistentStoreCoordinator
    let layout: ObjectLayout
    /// Determined before a transaction begins, because a child enters the queues of its ancestors.
    private let origin: SaveOrigin

    /// Finds the entity in the model of the context's coordinator.
    init(_ entityName: String, in context: NSManagedObjectContext) throws {
        self.context = context
        origin = context.rootOrigin
        coordinator = try context.requireCoordinator()
        guard !entityName.isEmpty else {
            throw CoreDataError.make(
                NSCoreDataError,
                "The batch request has no entity.",
                remedy: "Make it with the name of an entity."
            )
        }
        layout = try coordinator.compiledModel.layout(named: entityName)
    }

    /// Runs `body`, which finds the stores of a request and writes to them: no move replaces a store meanwhile.
    ///
    /// Contexts must be notified afterwards, as one of them may be waiting for a move.
    func writing<R>(_ body: () throws -> R) rethrows -> R { try coordinator.writeGate.writing(body) }

    /// The writable stores of a request that hold the entity.
    func writableStores(_ request: NSPersistentStoreRequest) throws -> [any RowStore] {
        let candidates = coordinator.rowStores(for: layout, among: request.affectedStores)
        let stores = candidates.filter { !$0.isReadOnly }
        if let store = stores.first(where: { $0 is any ObjectStore }) { throw CoreDataError.noBatches(store) }
        guard stores.isEmpty else { return stores }
        if !candidates.isEmpty { throw CoreDataError.readOnly(candidates) }
        throw CoreDataError.make(
            NSPersistentStoreOperationError,
            "No writable store contains the entity \(layout.name).",
            remedy: "Add such a store to the coordinator, or check the request's affectedStores."
        )
    }

    /// Runs `body` in one transaction of a store, which writes everything or nothing.
    ///
    /// If the store rolls the transaction back in favour of another one, `body` is run again unless it cannot be repeated.
    func transaction<R>(
        _ store: any RowStore,
        _ cause: @autoclosure () -> StoreActivity.Cause,
        isRepeatable: Bool = true,
        _ body: (any BatchWriteSession) throws -> R
    ) throws -> R {
        var retry = CollisionRetry()
        while true {
            context.renewSnapshotsOfThread()
            do {
                return try context.observed(cause()) {
                    try store.writing(origin, for: context) { session in
                        guard let session = session as? any BatchWriteSession else {
                            throw CoreDataError.noBatches(store)
                        }
                        return try body(session)
                    }
                }
            } catch  where isRepeatable && retry.waits(after: error) {
                continue
            }
        }
    }

    /// The keys of the rows that a predicate finds in one store; read in the transaction that will change them.
    func keys(
        _ request: NSFetchRequest<NSManagedObjectID>,
        in store: any RowStore,
        _ session: any BatchWriteSession
    ) throws -> [ObjectKey] {
        request.resultType = .managedObjectIDResultType
        request.includesPendingChanges = false
        return try reading(in: store, session) { context in
            request.affectedStores = [store]
            return try context.keys(of: request)
        }
    }

    /// The rows of a request, for a session that changes them without reading their keys first.
    func storeFetch(
        _ request: NSFetchRequest<NSManagedObjectID>,
        in store: any RowStore,
        _ session: any BatchWriteSession
    ) throws -> StoreFetch {
        request.includesPendingChanges = false
        return try reading(in: store, session) { try FetchOperation(request, context: $0).fetch }
    }

    /// Fetches from one store; predicates that need objects are evaluated in a separate context.
    func fetch<T>(_ request: NSFetchRequest<T>, in store: any RowStore, _ session: any BatchWriteSession) throws -> [T]
    {
        try reading(in: store, session) { context in
            request.affectedStores = [store]
            return try context.fetch(request)
        }
    }

    /// Runs `body` with a separate context that reads one store in the transaction.
    private func reading<R>(
        in store: any RowStore,
        _ session: any BatchWriteSession,
        _ body: (NSManagedObjectContext) throws -> R
    ) throws -> R {
        let scratch = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        scratch.persistentStoreCoordinator = coordinator
        scratch.isAuxiliary = true
        scratch.sessions.add(session, of: store, isOfSave: true)
        return try scratch.onQueue { () throws in try body(scratch) }
    }

    func identifier(_ key: ObjectKey, _ store: any RowStore) -> NSManagedObjectID {
        NSManagedObjectID(layout: coordinator.compiledModel.layouts[Int(key.entity)], key: key, store: store)
    }

    /// Records changed rows, so that no fault is filled with values read before the change.
    func note(_ rows: some Sequence<ObjectKey>) {
        let layouts = coordinator.compiledModel.layouts
        coordinator.savedRows.note(
            rows.map { SavedRow(store: $0.store, tree: layouts[Int($0.entity)].tree.index, primaryKey: $0.primaryKey) }
        )
    }

    /// Merges the changes into the executing context and notifies all contexts that listen to saves.
    func notify(_ changes: SavedChanges) {
        guard !changes.isEmpty else { return }
        context.merge(changes)
        context.announce(changes)
    }
}

extension NSManagedObjectID {
    /// The key of a saved object in a store; nil if the object is of another store.
    ///
    /// Other coordinators, and the same one at another time, have the store under another index.
    ///
    /// - Parameters:
    ///   - layout: The layout of the object's entity in the model of the store's coordinator.
    ///   - store: The store.
    /// - Returns: The key with the index that the store has now.
    func key(of layout: ObjectLayout, in store: any RowStore) -> ObjectKey? {
        guard persistentStore === store || storeIdentifier == store.identifier else { return nil }
        return ObjectKey(layout.index, store: store.index, key.primaryKey)
    }
}

extension ObjectLayout {
    /// Converts a value for a property of a row, as given to a batch request by name or by description.
    func batchValue(_ input: Any, for slot: Int, in store: any RowStore) throws -> Value {
        let property = slots[slot]
        switch property.kind {
        case .attribute where property.isStored && property.derivation == nil:
            if let value = Value(input, as: property.type) { return value }
            // Optionals are unwrapped only if necessary, because the cast costs more than the conversion.
            guard let plain = flatten(input) else { return .null }
            if let value = Value(plain, as: property.type) { return value }
            throw Refusal(input, attribute: property).error(input, key: property.name, layout: self, object: nil)
        case .toOne:
            guard let input = flatten(input), !(input is NSNull) else { return .null }
            let objectID = (input as? NSManagedObject)?.objectID ?? input as? NSManagedObjectID
            if let identifier = objectID, !identifier.isTemporaryID, let layout = model.byName[identifier.layout.name],
                let destination = property.destination, layout.isKind(of: model.layouts[destination]),
                let key = identifier.key(of: layout, in: store)
            {
                return .reference(key)
            }
            throw CoreDataError.make(
                NSManagedObjectValidationError,
                "\(name).\(property.name) leads to another row: \(input) is none of its entity in the same store.",
                remedy: "Give the identifier of a saved object of the same store, or NSNull."
            )
        case .attribute, .toMany, .fetched:
            throw CoreDataError.make(
                NSManagedObjectValidationError,
                "\(name).\(property.name) cannot be written by a batch request: it has no column to set.",
                remedy: "Leave it out; to-many relationships are set by their inverse, or by objects of a context."
            )
        }
    }

    /// The slot of a property; throws an error that suggests the nearest name if there is none.
    func batchSlot(_ name: String) throws -> Int {
        if let slot = slot(named: name) { return slot }
        let names = slots.map(\.name).sorted()
        let near = NearestName.of(name, among: names).map { " Did you mean \($0)?" } ?? ""
        throw CoreDataError.make(
            NSCoreDataError,
            "\(self.name) has no property named \(name).\(near)",
            remedy: "Use one of: \(names.joined(separator: ", "))."
        )
    }
}
