// Replaces one store by another, of any types. Registered objects keep their keys, so contexts continue to work with
// the new store. Created by migratePersistentStore.
import Foundation
import GraphEngine
import GraphSQL
import GraphSQLite

/// The move of a store's content into a new store.
struct StoreMove {
    private let coordinator: NSPersistentStoreCoordinator
    private let old: any RowStore
    private let new: any RowStore
    /// Called with the number of rows copied so far, if rows are copied one by one; if it throws, the move fails.
    var progress: (Int) throws -> Void = { _ in }

    init(_ coordinator: NSPersistentStoreCoordinator, from old: any RowStore, to new: any RowStore) {
        self.coordinator = coordinator
        self.old = old
        self.new = new
    }

    /// Throws if a file is at the new store's location.
    func checkPlace() throws {
        guard !new.isInMemory, let url = new.url, url.isFileURL, try url.fileIsThere(), !isVacant(url) else { return }
        throw CoreDataError.cannotOpen(
            url,
            reason: "a file is there already",
            remedy: "Choose another place, or destroy the store there first."
        )
    }

    /// Fills the new store and replaces the old one; on failure, the old store is unchanged.
    func run() throws {
        // Another store may have been moved there since.
        try checkPlace()
        try coordinator.writeGate.withoutWrites {
            if let database = new as? any DatabaseStore {
                try fill(database)
            } else {
                guard let destination = new as? any MoveDestination else { throw CoreDataError.cannotBeFilled(new) }
                try destination.receive(self)
            }
            if coordinator.rowStore(at: old.index) === old { coordinator.substitute(new, for: old) }
        }
        old.willRemove(from: coordinator)
        old.retire()
        old.leaveCoordinator()
        new.didAdd(to: coordinator)
    }

    /// Whether the file is empty or that of a destroyed store, so that a new SQLite store can replace it.
    private func isVacant(_ url: URL) -> Bool {
        new is any DatabaseFileStore && StoreFile.inspect(url.path).isVacant
    }

    private func fill(_ new: any DatabaseStore) throws {
        let user = (old.metadata ?? [:]).filter { !StoreMetadata.isReserved($0.key) }
        let model = coordinator.compiledModel
        try new.create(model, identifier: old.identifier ?? UUID().uuidString, userMetadata: user)
        do {
            // A program's own store answers fetches of objects only.
            let transfer = old is NSIncrementalStore ? try transferStore() : nil
            defer { transfer?.close() }
            try StoreFill(model: model, source: transfer ?? old, target: new, progress: progress).run()
        } catch {
            new.discard()
            throw error
        }
    }

    // MARK: Into tables

    func fill(_ new: SQLiteStore) throws {
        let model = coordinator.compiledModel
        switch old.database {
        case let rows? where old is any DatabaseFileStore:
            try new.takeCopy(of: rows, model)
            try removingOnFailure(new) { try new.open(model, filledFrom: rows) }
            takeUnsavedMetadata(new)
        case let rows?:
            try open(new, filledFrom: rows)
        case nil where old is any DatabaseStore && !new.isInMemory:
            try fillInPortions(new, model)
        case nil:
            let store = try transferStore()
            defer { store.close() }
            try open(new, filledFrom: store.database)
        }
    }

    /// Gives a copy of the old file the metadata that were set since the last save, for the next one to write.
    private func takeUnsavedMetadata(_ new: NSPersistentStore) {
        let unsaved = old.metadataLock.withLock { old.hasMetadataChanges ? old.metadata : nil }
        guard let unsaved else { return }
        let user = unsaved.filter { !StoreMetadata.isReserved($0.key) }
        new.metadata = (new.metadata ?? [:]).filter { StoreMetadata.isReserved($0.key) }.merging(user) { $1 }
    }

