// Conflicts with other writers, value by value: listing and resolving them, on the queue of the context.
import Foundation
import ManagedGraph

extension StagedEdits {
    /// Applies decisions about the conflicts of the last save.
    ///
    /// Values without a decision keep the reader's side. An object that was deleted elsewhere and is inserted again has the
    /// reader's attributes, and those of its related objects that are still there. If these can have one such object only,
    /// it has those that the reader has related to it.
    ///
    /// - Parameter choices: The decisions.
    /// - Returns: The changes, over the values that are in the store now; save again to write them.
    public func resolve(_ choices: [ConflictChoice]) async -> StagedState {
        await context.perform { [self] in
            let objects = conflicted
            conflicted = []
            context.undoManager?.disableUndoRegistration()
            var restored: [RestoredObject] = []
            // Before one of them is reverted, which changes objects that are related to it.
            let relatedByObject = objects.map { isInStore($0) ? nil : relatedObjects($0) }
            for (object, related) in zip(objects, relatedByObject) {
                let name = reader.names.name(object.objectID)
                let ownChoices = choices.filter { $0.object == name }
                if let new = resolve(object, related, ownChoices) { restored.append(new) }
            }
            // They may be related to each other.
            for object in restored { relate(object, among: restored) }
            context.processPendingChanges()
            context.undoManager?.enableUndoRegistration()
            // The recorded steps refer to values that have been replaced.
            context.undoManager?.removeAllActions()
            return current()
        }
    }

    /// An object that takes the place of one that was deleted elsewhere.
    private struct RestoredObject {
        let old: NSManagedObject
        let new: NSManagedObject
        /// The related objects of the old one, by relationship.
        let related: [String: [NSManagedObject]]
    }

    /// Applies the decisions about an object.
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - related: Its related objects if it was deleted elsewhere, or nil.
    ///   - choices: The decisions.
    /// - Returns: The object that is inserted in its place, without its relationships.
    private func resolve(
        _ object: NSManagedObject,
        _ related: [String: [NSManagedObject]]?,
        _ choices: [ConflictChoice]
    ) -> RestoredObject? {
        let isMine = choices.first { $0.property == nil }?.side != .theirs
        if let related {
            let isRestored = isMine && !object.isDeleted
            let copy = isRestored ? object.dictionaryWithValues(forKeys: attributeNames(object)) : [:]
            revertRelationships(of: object, isRestored: isRestored)
            context.refresh(object, mergeChanges: false)
            guard isRestored else { return nil }
            let new = NSEntityDescription.insertNewObject(forEntityName: object.entity.name ?? "", into: context)
            for (name, value) in copy { new.setValue(value is NSNull ? nil : value, forKey: name) }
            return RestoredObject(old: object, new: new, related: related)
        }
        if object.isDeleted {
            context.refresh(object, mergeChanges: false)
            if isMine { context.delete(object) }
            return nil
        }
        guard isMine else {
            context.refresh(object, mergeChanges: false)
            return nil
        }
        context.refresh(object, mergeChanges: true)
        for choice in choices where choice.side == .theirs {
            guard let property = choice.property else { continue }
            let value = object.committedValues(forKeys: [property])[property]
            object.setValue(value is NSNull ? nil : value, forKey: property)
        }
        return nil
    }

    /// The objects of relationships; of those that can have one such object only, the ones that the reader has related.
    private func relatedObjects(_ object: NSManagedObject) -> [String: [NSManagedObject]] {
        if object.isDeleted { return [:] }
        let changed = object.changedValues()
        var result: [String: [NSManagedObject]] = [:]
        for (name, relationship) in object.entity.relationshipsByName {
            if !relationship.isToMany || relationship.inverseRelationship?.isToMany != false {
                result[name] = CellReader.members(object, name)
            } else if changed[name] != nil {
                result[name] = addedObjects(object, name)
            }
        }
        return result
    }

    /// The objects that a relationship has since the last save.
    private func addedObjects(_ object: NSManagedObject, _ name: String) -> [NSManagedObject] {
        let former = Set(CellReader.list(object.committedValues(forKeys: [name])[name]))
        return CellReader.members(object, name).filter { !former.contains($0) }
    }

