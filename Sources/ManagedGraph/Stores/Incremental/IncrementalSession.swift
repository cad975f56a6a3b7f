// One context's use of an incremental store: converts nodes to rows, and a save to a request for the store's class.
import Foundation
import GraphEngine
import GraphPredicates

/// Reads and writes an incremental store on behalf of a context.
final class IncrementalSession: WriteSession {
    private let store: NSIncrementalStore
    private let context: NSManagedObjectContext?
    /// The objects of the save.
    var saved: SavedObjects?

    /// Whether the session holds the lock on the class.
    private var isSaving: Bool

    /// Creates a session for reading, or one that locks the class until it is committed or rolled back.
    init(_ store: NSIncrementalStore, _ context: NSManagedObjectContext?, isSaving: Bool = false) {
        self.store = store
        self.context = context
        self.isSaving = isSaving
        if isSaving { store.calls.lock() }
    }

    private func end() {
        saved = nil
        guard isSaving else { return }
        isSaving = false
        store.calls.unlock()
    }

    /// Snapshots are left to the store's class.
    var snapshotBegan: Moment? { nil }
    func renew() {}

    // MARK: Rows

    func rows(tree: TreeLayout, keys: [Int64]) throws -> RowBatch {
        var rows: [[RowValue]] = []
        for key in keys {
            let identifier = try identifier(key, tree: tree)
            do {
                let node = try node(identifier)
                rows.append(try row(node, identifier.layout))
            } catch let error as NSError where error.code == NSManagedObjectReferentialIntegrityError {
                // The object is gone: leave its row out.
            }
        }
        return try RowBatch(kinds: tree.kinds, rows: rows)
    }

    func members(layout: EntityLayout, slot: Int, primaryKey: Int64) throws -> [ObjectKey] {
        let owner = try identifier(primaryKey, tree: layout.tree)
        guard let model = store.model else { return [] }
        let description = model.layouts[layout.index].slots[slot]
        guard let relationship = description.property as? NSRelationshipDescription else { return [] }
        let value = try store.calling {
            try store.newValue(forRelationship: relationship, forObjectWith: owner, with: context)
        }
        let identifiers: [Any]
        switch value {
        case is NSNull: identifiers = []
        case let set as NSOrderedSet: identifiers = set.array
        case let set as NSSet: identifiers = set.allObjects
        case let set as Set<NSManagedObjectID>: identifiers = Array(set)
        case let array as [Any]: identifiers = array
        default: identifiers = [value]
        }
        return try identifiers.map { try destination($0, description, of: owner) }
    }

    func members(layout: EntityLayout, slot: Int, owners: [Int64]) throws -> RowBatch {
        guard let tree = layout.destination(slot)?.tree else { return .empty }
        var rows: [[RowValue]] = []
        for owner in owners {
            for member in try members(layout: layout, slot: slot, primaryKey: owner) {
                let identifier = try identifier(member.primaryKey, tree: tree)
                let node = try node(identifier)
                rows.append(try row(node, identifier.layout) + [.integer(owner)])
            }
        }
        return try RowBatch(kinds: tree.kinds + [.integer], rows: rows)
    }

    private func row(_ node: NSIncrementalStoreNode, _ layout: ObjectLayout) throws -> [RowValue] {
        let tree = layout.tree
        var row = [RowValue](repeating: .null, count: tree.kinds.count)
        row[TreeLayout.primaryKeyColumn] = .integer(node.objectID.key.primaryKey)
        row[TreeLayout.versionColumn] = .integer(Int64(truncatingIfNeeded: max(1, node.version)))
        if tree.isInTree { row[TreeLayout.entityColumn] = .integer(store.entityNumber(layout.stored)) }
        for (slot, description) in layout.slots.enumerated() {
            let column = Int(layout.columns[slot])
            guard column >= 0 else { continue }
            switch description.kind {
            case .attribute:
                guard let raw = attribute(description, layout, slot, node) else { continue }
                guard let value = Value(raw, as: description.type) else {
                    throw CoreDataError.make(
                        NSPersistentStoreOperationError,
                        "\(Swift.type(of: store)) gives a \(Swift.type(of: raw)) for "
                            + "\(layout.name).\(description.name).",
                        remedy: "Give \(description.type.sentenceName), or NSNull."
                    )
                }
                row[column] = try layout.cell(value, slot)
            case .toOne:
                guard let key = try toOne(description, of: node) else { continue }
                row[column] = .integer(key.primaryKey)
                if description.storesDestinationEntity {
                    row[column + 1] = .integer(store.entityNumber(layout.stored.model.entities[Int(key.entity)]))
                }
            case .toMany, .fetched: continue
            }
        }
        return row
    }

    private func attribute(_ slot: Slot, _ layout: ObjectLayout, _ number: Int, _ node: NSIncrementalStoreNode) -> Any?
    {
        guard slot.composite >= 0 else { return node.value(for: slot.property) }
        let path = slot.name.split(separator: ".").map(String.init)
        var value = node.value(for: layout.slots[layout.whole(number)].property)
        for part in path.dropFirst() { value = (value as? [String: Any])?[part] }
        return value
    }

    private func toOne(_ slot: Slot, of node: NSIncrementalStoreNode) throws -> ObjectKey? {
        guard let relationship = slot.property as? NSRelationshipDescription else { return nil }
        let value =
            try node.value(for: relationship)
            ?? store.calling {
                try store.newValue(forRelationship: relationship, forObjectWith: node.objectID, with: context)
            }
        return value is NSNull ? nil : try destination(value, slot, of: node.objectID)
    }

