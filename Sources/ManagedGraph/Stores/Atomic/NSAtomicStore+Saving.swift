// Saving of an atomic store. A save updates the nodes and writes the rows in memory. It commits the transaction only
// after the subclass has written all nodes; otherwise it restores nodes and rows.
import Foundation
import GraphEngine
import GraphSQLite

/// A save's changes to an atomic store's nodes.
struct NodeChanges {
    var inserted: [NSAtomicStoreCacheNode] = []
    /// Functions that give nodes the values from before the save.
    var restorers: [ObjectIdentifier: () -> Void] = [:]
    var removed: [NSAtomicStoreCacheNode] = []
    /// The store's count of sets of its metadata when they were written.
    var metadataSets = 0

    /// Records a node's current values, unless they are already recorded.
    mutating func keep(_ node: NSAtomicStoreCacheNode) {
        guard restorers[ObjectIdentifier(node)] == nil else { return }
        restorers[ObjectIdentifier(node)] = node.restoringValues()
    }
}

extension NSAtomicStore {
    package func beginSave(_ origin: SaveOrigin, for context: NSManagedObjectContext?) throws -> any WriteSession {
        if isReadOnly { throw CoreDataError.readOnly([self]) }
        let writer = try beginRows(origin)
        writer.willCommit = { [unowned self, unowned writer] in
            takeIntoNodes(writer.derivedValues)
            completeMetadata()
            changes.metadataSets = currentMetadataSets
            try save()
        }
        writer.didEnd = { [unowned self, unowned writer] isCommitted in
            (writer.willCommit, writer.didEnd) = (nil, nil)
            endSave(isCommitted)
        }
        return writer
    }

    /// Adds the framework's entries to metadata that were set without them: without the hashes of its model, the file
    /// could not be migrated, and no other model would be refused.
    private func completeMetadata() {
        var own = (rows?.metadata ?? [:]).filter { !$0.key.hasPrefix("_NS") }
        own[NSStoreTypeKey] = type
        own[NSStoreUUIDKey] = identifier
        metadataLock.withLock {
            let values = StoreMetadata.completing(metadata, with: own)
            if values.count != metadata?.count { metadata = values }
        }
    }

    func newKeys(for objects: ContiguousArray<NSManagedObject>) throws -> [Int64] {
        var given: Set<NodeKey> = []
        return try objects.map { object in
            let identifier = objectID(for: object.entity, withReferenceObject: newReferenceObject(for: object))
            guard given.insert(NodeKey(identifier)).inserted, isFree(identifier, in: object.managedObjectContext) else {
                throw usedReference(identifier, object)
            }
            return identifier.key.primaryKey
        }
    }

    /// Whether no other object has an identifier, except for one that is deleted in the same save.
    private func isFree(_ identifier: NSManagedObjectID, in context: NSManagedObjectContext?) -> Bool {
        nodes[NodeKey(identifier)] == nil || context?.registeredObject(for: identifier)?.isDeleted == true
    }

    /// The error for a new object with the reference of another one, whose node it would replace: 134030.
    private func usedReference(_ identifier: NSManagedObjectID, _ object: NSManagedObject) -> NSError {
        CoreDataError.make(
            NSPersistentStoreSaveError,
            "\(Swift.type(of: self)).newReferenceObject(for:) gives \(object.describeForMessages) the reference "
                + "\(referenceObject(for: identifier)), which another object has.",
            remedy: "Give each object of an entity's tree a reference of its own.",
            userInfo: [NSAffectedObjectsErrorKey: [object]]
        )
    }

    func take(_ objects: SavedObjects, in session: any WriteSession) throws {
        try take(objects)
    }

    /// Updates the nodes from the saved objects.
    func take(_ objects: SavedObjects) throws {
        let removed = objects.deleted.compactMap { cacheNode(for: $0.objectID) }
        if !removed.isEmpty {
            willRemoveCacheNodes(Set(removed))
            for node in removed { nodes[NodeKey(node.objectID)] = nil }
            changes.removed += removed
        }
        var newNodes: [(NSAtomicStoreCacheNode, NSManagedObject)] = []
        for object in objects.inserted {
            // Another context may have saved an object with the reference since this one received it.
            guard nodes[NodeKey(object.objectID)] == nil else { throw usedReference(object.objectID, object) }
            let node = newCacheNode(for: object)
            guard NodeKey(node.objectID) == NodeKey(object.objectID) else {
                throw CoreDataError.make(
                    NSPersistentStoreSaveError,
                    "\(Swift.type(of: self)).newCacheNode(for:) has made a node of \(node.objectID) for the object "
                        + "\(object.objectID).",
                    remedy: "Make the node with the object's objectID."
                )
            }
            addCacheNodes([node])
            changes.inserted.append(node)
            newNodes.append((node, object))
        }
        for (node, object) in newNodes { updateCacheNode(node, from: object) }
        for object in objects.updated {
            guard let node = cacheNode(for: object.objectID) else { continue }
            changes.keep(node)
            updateCacheNode(node, from: object)
        }
    }