    /// Copies the rows of a database, which may be more than fit into memory.
    private func fillInPortions(_ new: SQLiteStore, _ model: CompiledModel) throws {
        do {
            try new.url?.makeFolderOfStore()
            try new.open(model)
            try StoreFill(model: model, source: old, target: new, progress: progress).run()
            try new.mapErrors {
                try new.database?.prepareToBeCopied(
                    identifier: old.identifier,
                    metadata: old.metadata ?? [:],
                    storeType: NSSQLiteStoreType
                )
            }
            // Opened again, the store has the identity that is now in its file.
            new.close()
            try new.open(model)
        } catch {
            new.close()
            if let url = new.url { try? SQLiteStore.removeFiles(at: url, isForced: true) }
            throw error
        }
    }

    /// The old store's objects as rows in memory.
    private func transferStore() throws -> TransferStore {
        let store = TransferStore(
            persistentStoreCoordinator: coordinator,
            configurationName: configuration,
            at: URL(filePath: "/dev/null"),
            options: nil
        )
        // Objects have no values without their context.
        let (objects, context) = try readObjects()
        try context.performAndWait { () throws in
            // A value that cannot be read must not become a missing one.
            try context.throwingFailedReads { try store.open(coordinator.compiledModel, objects: objects) }
        }
        return store
    }

    private var configuration: String? {
        old.configurationName == NSPersistentStoreCoordinator.defaultConfiguration ? nil : old.configurationName
    }

    /// Opens a store with the rows of an in-memory one and with the old store's identity.
    private func open(_ new: SQLiteStore, filledFrom rows: SQLiteEngine?) throws {
        guard let rows else { throw CoreDataError.unknownType(old.type) }
        try old.mapErrors {
            try rows.prepareToBeCopied(
                identifier: old.identifier,
                metadata: old.metadata ?? [:],
                storeType: NSSQLiteStoreType
            )
        }
        // A file that was in the way of the copy is not ours to remove.
        try new.takeCopy(of: rows, coordinator.compiledModel)
        try removingOnFailure(new) {
            try new.open(coordinator.compiledModel, filledFrom: rows)
            try new.mapErrors { try new.database?.addConstraints(notIn: rows) }
        }
    }

    /// Runs `body`, and removes the new store if it fails, so that the move can be retried.
    private func removingOnFailure(_ new: SQLiteStore, _ body: () throws -> Void) throws {
        do {
            try body()
        } catch {
            new.close()
            if !new.isInMemory, let url = new.url { try? SQLiteStore.removeFiles(at: url, isForced: true) }
            throw error
        }
    }

    // MARK: Into a custom store

    /// All objects of the old store, with all their stored values loaded, and the context that owns them.
    private func readObjects() throws -> (objects: [NSManagedObject], context: NSManagedObjectContext) {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        context.isAuxiliary = true
        context.retainsRegisteredObjects = true
        let objects = try context.performAndWait { () throws -> [NSManagedObject] in
            var objects: [NSManagedObject] = []
            for tree in coordinator.compiledModel.trees where coordinator.holds(old, tree) {
                let request = NSFetchRequest<NSManagedObject>(entityName: tree.rootName)
                request.affectedStores = [old]
                objects += try context.fetch(request)
            }
            try context.throwingFailedReads {
                for object in objects {
                    if object.isFault { object.fire() }
                    object.holdWholeRow()
                }
            }
            return objects
        }
        return (objects, context)
    }

    func fill(_ new: NSAtomicStore) throws {
        let (objects, context) = try readObjects()
        new.isNewInPlaceOfAnother = true
        defer { new.isNewInPlaceOfAnother = false }
        try new.open(coordinator.compiledModel)
        let fresh = new.database?.metadata ?? [:]
        do {
            takeIdentity(new)
            new.takeModel(fresh)
            try apart(context) {
                for object in objects {
                    new.references?.note(
                        new.newReferenceObject(for: object),
                        key: object.key.primaryKey,
                        tree: object.layout.tree.rootName,
                        entity: object.layout.name
                    )
                }
                try new.take(
                    SavedObjects(context: context, inserted: objects, updated: [], deleted: [], locked: [])
                )
                new.changes = NodeChanges()
                var rows = NodeRows(new, coordinator.compiledModel)
                rows.versions = NSAtomicStore.versions(of: objects)
                try rows.fill()
                // Before the file is written: a value that could not be read must not be missing in it.
                try context.throwFailedRead()
                try new.save()
            }
        } catch {
            new.close()
            // The old store goes on with its own references, also in coordinators that open it from now on.
            if let references = old.references { ReferenceMap.adopt(references, old.identifier ?? "") }
            throw error
        }
        new.hasMetadataChanges = false
    }

