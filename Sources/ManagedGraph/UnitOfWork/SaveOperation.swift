// A save, from changed objects to rows: collect, open transactions, assign keys, write, check, commit. Created by
// NSManagedObjectContext.save; passes values to the stores, never objects.
import Foundation
import GraphEngine

/// A save in progress.
final class SaveOperation {
    private let context: NSManagedObjectContext
    private let coordinator: NSPersistentStoreCoordinator
    let inserted: ContiguousArray<NSManagedObject>
    let updated: ContiguousArray<NSManagedObject>
    let deleted: ContiguousArray<NSManagedObject>
    /// The number of rows passed to a store at once.
    private static let chunk = 256
    /// The number of deleted rows passed to a store at once.
    private static let deletedChunk = 1024
    @exclusivity(unchecked) private var keys: KeyAssignment
    /// Values set by triggers.
    @exclusivity(unchecked) private(set) var derived: [DerivedValue] = []
    /// The numbers of the history transactions, by store.
    @exclusivity(unchecked) private var changeNumbers: [String: Int64] = [:]
    /// Rows that the save has updated or deleted.
    @exclusivity(unchecked) private var savedRows: [SavedRow] = []
    /// Destinations of new references that other writers may have deleted.
    @exclusivity(unchecked) private var destinations: [ObjectIdentifier: NSManagedObject] = [:]
    /// The latest time of such a deletion; nil if there was none.
    @exclusivity(unchecked) private(set) var deletedAt: Moment?
    /// The destination noted last: objects of a save often refer to the same one.
    @exclusivity(unchecked) private var lastDestination: NSManagedObject?
    /// Whether objects exchange unique values, so that all must be given up before any is taken.
    @exclusivity(unchecked) private var freesUniqueValues = false
    /// Whether updated and deleted rows are written one by one, because some of those written together are in conflict.
    @exclusivity(unchecked) private var writesOneByOne = false
    /// Whether the rows of all destinations are checked, because the store has rejected a reference to one.
    @exclusivity(unchecked) private var checksDestinations = false
    /// The changes collected for a store that takes whole saves.
    @exclusivity(unchecked) private var collected = StoreChanges()
    /// The versions that databases have given to the written rows, by store.
    @exclusivity(unchecked) private var rowVersions: [Int32: Int64] = [:]
    /// The changed slots of each updated object.
    @exclusivity(unchecked) private var changedSlots: [SlotSet] = []

    init(_ changes: SaveChanges, context: NSManagedObjectContext, coordinator: NSPersistentStoreCoordinator) {
        inserted = changes.inserted
        updated = changes.updated
        deleted = changes.deleted
        self.context = context
        self.coordinator = coordinator
        keys = KeyAssignment(context: context, coordinator: coordinator)
    }

    /// The version of an inserted or updated object's row after the save.
    func newVersion(of object: NSManagedObject) -> Int64 {
        if object.state.contains(.inserted) { return rowVersions[object.key.store] ?? 1 }
        guard object.edits?.isRowWritten == true else { return object.version }
        return rowVersions[object.key.store] ?? object.version + 1
    }

    /// The history position of the written stores after the save; nil if none of them tracks history.
    var changeToken: NSPersistentHistoryToken? {
        changeNumbers.isEmpty ? nil : NSPersistentHistoryToken(changeNumbers)
    }

    /// Writes all changes or none.
    ///
    /// Throws if a store rejects the changes, and `SaveConflicts` if a merge policy can resolve them; objects then have
    /// their former identifiers. Throws `IncompleteSave` if a store could not commit after others had.
    func run() throws {
        try prepare()
        var retry = CollisionRetry()
        while true {
            do {
                // The stores are found when no move can replace them before the commit.
                try coordinator.writeGate.writing { try attempt() }
                return coordinator.savedRows.note(savedRows)
            } catch is UnknownConflicts {
                writesOneByOne = true
            } catch  where retry.waits(after: error) {
                // The store has rolled back to let another transaction end; nothing was written.
            } catch let error as NSError
                where error.code == NSManagedObjectReferentialIntegrityError && !checksDestinations
            {
                checksDestinations = true
            } catch let error as NSError where error.code == NSManagedObjectConstraintMergeError && !freesUniqueValues {
                let conflicts = try ConstraintSearch(context, coordinator, inserted, updated, deleted).run()
                if !conflicts.isEmpty { throw SaveConflicts(list: conflicts) }
                // The values are unique once all rows are written: one was taken before its former row gave it up.
                freesUniqueValues = true
            }
            keys = KeyAssignment(context: context, coordinator: coordinator)
            (derived, savedRows, destinations) = ([], [], [:])
            (lastDestination, collected) = (nil, StoreChanges())
        }
    }