    /// Keeps the nodes' new state after a commit; otherwise restores their previous state.
    private func endSave(_ isCommitted: Bool) {
        defer { changes = NodeChanges() }
        if isCommitted {
            noteMetadataWritten(changes.metadataSets)
            for node in changes.removed where nodes[NodeKey(node.objectID)] !== node { forgetOthers(node) }
            return
        }
        for node in changes.inserted { nodes[NodeKey(node.objectID)] = nil }
        for node in changes.removed { nodes[NodeKey(node.objectID)] = node }
        for restore in changes.restorers.values { restore() }
    }

    /// Removes a deleted object's references to other nodes: nodes that are deleted together reference each other.
    private func forgetOthers(_ node: NSAtomicStoreCacheNode) {
        let layout = node.objectID.layout
        for slot in layout.toOneSlots + layout.toManySlots { node.setValue(nil, forKey: layout.slots[slot].name) }
    }

    /// Copies values that the rows derived into the nodes, of this save's objects and of those that depend on them.
    private func takeIntoNodes(_ derived: [DerivedValue]) {
        guard let model = persistentStoreCoordinator?.compiledModel else { return }
        for entry in derived {
            let layout = model.layouts[Int(entry.key.entity)]
            let identifier = NSManagedObjectID(layout: layout, key: entry.key, store: self)
            guard let node = cacheNode(for: identifier), let slot = layout.slot(named: entry.property) else { continue }
            let description = layout.slots[slot]
            let value = Value(entry.value).publicAttribute(description.type)
            if node.hasExactDecimal(of: value, description) { continue }
            changes.keep(node)
            node.setValue(value, forKey: description.name)
        }
    }

    /// Copies all stored values of an object to its node.
    final func copyValues(of object: NSManagedObject, to node: NSAtomicStoreCacheNode) {
        let layout = object.layout
        if !layout.derivedSlots.isEmpty { object.derive() }
        for (slot, description) in layout.slots.enumerated() {
            switch description.kind {
            case .attribute where description.isStored && description.composite < 0,
                .attribute
            where description.type == .composite && !description.isTransient && description.composite < 0:
                let value = object.nodeValue(slot)
                if node.hasExactDecimal(of: value, description) { continue }
                node.setValue(value, forKey: description.name)
            case .toOne where description.isStored:
                let destination = object.toOneObject(slot).flatMap { cacheNode(for: $0.objectID) }
                node.setValue(destination, forKey: description.name)
            case .toMany where description.isStored:
                let members = object.toManyMembers(slot).filter { !$0.isDeleted }.compactMap { member in
                    cacheNode(for: member.objectID)
                }
                node.setValue(
                    description.isOrdered ? NSOrderedSet(array: members) : NSSet(array: members),
                    forKey: description.name
                )
            default: continue
            }
        }
    }
}

extension NSAtomicStoreCacheNode {
    /// Whether a value is the node's decimal as rows and so objects have it, with fewer digits.
    fileprivate func hasExactDecimal(of value: Any?, _ description: Slot) -> Bool {
        func decimal(_ value: Any?) -> Decimal? { (value as? NSDecimalNumber)?.decimalValue ?? value as? Decimal }
        guard description.type == .decimal, let rounded = decimal(value),
            let exact = decimal(self.value(forKey: description.name))
        else { return false }
        return exact != rounded && exact.stored == rounded
    }
}

extension NSManagedObject {
    /// An attribute's value as nodes hold it: the public value, but with an `UnreadableValue` kept to preserve its bytes.
    fileprivate func nodeValue(_ slot: Int) -> Any? {
        if case .any(let box) = currentValue(slot) { return box.value }
        return publicValue(slot)
    }
}

extension CoreDataError {
    /// The error for stores that are read-only: 513, `NSFileWriteNoPermissionError`.
    static func readOnly(_ stores: [NSPersistentStore]) -> NSError {
        let names = stores.map { $0.url?.lastPathComponent ?? $0.identifier ?? "" }.joined(separator: ", ")
        var info: [String: Any] = [NSAffectedStoresErrorKey: stores]
        if let url = stores.first?.url { info[NSFilePathErrorKey] = url.path }
        return make(
            NSFileWriteNoPermissionCode,
            "The store \(names) is open for reading only.",
            remedy: "Open it without NSReadOnlyPersistentStoreOption to change it.",
            userInfo: info
        )
    }
}
