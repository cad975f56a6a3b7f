// Merges changes saved elsewhere: by contexts of the same coordinator, the parent, other processes. Fresh values are
// read in batches; unsaved changes are kept over them. Called on the context's queue.
import Foundation
import GraphEngine

extension NSManagedObjectContext {
    /// Implements `mergeChanges(fromContextDidSave:)`.
    final func mergeSave(_ notification: Notification) {
        let changes = SavedChanges(userInfo: notification.userInfo ?? [:], coordinator: registry.coordinator)
        onQueue {
            if notification.userInfo?[NSInvalidatedAllObjectsKey] != nil { rereadAllObjects() }
            merge(changes)
        }
    }

    /// Merges the changes made by another process or a batch request.
    ///
    /// - Parameters:
    ///   - changeNotificationData: Collections of identifiers, or of their URIs, under `NSInsertedObjectsKey`,
    ///     `NSUpdatedObjectsKey`, `NSDeletedObjectsKey` or their `…ObjectIDsKey` twins.
    ///   - contexts: The contexts to merge into; the caller waits for each on its own queue.
    public class func mergeChanges(
        fromRemoteContextSave changeNotificationData: [AnyHashable: Any],
        into contexts: [NSManagedObjectContext]
    ) {
        for context in contexts {
            let changes = SavedChanges(userInfo: changeNotificationData, coordinator: context.registry.coordinator)
            context.onQueue {
                if changeNotificationData[NSInvalidatedAllObjectsKey] != nil { context.rereadAllObjects() }
                context.merge(changes)
            }
        }
    }

    /// Merges a save, then notifies observers and the contexts that listen to this one.
    final func merge(_ changes: SavedChanges) {
        pendingIndex = nil
        guard !changes.isEmpty else { return }
        advanceGeneration()
        renewSnapshots()
        endEvent()
        let updated = changes.changed
        for identifier in changes.inserted { if let object = objectInMemory(identifier) { bringBack(object) } }
        var refreshed: [NSManagedObject] = []
        for identifier in updated {
            guard let object = objectInMemory(identifier) else { continue }
            bringBack(object)
            refreshed.append(object)
        }
        refreshed += faultsForResultsControllers(updated)
        refreshed.removeAll { !$0.state.isDisjoint(with: [.inserted, .deletedElsewhere, .gone]) }
        reread(refreshed)
        var unseen: [NSManagedObjectID] = []
        var unread: Set<ObjectKey> = []
        for identifier in changes.deleted {
            let object = objectInMemory(identifier)
            if object?.isUnread != false, let key = localKey(identifier) { unread.insert(key) }
            if let object {
                noteLostMember(object)
                detachDeletedElsewhere(object)
            } else {
                unseen.append(identifier)
            }
        }
        forgetMembers(unread)
        let stores = registry.coordinator?.persistentStores ?? []
        for identifier in changes.inserted where isInAttachedStore(identifier, in: stores) {
            let object = objectOrFault(identifier)
            // Skip this context's own saves.
            if object.state.isDisjoint(with: [.inserted, .updated, .deleted]) {
                pending.merged.append(object)
                noteEvent()
            }
        }
        isMerging = true
        endEvent()
        isMerging = false
        follower?.objectsWereDeletedUnseen(unseen)
        notifyMerged(changes, refreshed: refreshed)
        let audience = listeners.contexts(except: nil)
        for context in audience { context.perform { context.merge(changes) } }
    }

    /// Objects that are not in memory, as faults, if a results controller may have to add or follow them.
    private func faultsForResultsControllers(_ identifiers: [NSManagedObjectID]) -> [NSManagedObject] {
        guard let follower, follower.isInUse else { return [] }
        let stores = registry.coordinator?.persistentStores ?? []
        let concerned = identifiers.filter {
            follower.concerns($0.layout) && objectInMemory($0) == nil && isInAttachedStore($0, in: stores)
        }
        return Dictionary(grouping: concerned) { $0.layout.tree.index }.values.flatMap { group in
            faultingByThePage(group.map(\.key)) { group.map(objectOrFault) }
        }
    }

    private func isInAttachedStore(_ identifier: NSManagedObjectID, in stores: [NSPersistentStore]) -> Bool {
        if identifier.isTemporaryID { return registry.coordinator != nil && parentContext != nil }
        let store = identifier.persistentStore
        return stores.contains { $0 === store || $0.identifier == store?.identifier }
    }