    /// Rows that were written together are in conflict; nothing was written.
    private struct UnknownConflicts: Error {}

    /// Checks refused values and derives attributes of the objects themselves, before any transaction begins.
    private func prepare() throws {
        try inserted.forEachUncounted { try prepare($0, isChanged: true) }
        try updated.forEachUncounted { object in
            try prepare(object, isChanged: object.hasPersistentChangedValues)
        }
        try context.throwFailedRead()
    }

    private func prepare(_ object: NSManagedObject, isChanged: @autoclosure () -> Bool) throws {
        guard try object.withEdits({ try object.checkRefusals($0) }) != nil else { return }
        if object.table.pointee.derives, isChanged() { object.derive() }
    }

    /// Makes one attempt to write all changes or none.
    private func attempt() throws {
        collectChangedSlots()
        let stores = try storesToWrite()
        // Reads after the save must see its result and the earlier saves of other writers.
        context.renewSnapshotsOfThread()
        var save: [SaveTransaction] = []
        var committedCount = 0
        defer { context.sessions.endSave() }
        do {
            let origin = SaveOrigin(author: context.transactionAuthor, contextName: context.name)
            for store in stores {
                let session = try store.beginSave(origin, for: context)
                save.append(SaveTransaction(store: store, session: session))
                context.sessions.add(session, of: store, isOfSave: true)
            }
            deletedAt =
                checksDestinations || save.contains(where: \.session.mayBeWrittenByOthers)
                ? .now : coordinator.savedRows.latestDeletion
            try keys.assign(in: save)
            for transaction in save {
                guard transaction.store.isObjectStore, let store = transaction.store as? any ObjectStore else {
                    continue
                }
                try store.take(objects(of: store), in: transaction.session)
            }
            for transaction in save { try write(to: transaction) }
            if !destinations.isEmpty { try checkDestinations(save) }
            try context.throwFailedRead()
            for transaction in save {
                derived += try commit(transaction)
                committedCount += 1
            }
            keys.publish()
        } catch {
            for transaction in save.dropFirst(committedCount) { transaction.session.rollback() }
            let committed = Set(save.prefix(committedCount).map(\.store.index))
            keys.revert(except: committed)
            guard !committed.isEmpty else { throw error }
            keys.publish()
            coordinator.savedRows.note(savedRows.filter { committed.contains($0.store) })
            throw IncompleteSave(committed: committed, stores: stores, error: error as NSError)
        }
    }

    /// Commits in one store; returns the values set by its triggers.
    private func commit(_ transaction: SaveTransaction) throws -> [DerivedValue] {
        let outcome = try transaction.run { try $0.commit() }
        if let number = outcome.historyNumber { changeNumbers[transaction.store.identifier ?? ""] = number }
        if let version = outcome.rowVersion {
            let index = transaction.store.index
            rowVersions[index] = version
            for place in savedRows.indices
            where savedRows[place].store == index && savedRows[place].version > SavedRow.deleted {
                savedRows[place].version = version
            }
        }
        return outcome.derived
    }

    /// The objects passed to a program's own store.
    private func objects(of store: any RowStore) -> SavedObjects {
        func part(_ objects: some Sequence<NSManagedObject>) -> [NSManagedObject] {
            objects.filter { $0.key.store == store.index }
        }
        let locked = context.checkedObjects.values.filter { $0.state.isDisjoint(with: [.inserted, .deleted, .gone]) }
        return SavedObjects(
            context: context,
            inserted: part(inserted),
            updated: part(updated.filter(\.hasPersistentChangedValues)),
            deleted: part(deleted.filter { !$0.state.contains(.inaccessible) }),
            locked: part(locked)
        )
    }

    /// Records the changed slots of each updated object, before other saves are locked out.
    ///
    /// To-many relationships are among them: they have no column, but a row has a new version if its members change, as
    /// with Apple's stores.
    private func collectChangedSlots() {
        changedSlots = []
        changedSlots.reserveCapacity(updated.count)
        var layout: ObjectLayout?
        var table: UnsafePointer<LayoutTable>?
        updated.forEachUncounted { object in
            if object.table != table { (table, layout) = (object.table, object.layout) }
            var slots = SlotSet()
            if let layout {
                object.withEdits { $0.changed }?.forEach { slot in
                    if layout.storedSlots.contains(slot), object.isReallyChanged(slot) { slots.insert(slot) }
                }
            }
            changedSlots.append(slots)
        }
    }