    func fill(_ new: NSIncrementalStore) throws {
        let (objects, context) = try readObjects()
        try new.open(coordinator.compiledModel)
        // The class may identify the store by its own UUID.
        let map = ReferenceMap()
        try apart(context) {
            for object in objects {
                let identifiers = try new.obtainPermanentIDs(for: [object])
                guard let identifier = identifiers.first, identifiers.count == 1 else {
                    throw CoreDataError.make(
                        NSPersistentStoreSaveError,
                        "The new store has given an object no identifier."
                    )
                }
                map.note(
                    new.referenceObject(for: identifier),
                    key: object.key.primaryKey,
                    tree: object.layout.tree.rootName,
                    entity: object.layout.name
                )
            }
            new.references = map
            ReferenceMap.adopt(map, new.identifier ?? "")
            new.renewLink()
            _ = try new.execute(
                NSSaveChangesRequest(inserted: Set(objects), updated: [], deleted: [], locked: []),
                with: context
            )
            try context.throwFailedRead()
        }
    }

    /// Runs `body` with the new store in a coordinator of its own, in which `context` has the old objects: while it is
    /// filled, the contexts of the coordinator read the old store.
    private func apart(_ context: NSManagedObjectContext, _ body: () throws -> Void) throws {
        let workshop = NSPersistentStoreCoordinator(managedObjectModel: coordinator.managedObjectModel)
        workshop.hold(new, at: old.index)
        context.persistentStoreCoordinator = workshop
        defer {
            context.persistentStoreCoordinator = coordinator
            workshop.giveUp(new)
        }
        try context.performAndWait { () throws in try context.collectingFailedReads(body) }
    }

    /// Gives the new store the old one's UUID and user-defined metadata.
    private func takeIdentity(_ new: NSAtomicStore) {
        let identifier = old.identifier ?? UUID().uuidString
        new.identifier = identifier
        new.references = ReferenceMap.renewed(identifier)
        new.metadata = coordinator.metadata(for: old).filter { !StoreMetadata.isReserved($0.key) }
    }
}

extension CoreDataError {
    /// The store's type can only be filled by saves: 134000.
    fileprivate static func cannotBeFilled(_ store: NSPersistentStore) -> NSError {
        make(
            NSPersistentStoreInvalidTypeError,
            "Another store cannot be migrated to a store of the type \(store.type).",
            remedy: "Add the new store to a coordinator, and save copies of the objects in it."
        )
    }
}

extension NSAtomicStore {
    /// The versions of objects, which contexts have read: with others, their next saves would find conflicts.
    static func versions(of objects: [NSManagedObject]) -> [NodeKey: Int64] {
        Dictionary(objects.map { (NodeKey($0.objectID), $0.version) }) { first, _ in first }
    }
}

extension NSManagedObject {
    /// Copies all stored values into the object itself, so that it no longer reads from a store.
    fileprivate func holdWholeRow() {
        let edits = ensureEdits()
        for (slot, description) in layout.slots.enumerated() where description.isStored {
            switch description.kind {
            case .attribute: if edits.values[slot].isAbsent { edits.values[slot] = currentValue(slot) }
            case .toMany: _ = toManyMembers(slot)
            case .toOne: _ = toOneObject(slot)
            case .fetched: continue
            }
        }
    }
}