    /// Turns an object that a merge has deleted into a fault, because its row is in the store again.
    private func bringBack(_ object: NSManagedObject) {
        guard object.state.contains(.deletedElsewhere) else { return }
        undelete(object)
        object.state.remove(.deletedElsewhere)
        object.turnIntoFault()
    }

    private func notifyMerged(_ changes: SavedChanges, refreshed: [NSManagedObject]) {
        guard IdentifierNotification.merged.isWanted else { return }
        NotificationCenter.default.post(
            name: IdentifierNotification.merged.name,
            object: self,
            userInfo: [
                "managedObjectContext": self,
                NSInsertedObjectIDsKey: Set(changes.inserted),
                NSUpdatedObjectIDsKey: Set(changes.updated),
                NSDeletedObjectIDsKey: Set(changes.deleted),
                NSRefreshedObjectIDsKey: Set(refreshed.map(\.objectID)),
            ]
        )
    }

    /// Deletes an object that was deleted elsewhere, and detaches it from unsaved relationships.
    ///
    /// It stays among the deleted objects until the next save, which has no row to delete for it.
    final func detachDeletedElsewhere(_ object: NSManagedObject) {
        guard object.state.isDisjoint(with: [.inserted, .gone, .deletedElsewhere]) else { return }
        detach(object)
        if !object.state.contains(.deleted) { listDeleted(object) }
        if !object.state.contains(.pendingDelete) { pending.deleted.append(object) }
        // It stays in the list of updated objects, but its state excludes it.
        object.state.subtract([.updated, .pendingUpdate])
        object.state.formUnion([.deleted, .pendingDelete, .deletedElsewhere])
        noteEvent()
    }

    /// Reports the objects that lose a deleted object from a relationship that was read: a batch request reports only the
    /// rows that it changes.
    private func noteLostMember(_ object: NSManagedObject) {
        for slot in object.layout.toOneSlots {
            guard let inverse = object.inverse(slot), let owner = object.knownToOneObject(slot),
                owner.state.isDisjoint(with: [.inserted, .deleted, .gone, .inaccessible]),
                case .toMany? = owner.edits?.values[inverse]
            else { continue }
            noteRefresh(owner)
        }
    }

    /// Has relationships that were read read again if they have one of some deleted objects whose own rows, and so their
    /// owners, are not in memory.
    ///
    /// O(objects in memory that can have such members, and the members of these relationships).
    private func forgetMembers(_ deleted: Set<ObjectKey>) {
        guard !deleted.isEmpty, let layouts = registry.coordinator?.compiledModel.layouts else { return }
        let trees = Set(deleted.map { layouts[Int($0.entity)].tree.index })
        let owners = layouts.filter { layout in
            layout.toManySlots.contains { trees.contains(layout.tree(of: $0)) }
        }
        for owner in registry.objects(ofTrees: Array(Set(owners.map(\.tree.index)))) {
            guard let edits = owner.edits, owner.state.isDisjoint(with: [.inserted, .gone, .inaccessible]) else {
                continue
            }
            for slot in owner.layout.toManySlots where trees.contains(owner.layout.tree(of: slot)) {
                guard case .toMany(let members) = edits.values[slot],
                    members.stored?.contains(where: deleted.contains) == true
                else { continue }
                members.stored = nil
                noteRefresh(owner)
            }
        }
    }

    /// Removes an object from the other sides of its relationships, as far as they are in memory.
    final func detach(_ object: NSManagedObject) {
        for slot in object.layout.toOneSlots {
            guard let inverse = object.inverse(slot), let destination = object.knownToOneObject(slot) else { continue }
            destination.forget(object, slot: inverse)
        }
        for slot in object.layout.toManySlots {
            guard let inverse = object.inverse(slot), case .toMany(let members)? = object.edits?.values[slot] else {
                continue
            }
            for member in members.addedObjects { member.forget(object, slot: inverse) }
        }
    }

    // MARK: Rereading

    /// Refreshes objects: those without unsaved changes become faults; the others are reread, and keep their changes.
    ///
    /// The faults are filled in pages. O(objects).
    final func refreshKeepingChanges(_ objects: [NSManagedObject]) {
        for object in objects { object.noteIndexedChange() }
        var clean: [NSManagedObject] = []
        var changed: [NSManagedObject] = []
        for object in objects {
            if object.hasChanges || object.edits?.changed.isEmpty == false {
                changed.append(object)
            } else {
                clean.append(object)
            }
        }
        for object in clean {
            object.turnIntoFault()
            noteRefresh(object)
        }
        fillByThePage(clean)
        if !changed.isEmpty { reread(changed) }
    }