    // MARK: Steps

    private func storesToWrite() throws -> [any RowStore] {
        // Lists in place of sets: there are few stores.
        var indexes: [Int32] = []
        func note(_ index: Int32) { if !indexes.contains(index) { indexes.append(index) } }
        if !inserted.isEmpty { for store in try keys.prepare(inserted) { note(store.index) } }
        // Most objects are of the same store as the one before.
        var last: Int32 = -1
        for object in deleted where object.table.pointee.store != last {
            last = object.table.pointee.store
            if last >= 0 { note(last) }
        }
        var unchanged: [Int32] = []
        var (lastChanged, lastUnchanged) = (Int32(-1), Int32(-1))
        for (place, object) in updated.enumerated() {
            let store = object.table.pointee.store
            guard store >= 0 else { continue }
            if changedSlots[place].isEmpty {
                if store != lastUnchanged, !unchanged.contains(store) { unchanged.append(store) }
                lastUnchanged = store
            } else {
                if store != lastChanged { note(store) }
                lastChanged = store
            }
        }
        // Values that are set again, and transient ones, need no store that can be written.
        for store in unchanged where coordinator.rowStore(at: store)?.isReadOnly != true { note(store) }
        for object in context.checkedObjects.values where object.key.store >= 0 { note(object.key.store) }
        for store in coordinator.storesWithChangedMetadata { note(store.index) }
        indexes.sort()
        return try indexes.map { index in
            guard let store = coordinator.rowStore(at: index) else {
                throw CoreDataError.make(
                    NSPersistentStoreSaveError,
                    "The store of a changed object was removed from its coordinator.",
                    remedy: "Reset the context, or add the store again before saving."
                )
            }
            return store
        }
    }

    /// Writes rows in an order that lets a new object take a unique value from a deleted one, then relationships.
    private func write(to save: SaveTransaction) throws {
        var relations = StoreChanges()
        try writeChangedRows(to: save, &relations)
        try writeNewRows(to: save, &relations)
        if !relations.isEmpty { try write(relations, to: save) }
        guard save.session.takesWholeSaves else { return }
        let changes = collected
        collected = StoreChanges()
        let outcome = try save.run { try $0.write(changes) }
        if outcome.hasUnknownConflicts { throw UnknownConflicts() }
        if !outcome.conflicts.isEmpty { throw SaveConflicts(list: try conflicts(outcome, save)) }
    }

    /// Passes changes to the store, or collects them if it takes whole saves.
    private func pass(_ changes: StoreChanges, to save: SaveTransaction) throws -> StoreOutcome {
        guard save.session.takesWholeSaves else { return try save.run { try $0.write(changes) } }
        collected.append(changes)
        return StoreOutcome()
    }

    private func write(_ changes: StoreChanges, to save: SaveTransaction) throws {
        let outcome = try pass(changes, to: save)
        if !outcome.conflicts.isEmpty { throw SaveConflicts(list: try conflicts(outcome, save)) }
    }

    /// Inserts a few hundred rows at a time, so that collected values are still in the processor's cache when written.
    private func writeNewRows(to save: SaveTransaction, _ relations: inout StoreChanges) throws {
        guard !inserted.isEmpty else { return }
        let store = save.store
        var changes = StoreChanges()
        var count = 0
        changes.inserts.reserveCapacity(min(Self.chunk, inserted.count))
        try inserted.forEachUncounted(in: store.index) { _, object, layout, edits in
            if count == Self.chunk {
                try write(changes, to: save)
                count = 0
            }
            try checkDestinations(object, edits)
            // Operations already written are reused for the rows that follow, to save allocations.
            if count == changes.inserts.count {
                changes.inserts.append(RowOperation(layout: layout.stored, primaryKey: 0, version: 0, values: []))
            }
            try fill(&changes.inserts[count], object, layout, edits)
            count += 1
            try collectRelationships(of: object, edits, store, &relations)
        }
        changes.inserts.removeLast(changes.inserts.count - count)
        if count > 0 { try write(changes, to: save) }
    }

    @inline(__always)
    private func fill(
        _ operation: inout RowOperation,
        _ object: NSManagedObject,
        _ layout: ObjectLayout,
        _ edits: Edits
    ) throws {
        operation.layout = layout.stored
        operation.primaryKey = object.primaryKey
        try layout.store(UnsafeBufferPointer(edits.table.all), in: &operation.values)
    }

