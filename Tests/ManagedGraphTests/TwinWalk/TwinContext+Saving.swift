// Saves and merges in the plain model.
import Foundation
import ManagedGraph

/// The result of a save.
enum PlainOutcome: Equatable {
    case saved(PlainChanges)
    /// Failed with any of these error codes.
    case refused(Set<Int>)
}

extension TwinContext {
    func save() -> PlainOutcome {
        processPending()
        let deleted = objects.values.filter { $0.isDeleted && !$0.isInaccessible }
        let inserted = objects.values.filter { $0.isInserted && !$0.isDeleted }
        let updated = objects.values.filter {
            !$0.isInserted && !$0.isDeleted && !$0.isInaccessible && ($0.isUpdated || !$0.touched.isEmpty)
        }
        if !denied.isEmpty {
            return .refused([NSValidationRelationshipDeniedDeleteError, NSValidationMultipleErrorsError])
        }
        if (inserted + updated).contains(where: leadsNowhere) {
            return .refused([NSManagedObjectValidationError, NSValidationMultipleErrorsError])
        }
        let gone = Set(deleted.map(\.serial))
        for object in inserted + updated { forget(gone, object) }
        let written = updated.filter { !$0.changedColumns.isEmpty }
        let writtenSerials = Set(written.map(\.serial))
        if parent == nil {
            let conflicts = (written + deleted).filter {
                store.rows[$0.serial]?.version != $0.committed?.version
            }
            if (inserted + updated).contains(where: leadsToMissingRow) {
                if policy != .errorMergePolicyType { entities.isUndefined = true }
                return .refused([NSManagedObjectMergeError])
            }
            if !conflicts.isEmpty {
                if policy == .errorMergePolicyType { return .refused([NSManagedObjectMergeError]) }
                for object in conflicts { settle(object) }
                let touches = conflicts.map { ($0, $0.touched) }
                let outcome: PlainOutcome = entities.isUndefined ? .refused([]) : save()
                for (object, touched) in touches where !entities.isUndefined { readMembers(object, except: touched) }
                return outcome
            }
            write(inserted: inserted, updated: updated, deleted: deleted)
        } else {
            let checked = updated.filter(\.isUpdated) + deleted
            if checked.contains(where: isGoneAbove) { return .refused([NSManagedObjectMergeError]) }
            handOver(inserted: inserted, updated: updated, deleted: deleted)
        }
        let changes = PlainChanges(
            inserted: Set(inserted.map(\.serial)),
            updated: Set(updated.map(\.serial)),
            deleted: Set(deleted.map(\.serial))
        )
        for object in inserted { object.commit(version: 1) }
        for object in updated {
            let isWritten = writtenSerials.contains(object.serial)
            object.commit(version: (isWritten ? store.rows[object.serial] : object.committed)?.version ?? 0)
        }
        for object in objects.values where object.isDeleted && !object.isInaccessible { objects[object.serial] = nil }
        entities.saved.formUnion(changes.inserted)
        return .saved(changes)
    }

    /// Resolves a conflict of an object with its changed row by the merge policy.
    private func settle(_ object: PlainObject) {
        let touchesRelationships = object.relationships.contains { object.touched.contains($0.name) }
        let objectCounts = policy == .overwriteMergePolicyType || policy == .mergeByPropertyObjectTrumpMergePolicyType
        guard let fresh = store.row(object.serial), let before = object.committed,
            !object.isDeleted || (objectCounts && !touchesRelationships)
        else { return entities.isUndefined = true }
        if object.isDeleted {
            object.read(fresh)
            return respread(object)
        }
        switch policy {
        case .mergeByPropertyObjectTrumpMergePolicyType: refresh(object, merging: true)
        case .mergeByPropertyStoreTrumpMergePolicyType:
            for key in object.touched {
                guard let relationship = WalkSchema.relationship(object.entity, key) else {
                    if fresh.values[key] ?? .null != before.values[key] ?? .null { object.touched.remove(key) }
                    continue
                }
                if !relationship.isToMany, fresh.one[key] != before.one[key] { entities.isUndefined = true }
            }
            refresh(object, merging: true)
            if object.touched.isEmpty { object.isUpdated = false }
        case .overwriteMergePolicyType:
            let local = object.current
            refresh(object, merging: true)
            object.current.values = local.values
            object.current.one = local.one
            object.touched.formUnion(WalkSchema.attributes[object.entity] ?? [])
            object.touched.formUnion(object.relationships.filter { !$0.isToMany }.map(\.name))
        default:
            if touchesRelationships { return entities.isUndefined = true }
            object.read(fresh)
            object.touched = []
            object.isUpdated = false
        }
    }