    /// Assigns pages to faults, so that firing one reads a few hundred of them.
    private func fillByThePage(_ faults: [NSManagedObject]) {
        guard faults.count > 1 else { return }
        let saved = faults.filter { !$0.key.isTemporary && $0.state.contains(.fault) }
        let groups = Dictionary(grouping: saved) { Pair(tree: ObjectIdentifier($0.layout.tree), store: $0.key.store) }
        for group in groups.values where group.count > 1 {
            let pages = FaultPages(group.map(\.key.primaryKey), layout: group[0].layout, store: group[0].key.store)
            for object in group { object.page = pages.page(of: object.key, object.layout.tree) }
        }
    }

    private struct Pair: Hashable {
        let tree: ObjectIdentifier
        let store: Int32
    }

    /// Rereads objects in batches, each row once; unsaved changes and transient values are kept.
    ///
    /// O(objects).
    final func reread(_ objects: [NSManagedObject]) {
        for object in objects { object.noteIndexedChange() }
        var groups: [ObjectIdentifier: [Int32: [NSManagedObject]]] = [:]
        var former: [FormerDestination] = []
        var tracked: [(object: NSManagedObject, values: [(slot: Int, value: Value)])] = []
        for object in objects {
            noteRefresh(object)
            prepareToReread(deleted: object)
            guard !object.state.contains(.fault) else {
                // The values are unread, so the next read suffices.
                object.snapshot = nil
                object.edits = nil
                object.page = nil
                continue
            }
            former += formerDestinations(object)
            if object.state.contains(.observed) { tracked.append((object, ObservedObjects.trackedValues(object))) }
            object.forgetRow()
            groups[ObjectIdentifier(object.layout.tree), default: [:]][object.key.store, default: []].append(object)
        }
        for (store, group) in groups.values.joined() {
            for start in stride(from: 0, to: group.count, by: 500) {
                reread(together: group[start..<min(start + 500, group.count)], store: store)
            }
        }
        for entry in former { followed(entry) }
        for entry in tracked {
            // As on Apple's platforms, a block reads the values that were merged.
            ObservedObjects.announce(entry.object)
            ObservedObjects.noteDifferences(entry.object, from: entry.values)
        }
    }

    /// The destination of a to-one relationship before its row was reread.
    private struct FormerDestination {
        let object: NSManagedObject
        let slot: Int
        let key: ObjectKey?
    }

    private func formerDestinations(_ object: NSManagedObject) -> [FormerDestination] {
        object.layout.toOneSlots.compactMap { slot in
            guard object.inverse(slot) != nil else { return nil }
            return FormerDestination(object: object, slot: slot, key: object.committedDestination(slot))
        }
    }

    /// Invalidates the loaded members of both destinations if a relationship has changed: the save may have updated
    /// only one side.
    private func followed(_ former: FormerDestination) {
        let now = former.object.committedDestination(former.slot)
        // The same destination has another key once it was saved further up.
        let renamed = now.flatMap { registry.coordinator?.formerKey(of: $0) }
        guard now != former.key, renamed == nil || renamed != former.key,
            let inverse = former.object.inverse(former.slot)
        else { return }
        let tree = former.object.layout.tree(of: former.slot)
        for key in [former.key, now].compactMap(\.self) {
            guard let destination = registry.object(for: key, tree: tree),
                destination.state.isDisjoint(with: [.inserted, .gone]),
                case .toMany(let members)? = destination.edits?.values[inverse], members.stored != nil
            else { continue }
            members.stored = nil
            noteRefresh(destination)
        }
    }

    private func reread(together objects: ArraySlice<NSManagedObject>, store: Int32) {
        guard let layout = objects.first?.layout else { return }
        do {
            try observed(.refresh(entity: layout.name)) {
                try fill(keys: objects.map(\.key.primaryKey), layout: layout, store: store)
            }
            for object in objects where object.snapshot == nil && object.edits?.isWholeRow != true {
                if try !fill(object) { handleMissingRow(object, -1) }
            }
        } catch {
            // They stay faults until they are read again.
            let unread = objects.filter { $0.snapshot == nil && $0.edits?.isWholeRow != true }
            for object in unread { object.state.insert(.fault) }
            if let first = unread.first { noteFailedRead(of: first.describeForMessages, error) }
        }
        for object in objects where !object.state.contains(.fault) { object.awake(fromSnapshotEvents: .refresh) }
    }