    /// Writes deletions, then updates, in chunks like insertions, then checks the rows that must be unchanged.
    ///
    /// Throws all conflicts together as `SaveConflicts`.
    private func writeChangedRows(to save: SaveTransaction, _ relations: inout StoreChanges) throws {
        var outcome = StoreOutcome()
        if !deleted.isEmpty { try writeDeletions(to: save, &outcome) }
        if !updated.isEmpty { try writeUpdates(to: save, &outcome, &relations) }
        if !context.checkedObjects.isEmpty { try check(to: save, &outcome) }
        if !outcome.conflicts.isEmpty { throw SaveConflicts(list: try conflicts(outcome, save)) }
    }

    private func writeDeletions(to save: SaveTransaction, _ outcome: inout StoreOutcome) throws {
        let index = save.store.index
        var changes = StoreChanges()
        changes.writesTogether = !writesOneByOne
        changes.deletes.reserveCapacity(min(Self.deletedChunk, deleted.count))
        try deleted.forEachUncounted { object in
            guard object.table.pointee.store == index, !object.state.contains(.inaccessible) else { return }
            savedRows.append(object.savedRow(version: SavedRow.deleted))
            changes.deletes.append(operation(object))
            guard changes.deletes.count == Self.deletedChunk else { return }
            outcome.conflicts += try writeTogether(changes, to: save)
            changes.deletes.removeAll(keepingCapacity: true)
        }
        if !changes.deletes.isEmpty { outcome.conflicts += try writeTogether(changes, to: save) }
    }

    /// Checks the rows that must be unchanged although they are not written.
    private func check(to save: SaveTransaction, _ outcome: inout StoreOutcome) throws {
        var changes = StoreChanges()
        for object in context.checkedObjects.values where object.key.store == save.store.index {
            guard object.state.isDisjoint(with: [.inserted, .deleted, .gone]), object.version > 0 else { continue }
            changes.checks.append(operation(object))
        }
        if !changes.checks.isEmpty { outcome.conflicts += try pass(changes, to: save).conflicts }
    }

    private func writeTogether(_ changes: StoreChanges, to save: SaveTransaction) throws -> [RowOperation] {
        let outcome = try pass(changes, to: save)
        if outcome.hasUnknownConflicts { throw UnknownConflicts() }
        return outcome.conflicts
    }

    private func writeUpdates(
        to save: SaveTransaction,
        _ outcome: inout StoreOutcome,
        _ relations: inout StoreChanges
    ) throws {
        let store = save.store
        var changes = StoreChanges()
        changes.freesUniqueValues = freesUniqueValues
        changes.writesTogether = !writesOneByOne
        // All values must be given up before the first is taken.
        let chunk = freesUniqueValues ? Int.max : Self.chunk
        var count = 0
        try updated.forEachUncounted(in: store.index) { place, object, layout, edits in
            if count == chunk {
                outcome.conflicts += try writeTogether(changes, to: save)
                count = 0
            }
            try checkDestinations(object, edits)
            let slots = changedSlots[place]
            edits.isRowWritten = !slots.isEmpty
            if !slots.isEmpty {
                let version = object.version
                savedRows.append(object.savedRow(version: version + 1))
                // Operations already written are reused for the rows that follow, to save allocations.
                if count == changes.updates.count { changes.updates.append(operation(object)) }
                try fill(&changes.updates[count], object, layout, edits, slots, version)
                count += 1
            }
            try collectRelationships(of: object, edits, store, &relations)
        }
        changes.updates.removeLast(changes.updates.count - count)
        if count > 0 { outcome.conflicts += try writeTogether(changes, to: save) }
    }

    /// An operation for an object's row as it was read; the values to write are added later.
    private func operation(_ object: NSManagedObject) -> RowOperation {
        RowOperation(
            layout: object.layout.stored,
            primaryKey: object.key.primaryKey,
            version: object.version,
            values: []
        )
    }

    @inline(__always)
    private func fill(
        _ operation: inout RowOperation,
        _ object: NSManagedObject,
        _ layout: ObjectLayout,
        _ edits: Edits,
        _ slots: SlotSet,
        _ version: Int64
    ) throws {
        if operation.layout !== layout.stored {
            operation.layout = layout.stored
            operation.values = []
            operation.slots = slots
        } else if operation.slots != slots {
            let former = operation.slots
            if !operation.values.isEmpty { former.forEach { operation.values[$0] = .null } }
            operation.slots = slots
        }
        operation.primaryKey = object.primaryKey
        operation.version = version
        try layout.store(edits, slots, in: &operation.values)
    }