    /// Reads members again after a conflict, as the framework does following the save.
    ///
    /// Members that the save ordered were already read in order to write them.
    private func readMembers(_ object: PlainObject, except touched: Set<String>) {
        guard objects[object.serial] === object, let row = store.row(object.serial) else { return }
        for relationship in object.relationships where relationship.isToMany {
            let name = relationship.name
            if relationship.isOrdered, touched.contains(name) { continue }
            object.current.many[name] = row.many[name]
            object.committed?.many[name] = row.many[name]
            if row.uncertain.contains(name) { object.current.uncertain.insert(name) }
        }
    }

    /// Whether the parent has deleted an object.
    private func isGoneAbove(_ object: PlainObject) -> Bool { parent?.row(object.serial) == nil }

    /// Whether a to-one relationship was set to an object that is deleted now: the relationship stays if the other side
    /// was refreshed before, so that the delete rules did not reach it.
    private func leadsNowhere(_ object: PlainObject) -> Bool {
        object.touched.contains { key in
            guard let serial = object.current.one[key] else { return false }
            if let target = objects[serial], target.isDeleted || target.isInaccessible { return true }
            // An object that only the parent has dropped is a conflict, if it was changed, or no destination any more.
            if let parent, parent.row(serial) != nil || objects[serial] != nil { return false }
            return !store.everSaved.contains(serial) && objects[serial]?.isInserted != true
        }
    }

    /// Whether another context has deleted an object to which relationships are set here, or whose members were changed.
    private func leadsToMissingRow(_ object: PlainObject) -> Bool {
        func isMissing(_ serial: Int) -> Bool {
            store.everSaved.contains(serial) && store.rows[serial] == nil && objects[serial]?.isDeleted != true
        }
        let isPaired = object.relationships.contains {
            $0.isToMany && isManyToMany($0) && !object.added($0.name).isEmpty
        }
        if isPaired, isMissing(object.serial) { return true }
        return object.relationships.contains { relationship in
            guard object.touched.contains(relationship.name) else { return false }
            guard relationship.isToMany else { return object.current.one[relationship.name].map(isMissing) ?? false }
            return isManyToMany(relationship) && object.added(relationship.name).contains(where: isMissing)
        }
    }

    /// Removes new members that the save deletes: their delete rules did not apply here, because they were refreshed
    /// before.
    private func forget(_ deleted: Set<Int>, _ object: PlainObject) {
        for relationship in object.relationships where relationship.isToMany {
            let deletedMembers = Set(object.added(relationship.name)).filter {
                deleted.contains($0) || (!isManyToMany(relationship) && objects[$0]?.isInaccessible == true)
            }
            object.current.many[relationship.name]?.removeAll { deletedMembers.contains($0) }
        }
    }

    private func write(inserted: [PlainObject], updated: [PlainObject], deleted: [PlainObject]) {
        for object in deleted { store.delete(object.serial) }
        for object in updated {
            guard var row = store.rows[object.serial] else { continue }
            let columns = object.changedColumns
            if columns.isEmpty { continue }
            for key in columns {
                if WalkSchema.relationship(object.entity, key) == nil {
                    row.values[key] = object.current.values[key]
                } else {
                    row.one[key] = object.current.one[key]
                }
            }
            row.version += 1
            store.write(object.serial, row)
        }
        for object in inserted { store.write(object.serial, object.current) }
        let gone = Set(deleted.map(\.serial))
        let changed = inserted + updated
        for isAdding in [false, true] {
            for object in changed {
                for relationship in object.relationships where relationship.isToMany && isManyToMany(relationship) {
                    if isAdding {
                        for member in object.added(relationship.name) where !gone.contains(member) {
                            store.add(object.serial, relationship, member)
                        }
                    } else {
                        for member in object.removed(relationship.name) {
                            store.remove(object.serial, relationship, member)
                        }
                    }
                }
            }
        }
        var owners: [(owner: Int, relationship: WalkRelationship)] = []
        for object in changed {
            for relationship in object.relationships
            where relationship.isOrdered && object.touched.contains(relationship.name) {
                let list = object.members(relationship.name).filter { !gone.contains($0) }
                store.order(object.serial, relationship, list)
                owners.append((object.serial, relationship))
            }
        }
        store.settleOrders(writtenOwners: owners)
    }

    private func isManyToMany(_ relationship: WalkRelationship) -> Bool {
        WalkSchema.relationship(relationship.destination, relationship.inverse)?.isToMany ?? false
    }