    // MARK: Listening

    /// Starts or stops listening to saves.
    final func updateListening() {
        let source = parentContext?.listeners ?? registry.coordinator?.listeners
        if automaticallyMergesChangesFromParent { source?.add(self) } else { source?.remove(self) }
    }

    /// Sends a save of this context to all listening contexts.
    final func announce(_ changes: @autoclosure () -> SavedChanges) {
        let above = parentContext?.listeners ?? registry.coordinator?.listeners
        let audience = (above?.contexts(except: self) ?? []) + listeners.contexts(except: nil)
        guard !audience.isEmpty else { return }
        let changes = changes()
        for context in audience { context.perform { context.merge(changes) } }
    }
}

extension NSManagedObject {
    /// The slot of a relationship's inverse; nil if it has none.
    func inverse(_ slot: Int) -> Int? {
        let inverse = layout.slots[slot].inverseSlot
        return inverse >= 0 ? inverse : nil
    }

    /// The stored destination of a to-one relationship, if it is in memory.
    func committedDestination(_ slot: Int) -> ObjectKey? {
        if state.contains(.fault) { return nil }
        return switch committedValue(slot) {
        case .reference(let key): key
        case .object(let destination): destination.key
        default: nil
        }
    }

    /// Removes an object that is gone, without marking an unchanged relationship as changed.
    func forget(_ object: NSManagedObject, slot: Int) {
        if case .toMany(let members)? = edits?.values[slot] {
            members.forget(object)
        } else if edits?.changed.contains(slot) == true, case .object(let destination)? = edits?.values[slot],
            destination === object
        {
            prepareToChange(slot).values[slot] = .null
        }
    }

    /// Discards the values read from the row, and keeps unsaved changes and transient values.
    func forgetRow() {
        if let edits {
            for (slot, description) in layout.slots.enumerated()
            where description.isStored || description.kind == .toMany || description.kind == .fetched {
                if case .toMany(let members) = edits.values[slot] {
                    members.stored = nil
                } else if !edits.changed.contains(slot) {
                    edits.values[slot] = .absent
                }
            }
            if edits.committed != nil { edits.committed = nil }
            edits.version = 0
            edits.isWholeRow = false
        }
        snapshot = nil
        page = nil
    }
}

extension SavedChanges {
    /// Parses a notification's user info: objects, identifiers or URIs.
    init(userInfo: [AnyHashable: Any], coordinator: NSPersistentStoreCoordinator?) {
        func identifiers(_ keys: String...) -> [NSManagedObjectID] {
            let collections = keys.compactMap { userInfo[$0] }
            let result = collections.flatMap { Self.identifiers($0, coordinator) }
            let isDistinct = collections.count == 1 && !(collections[0] is [Any]) && !(collections[0] is NSArray)
            return isDistinct ? result : Array(Set(result))
        }
        inserted = identifiers(NSInsertedObjectsKey, NSInsertedObjectIDsKey)
        updated = identifiers(NSUpdatedObjectsKey, NSUpdatedObjectIDsKey)
        deleted = identifiers(NSDeletedObjectsKey, NSDeletedObjectIDsKey)
        refreshed = identifiers(
            NSRefreshedObjectsKey,
            NSRefreshedObjectIDsKey,
            NSInvalidatedObjectsKey,
            NSInvalidatedObjectIDsKey
        )
    }

    private static func identifiers(_ collection: Any, _ coordinator: NSPersistentStoreCoordinator?)
        -> [NSManagedObjectID]
    {
        let members: [Any]
        switch collection {
        case let set as Set<NSManagedObject>: return set.map(\.objectID)
        case let set as Set<NSManagedObjectID>: return Array(set)
        case let set as Set<AnyHashable>: members = set.map(\.base)
        case let set as NSSet: members = set.allObjects
        case let array as [Any]: members = array
        case let array as NSArray: members = Array(array)
        default: return []
        }
        return members.compactMap { member in
            switch member {
            case let object as NSManagedObject: object.objectID
            case let identifier as NSManagedObjectID: identifier
            case let url as URL: coordinator?.managedObjectID(forURIRepresentation: url)
            default: nil
            }
        }
    }
}
