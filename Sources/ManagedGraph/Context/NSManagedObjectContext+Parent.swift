// A context that reads from another context instead of a store. A child has an object as its parent had it when the
// child read it: the parent's row, shared, and the parent's own values, copied. Every step here runs on the child's
// queue and enters the parent's; a parent never enters a child's.
import Foundation
import GraphEngine
import GraphSQLite
import Synchronization

extension NSManagedObjectContext {
    /// Whether a living context has this one as its parent.
    final var hasChildren: Bool { childCount.load(ordering: .relaxed) > 0 }

    final func setParent(_ parent: NSManagedObjectContext?) {
        guard parent !== parentContext else { return }
        var ancestor = parent
        while let context = ancestor {
            precondition(context !== self, "A context cannot be its own parent, nor the parent of one of its parents.")
            ancestor = context.parentContext
        }
        precondition(
            !hasListedChanges,
            "The parent of a context cannot be replaced while the context has unsaved changes. Save or reset it first."
        )
        if let former = parentContext {
            former.childCount.subtract(1, ordering: .relaxed)
            former.children.remove(self)
            former.listeners.remove(self)
        }
        parentContext = parent
        generation = nil
        if let parent {
            parent.childCount.add(1, ordering: .relaxed)
            parent.children.add(self)
            // The child may still receive temporary keys that its parent has not replaced.
            if let keys = parent.registry.coordinator?.promotedKeys {
                let serial = parent.parentContext == nil ? keys.serial : parent.caughtUp.load(ordering: .relaxed)
                caughtUp.store(serial, ordering: .relaxed)
            }
        }
        attach(to: parent?.registry.coordinator)
    }

    /// Adopts a coordinator, together with all descendants.
    final func attach(to coordinator: NSPersistentStoreCoordinator?) {
        registry.coordinator?.listeners.remove(self)
        registry.coordinator?.promotedKeys.children.remove(self)
        registry.coordinator = coordinator
        forgetLatestLayout()
        // A store may be added meanwhile: it finds the context in the list, or the context finds the flag.
        registry.ledger.isOn = false
        coordinator?.attached.add(self)
        if coordinator?.recordsRegistrations.isOn == true { registry.ledger.isOn = true }
        if parentContext != nil { coordinator?.promotedKeys.children.add(self) }
        updateListening()
        for child in children.contexts(except: nil) { child.attach(to: coordinator) }
    }

    // MARK: Reading

    /// The object of a key, with its row read, for a child; nil if it is gone.
    ///
    /// Called on this context's queue.
    final func source(for key: ObjectKey) throws -> NSManagedObject? {
        guard let coordinator = registry.coordinator else { return nil }
        let key = coordinator.promotedKeys.current(key)
        guard mayHaveObject(key) else { return nil }
        let object = object(for: key)
        if object.state.contains(.fault) { object.dropPartialValues() }
        if object.state.contains(.fault), object.state.isDisjoint(with: [.deleted, .inaccessible]), try !fill(object) {
            return nil
        }
        return object.state.isDisjoint(with: [.deleted, .gone, .inaccessible]) ? object : nil
    }

    /// Whether an object of the key can be found here: a new one only while it is in memory.
    private func mayHaveObject(_ key: ObjectKey) -> Bool {
        !key.isTemporary || parentContext != nil || registry.object(for: key, tree: 0) != nil
    }

    /// Fills an object of this context with the parent's values.
    final func fillFromParent(_ object: NSManagedObject, _ parent: NSManagedObjectContext) throws {
        try parent.onQueue { () throws in
            try parent.serving(self) {
                guard let source = try parent.source(for: object.key) else { return }
                adopt(source, into: object)
            }
        }
    }

    /// Fills many objects with the parent's values; those that the parent has not read either are read together.
    final func fillFromParent(keys: [Int64], layout: ObjectLayout, store: Int32, _ parent: NSManagedObjectContext)
        throws
    {
        try parent.onQueue { () throws in
            var pairs: [(object: NSManagedObject, source: NSManagedObject)] = []
            for primaryKey in keys {
                let key = ObjectKey(entity: Int32(layout.index), store: store, primaryKey: primaryKey)
                // An object whose edits have all values is not a fault, although it has no row.
                guard let object = registered(key, layout.tree), object.snapshot == nil,
                    object.edits?.isWholeRow != true,
                    parent.mayHaveObject(registry.coordinator?.promotedKeys.current(object.key) ?? object.key)
                else { continue }
                pairs.append((object, parent.object(for: object.key)))
            }
            let unread = pairs.filter { $0.source.state.contains(.fault) && $0.source.snapshot == nil }
            if unread.count > 1 {
                try parent.fill(keys: unread.map(\.source.key.primaryKey), layout: layout, store: store)
            }
            for pair in pairs {
                if let source = try parent.source(for: pair.source.key) { adopt(source, into: pair.object) }
            }
        }
    }