    private func destination(_ value: Any, _ slot: Slot, of owner: NSManagedObjectID) throws -> ObjectKey {
        if let identifier = value as? NSManagedObjectID ?? (value as? NSManagedObject)?.objectID,
            let entity = slot.destination, let model = store.model, identifier.layout.isKind(of: model.layouts[entity])
        {
            return identifier.key
        }
        throw CoreDataError.make(
            NSPersistentStoreOperationError,
            "\(Swift.type(of: store)) gives \(value) for \(owner.layout.name).\(slot.name), which is not an identifier "
                + "of its destination.",
            remedy: "Give identifiers from newObjectID(for:referenceObject:), or NSNull."
        )
    }

    /// Returns the identifier of a key that the class assigned to an object.
    private func identifier(_ key: Int64, tree: TreeLayout) throws -> NSManagedObjectID {
        let name = store.references?.entityName(key, tree: tree.rootName) ?? tree.rootName
        guard let layout = store.model?.byName[name] else {
            throw CoreDataError.cannotOpen(
                store.url,
                reason: "it was removed",
                remedy: "Add it to the coordinator again."
            )
        }
        let place = ObjectKey(entity: Int32(truncatingIfNeeded: layout.index), store: store.index, primaryKey: key)
        return NSManagedObjectID(layout: layout, key: place, store: store)
    }

    private func node(_ identifier: NSManagedObjectID) throws -> NSIncrementalStoreNode {
        guard let context else {
            throw CoreDataError.make(
                NSPersistentStoreOperationError,
                "An incremental store is read through a context.",
                remedy: "Fetch the objects in a context."
            )
        }
        return try store.calling { try store.newValuesForObject(with: identifier, with: context) }
    }

    // MARK: Saves

    var mayBeWrittenByOthers: Bool { false }

    func write(_ changes: StoreChanges) throws -> StoreOutcome { StoreOutcome() }

    @discardableResult
    func commit() throws -> CommitOutcome {
        try send()
        end()
        return CommitOutcome()
    }

    /// Passes the save to the class.
    private func send() throws {
        defer { store.failsNextCommit = false }
        if store.failsNextCommit {
            throw CoreDataError.make(NSPersistentStoreSaveError, "The commit was made to fail.")
        }
        guard let saved else { return }
        let isEmpty = saved.inserted.isEmpty && saved.updated.isEmpty && saved.deleted.isEmpty && saved.locked.isEmpty
        func set(_ objects: [NSManagedObject]) -> Set<NSManagedObject>? { isEmpty ? nil : Set(objects) }
        let request = NSSaveChangesRequest(
            inserted: set(saved.inserted),
            updated: set(saved.updated),
            deleted: set(saved.deleted),
            locked: saved.locked.isEmpty ? nil : Set(saved.locked)
        )
        request.affectedStores = [store]
        let metadataSets = store.currentMetadataSets
        do {
            _ = try store.calling { try store.execute(request, with: saved.context) }
        } catch {
            // The store's own error is thrown as it is: casting it to NSError loses its type.
            let conflicts =
                (error as NSError).userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict] ?? []
            guard !conflicts.isEmpty else { throw error }
            throw SaveConflicts(list: try conflicts.map(settleable))
        }
        store.noteMetadataWritten(metadataSets)
    }

    /// Completes a conflict with the store's current row, which a merge policy needs.
    private func settleable(_ conflict: NSMergeConflict) throws -> NSMergeConflict {
        let object = conflict.sourceObject
        let rows = try rows(tree: object.layout.tree, keys: [object.key.primaryKey])
        let row: CommittedRow = rows.count == 0 ? .gone : .row(rows, 0)
        return NSMergeConflict(
            object,
            version: Int64(conflict.oldVersionNumber),
            found: row,
            place: conflict.persistedSnapshot == nil ? .coordinator : .store
        )
    }

    func rollback() { end() }

    func reserveKeys(tree: TreeLayout, count: Int) throws -> [ClosedRange<Int64>] {
        throw CoreDataError.noBatches(store)
    }

    // MARK: Operations that require tables

    func rows(_ fetch: StoreFetch) throws -> RowBatch { throw CoreDataError.noTables(store) }
    func rows(_ fetch: StoreFetch, columns: [Int]) throws -> RowBatch { throw CoreDataError.noTables(store) }
    func eachBatch(_ fetch: StoreFetch, size: Int, _ body: (RowBatch) throws -> Bool) throws {
        throw CoreDataError.noTables(store)
    }
    func keys(_ fetch: StoreFetch) throws -> RowBatch { throw CoreDataError.noTables(store) }
    func count(_ fetch: StoreFetch) throws -> Int { throw CoreDataError.noTables(store) }
    func eachRow(_ fetch: StoreFetch, _ columns: ColumnFetch, _ body: ([RowValue], [ResultColumn]) throws -> Void)
        throws
    {
        throw CoreDataError.noTables(store)
    }
}

extension ObjectLayout {
    /// Converts a value to the cell of a row.
    fileprivate func cell(_ value: Value, _ slot: Int) throws -> RowValue {
        let cell = try value.row(slot, of: self)
        if slots[slot].allowsExternalStorage, case .data(let data) = cell { return .data(LargeValue.inline(data)) }
        return cell
    }
}