    /// Throws if a relationship leads to another store or to an object that is not saved.
    private func checkDestinations(_ object: NSManagedObject, _ edits: Edits) throws {
        for slot in object.table.pointee.toOneSlots {
            guard case .object(let destination) = edits.values[slot] else { continue }
            if destination.key.store == object.key.store, destination.key.primaryKey > 0 {
                if let deletedAt { noteDestination(destination, deletedAt) }
                continue
            }
            if let error = object.danglingReference(slot, to: destination) { throw error }
            throw externalDestination(of: object, slot, destination)
        }
    }

    /// The error of a relationship that leads to an object of another store: 133010.
    func externalDestination(of object: NSManagedObject, _ slot: Int, _ destination: NSManagedObject) -> NSError {
        CoreDataError.make(
            NSManagedObjectExternalRelationshipError,
            "\(object.layout.name).\(object.layout.slots[slot].name) leads to an object of another store.",
            remedy: "Keep both objects in one store, or refer to the other by its URI.",
            userInfo: [NSAffectedObjectsErrorKey: [object, destination]]
        )
    }

    /// Records an object that other writers may have deleted since it was read.
    func noteDestination(_ destination: NSManagedObject, _ deletedAt: Moment) {
        if destination.state.contains(.inserted) || lastDestination === destination { return }
        if let batch = destination.snapshot, batch.readAt >= deletedAt { return }
        lastDestination = destination
        destinations[ObjectIdentifier(destination)] = destination
    }

    /// Finds objects that were deleted elsewhere since a relationship was set to them, and reports conflicts.
    private func checkDestinations(_ save: [SaveTransaction]) throws {
        var conflicts: [NSObject] = []
        for transaction in save {
            let groups = Dictionary(grouping: destinations.values.filter { $0.key.store == transaction.store.index }) {
                ObjectIdentifier($0.layout.tree)
            }
            for group in groups.values {
                for start in stride(from: 0, to: group.count, by: FaultPage.limit) {
                    conflicts += try missing(
                        group[start..<min(start + FaultPage.limit, group.count)],
                        in: transaction
                    )
                }
            }
        }
        if !conflicts.isEmpty { throw SaveConflicts(list: conflicts) }
    }

    private func missing(_ objects: ArraySlice<NSManagedObject>, in save: SaveTransaction) throws -> [NSObject] {
        guard let tree = objects.first?.layout.tree else { return [] }
        let rows = try save.run { try $0.rows(tree: tree, keys: objects.map(\.key.primaryKey)) }
        let presentKeys = Set((0..<rows.count).map { rows.integer(TreeLayout.primaryKeyColumn, $0) })
        return objects.filter { !presentKeys.contains($0.key.primaryKey) }.map {
            NSMergeConflict($0, version: $0.version, found: .gone, place: place(of: $0, version: SavedRow.deleted))
        }
    }

    /// The writer of a row with another version: a context of this coordinator, or another coordinator or process.
    private func place(of object: NSManagedObject, version: Int64) -> NSMergeConflict.Place {
        let saved = coordinator.savedRows.version(of: object.savedRow())
        return saved == version || saved == SavedRow.unknown ? .coordinator : .store
    }

    /// The conflicts with another writer: the objects, and their rows in the store.
    private func conflicts(_ outcome: StoreOutcome, _ save: SaveTransaction) throws -> [NSObject] {
        // Read once for each table.
        var rows: [Int: [Int64: CommittedRow]] = [:]
        for (tree, group) in Dictionary(grouping: outcome.conflicts, by: { $0.layout.tree.index }) {
            let batch = try save.run { try $0.rows(tree: group[0].layout.tree, keys: group.map(\.primaryKey)) }
            for row in 0..<batch.count {
                rows[tree, default: [:]][batch.integer(TreeLayout.primaryKeyColumn, row)] = .row(batch, row)
            }
        }
        var seen: Set<ObjectIdentifier> = []
        return outcome.conflicts.compactMap { operation -> NSObject? in
            let tree = operation.layout.tree.index
            let key = ObjectKey(
                entity: Int32(operation.layout.index),
                store: save.store.index,
                primaryKey: operation.primaryKey
            )
            guard let object = context.registry.object(for: key, tree: tree),
                seen.insert(ObjectIdentifier(object)).inserted
            else { return nil }
            let row = rows[tree]?[operation.primaryKey] ?? .gone
            return NSMergeConflict(
                object,
                version: operation.version,
                found: row,
                place: place(of: object, version: row.version)
            )
        }
    }
}