    /// Called on the parent's queue, inside this context's.
    private func adopt(_ source: NSManagedObject, into object: NSManagedObject) {
        let key = source.identifyingKey
        if object.key != key { rename(object, key) }
        object.adoptValues(of: source)
    }

    /// The parent's members of a to-many relationship.
    final func membersFromParent(
        of object: NSManagedObject,
        slot: Int,
        _ parent: NSManagedObjectContext
    ) throws -> [ObjectKey] {
        try parent.onQueue { () throws in
            try parent.serving(self) {
                try parent.throwingFailedReads {
                    guard let source = try parent.source(for: object.key) else { return [] }
                    return source.toManyMembers(slot).filter { !$0.state.contains(.deleted) }.map(\.identifyingKey)
                }
            }
        }
    }

    /// This context's objects for objects that the parent has fetched; called on the parent's queue.
    final func counterparts(of sources: [NSManagedObject], refreshing: Bool) -> [NSManagedObject] {
        sources.map { source in
            let key = source.identifyingKey
            let object = object(for: key)
            let isUnread = object.state.contains(.fault) && object.snapshot == nil
            if isUnread, source.edits == nil, source.snapshot != nil {
                object.adoptValues(of: source)
            } else if refreshing, !object.hasChanges, object.state.isDisjoint(with: [.gone, .inaccessible]) {
                object.edits = nil
                if source.state.contains(.fault), source.snapshot == nil {
                    object.snapshot = nil
                    object.state.insert(.fault)
                } else {
                    object.adoptValues(of: source)
                }
            }
            return object
        }
    }

    // MARK: Keys

    /// The living object of a key, also if it is registered under the object's former temporary key.
    final func registered(_ key: ObjectKey, _ tree: TreeLayout) -> NSManagedObject? {
        if let object = registry.object(for: key, tree: tree.index) { return object }
        guard let former = registry.coordinator?.promotedKeys.former(key),
            let object = registry.object(for: former, tree: tree.index)
        else { return nil }
        rename(object, key)
        return object
    }

    /// Adopts the permanent keys of objects that were saved to the parent, and obtains those still missing.
    final func adoptPermanentKeys(of objects: [NSManagedObject]) throws {
        guard let parentContext, let keys = registry.coordinator?.promotedKeys else { return }
        let handedOver = objects.filter { $0.key.isTemporary && $0.state.isDisjoint(with: [.inserted, .gone]) }
        let waiting = handedOver.filter { keys.current($0.key).isTemporary }
        if !waiting.isEmpty {
            try parentContext.onQueue { () throws in
                try parentContext.assignPermanentIDs(to: waiting.compactMap { try parentContext.source(for: $0.key) })
            }
        }
        for object in handedOver {
            let key = keys.current(object.key)
            if !key.isTemporary { rename(object, key) }
        }
    }

    /// Registers an object under its permanent key after an ancestor has saved it.
    final func rename(_ object: NSManagedObject, _ key: ObjectKey) {
        registry.remove(object)
        object.key = key
        registry.register(object)
    }
}

extension NSManagedObject {
    /// Adopts the values of the parent's object as those last read; unsaved changes are kept over them.
    ///
    /// Called on the parent's queue, inside this object's.
    func adoptValues(of source: NSManagedObject) {
        noteIndexedChange()
        snapshot = source.snapshot
        row = source.row
        page = page?.siblings
        guard let theirs = source.edits else { return }
        let edits = ensureEdits()
        edits.isWholeRow = theirs.isWholeRow
        edits.version = theirs.version
        for slot in layout.slots.indices where layout.slots[slot].isStored {
            let value = theirs.values[slot].detached
            if !edits.changed.contains(slot) {
                edits.values[slot] = value
            } else if !value.isAbsent {
                edits.committed = (edits.committed ?? [:]).merging([slot: value]) { _, new in new }
            }
        }
        // The parent's object was never stored, so initial values apply.
        guard edits.isWholeRow else { return }
        for slot in layout.slots.indices where !layout.slots[slot].isStored && edits.values[slot].isAbsent {
            edits.values[slot] = layout.defaults[slot]
        }
    }
}