    /// Applies a child's changes to its parent.
    private func handOver(inserted: [PlainObject], updated: [PlainObject], deleted: [PlainObject]) {
        guard let parent else { return }
        func destination(_ serial: Int) -> PlainObject? {
            if objects[serial]?.isDeleted == true { return nil }
            return parent.read(serial).flatMap { $0.isLive ? $0 : nil }
        }
        for object in inserted { parent.insert(object.serial, entity: object.entity) }
        for object in inserted + updated {
            guard let counterpart = parent.read(object.serial), counterpart.isLive else { continue }
            for key in object.isInserted ? Set(object.current.values.keys) : object.changedColumns
            where WalkSchema.relationship(object.entity, key) == nil {
                parent.set(counterpart, key, object.current.values[key] ?? .null)
            }
            for relationship in object.relationships {
                let name = relationship.name
                if relationship.isToMany {
                    let isArranged = relationship.isOrdered && object.touched.contains(name)
                    guard object.isInserted || isArranged || object.changedMembers.contains(name) else { continue }
                    for member in object.removed(name) {
                        if let target = destination(member) { parent.remove(counterpart, relationship, target.serial) }
                    }
                    for member in object.added(name) {
                        if let target = destination(member) { parent.add(counterpart, relationship, target.serial) }
                    }
                    if relationship.isOrdered {
                        let members = object.members(name).filter { destination($0) != nil }
                        parent.arrange(counterpart, relationship, members)
                    }
                } else if object.isInserted || object.changedColumns.contains(name) {
                    let serial = object.current.one[name].flatMap { destination($0)?.serial }
                    parent.relate(counterpart, relationship, to: serial)
                }
            }
        }
        for object in deleted {
            if let counterpart = parent.read(object.serial), counterpart.isLive { parent.delete(counterpart) }
        }
        if !(inserted.isEmpty && updated.isEmpty && deleted.isEmpty) { parent.processPending() }
    }

    /// Puts the given members first, in the given order; the other members follow in their order.
    private func arrange(_ object: PlainObject, _ relationship: WalkRelationship, _ serials: [Int]) {
        touch(object, relationship.name)
        let members = object.members(relationship.name)
        let named = serials.filter(members.contains)
        object.current.many[relationship.name] = named + members.filter { !named.contains($0) }
        if Set(named) != Set(members) { object.current.uncertain.insert(relationship.name) }
    }

    // MARK: Merging

    /// Merges the changes of another context's save.
    func merge(_ changes: PlainChanges) {
        processPending()
        // Deleted here by a merge, but written again by another context.
        for serial in changes.updated.union(changes.inserted) {
            if let object = objects[serial], object.isInaccessible, object.isDeleted { object.makeFault() }
        }
        for serial in changes.updated.sorted() {
            if let object = objects[serial], !object.isInserted { refreshFollowing(object, isMerge: true) }
        }
        for serial in changes.deleted {
            if let object = objects[serial], !object.isInserted { detachDeletedElsewhere(object) }
        }
        for serial in changes.inserted { meet(serial) }
        processPending()
    }

    /// Marks an object deleted elsewhere as deleted here too, and removes it from unsaved relationships.
    private func detachDeletedElsewhere(_ object: PlainObject) {
        // Unsaved relationships to an object that became inaccessible are undefined.
        if object.isInaccessible {
            let isReferred = objects.values.contains { referrer in
                referrer.relationships.contains {
                    referrer.touched.contains($0.name)
                        && (referrer.current.one[$0.name] == object.serial
                            || referrer.members($0.name).contains(object.serial))
                }
            }
            if isReferred { entities.isUndefined = true }
        }
        for relationship in object.relationships {
            let name = relationship.name
            let others = relationship.isToMany ? object.added(name) : object.current.one[name].map { [$0] } ?? []
            for serial in others {
                guard let related = objects[serial],
                    let inverse = WalkSchema.relationship(related.entity, relationship.inverse)
                else { continue }
                if inverse.isToMany {
                    related.current.many[inverse.name]?.removeAll { $0 == object.serial }
                    related.committed?.many[inverse.name]?.removeAll { $0 == object.serial }
                } else if related.touched.contains(inverse.name), related.current.one[inverse.name] == object.serial {
                    related.current.one[inverse.name] = nil
                }
            }
        }
        // Deleted until the next save, which writes nothing for it.
        object.touched = []
        object.isUpdated = false
        object.isPendingDelete = false
        object.isRead = true
        object.isDeleted = true
        object.isInaccessible = true
    }
}