    /// Undoes changes of relationships, so that related objects do not refer to an object that is gone.
    ///
    /// An object that the reader has related to a different one stays with that. One that was taken from a different
    /// object returns to it, unless `object` is inserted again.
    private func revertRelationships(of object: NSManagedObject, isRestored: Bool) {
        guard !object.isDeleted else { return }
        let changed = object.changedValues()
        for (name, relationship) in object.entity.relationshipsByName where changed[name] != nil {
            guard let inverse = relationship.inverseRelationship, !inverse.isToMany else {
                let former = object.committedValues(forKeys: [name])[name]
                object.setValue(former is NSNull ? nil : former, forKey: name)
                continue
            }
            for member in addedObjects(object, name) {
                let owner = member.committedValues(forKeys: [inverse.name])[inverse.name] as? NSManagedObject
                let canReturn = !isRestored && (relationship.isToMany || owner?.value(forKey: name) == nil)
                member.setValue(canReturn ? owner : nil, forKey: inverse.name)
            }
        }
    }

    /// Relates a restored object to those objects of the old one that are in the store or staged.
    private func relate(_ object: RestoredObject, among restored: [RestoredObject]) {
        for (name, relationship) in object.new.entity.relationshipsByName {
            guard let old = object.related[name] else { continue }
            let members = old.compactMap { member -> NSManagedObject? in
                if let other = restored.first(where: { $0.old === member }) { return other.new }
                return !member.isDeleted && (member.isInserted || isInStore(member)) ? member : nil
            }.filter { isFree($0, for: relationship, of: object) }
            guard !members.isEmpty else { continue }
            guard relationship.isToMany else {
                object.new.setValue(members[0], forKey: name)
                continue
            }
            // Objects that were restored before it can be related to it by now.
            let listed = Set(members)
            let all = members + CellReader.members(object.new, name).filter { !listed.contains($0) }
            let value: Any = relationship.isOrdered ? NSOrderedSet(array: all) as Any : Set(all) as Any
            object.new.setValue(value, forKey: name)
        }
    }

    /// Whether a restored object can have another one without taking it from a different object.
    private func isFree(
        _ member: NSManagedObject,
        for relationship: NSRelationshipDescription,
        of object: RestoredObject
    ) -> Bool {
        guard let inverse = relationship.inverseRelationship, !inverse.isToMany,
            let owner = member.value(forKey: inverse.name) as? NSManagedObject
        else { return true }
        return owner === object.old || owner === object.new
    }

    private func attributeNames(_ object: NSManagedObject) -> [String] {
        object.entity.attributesByName.filter { !($0.value is NSDerivedAttributeDescription) }.map(\.key)
    }

    private func isInStore(_ object: NSManagedObject) -> Bool {
        let fresh = makeFreshContext()
        return fresh.performAndWait { (try? fresh.existingObject(with: object.objectID)) != nil }
    }

    private func makeFreshContext() -> NSManagedObjectContext {
        let fresh = NSManagedObjectContext(.privateQueue)
        fresh.persistentStoreCoordinator = session.coordinator
        return fresh
    }

    func listConflicts() -> [StagedConflict] {
        conflicted.map { object in
            let properties = (session.shapes[object.entity.name ?? ""]?.properties ?? [])
                .filter { $0.subentity == nil && $0.kind != .toMany && object.entity.propertiesByName[$0.name] != nil }
            let keys = properties.map(\.name)
            let base = object.committedValues(forKeys: keys)
            let mine = object.isDeleted ? [:] : object.changedValues()
            let fresh = makeFreshContext()
            let reader = reader
            let id = object.objectID
            let theirs: [String: BrowserCell]? = fresh.performAndWait {
                guard let storedObject = try? fresh.existingObject(with: id) else { return nil }
                return Dictionary(properties.map { ($0.name, reader.cell(storedObject, $0)) }) { first, _ in first }
            }
            let values = properties.compactMap { property -> StagedConflict.Value? in
                let old = reader.cell(base[property.name], property)
                let stagedCell = mine[property.name].map { reader.cell($0, property) } ?? old
                let storedCell = theirs?[property.name] ?? .null
                guard theirs != nil, !Self.isSame(stagedCell, storedCell) || !Self.isSame(old, storedCell) else {
                    return nil
                }
                let isContested =
                    !Self.isSame(stagedCell, old) && !Self.isSame(storedCell, old)
                    && !Self.isSame(stagedCell, storedCell)
                return StagedConflict.Value(
                    property: property.name,
                    base: old,
                    mine: stagedCell,
                    theirs: storedCell,
                    isContested: isContested
                )
            }
            return StagedConflict(
                link: reader.link(object),
                isDeletedElsewhere: theirs == nil,
                isDeletedHere: object.isDeleted,
                values: values
            )
        }
    }

    /// Compares displayed values; the title of a related object may differ between contexts.
    private static func isSame(_ first: BrowserCell, _ second: BrowserCell) -> Bool {
        first.kind == .toOne ? first.object?.id == second.object?.id : first == second
    }
}
