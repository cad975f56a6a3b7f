// Conflicts with other writers, value by value: listing and resolving them, on the queue of the context.
import Foundation
import ManagedGraph

extension StagedEdits {
    /// Applies decisions about the conflicts of the last save.
    ///
    /// Values without a decision keep the reader's side. An object that was deleted elsewhere and is inserted again has the
    /// reader's attributes, and those of its related objects that are still there, unless they can have one such object
    /// only.
    ///
    /// - Parameter choices: The decisions.
    /// - Returns: The changes, over the values that are in the store now; save again to write them.
    public func resolve(_ choices: [ConflictChoice]) async -> StagedState {
        await context.perform { [self] in
            let objects = conflicted
            conflicted = []
            context.undoManager?.disableUndoRegistration()
            var restored: [RestoredObject] = []
            for object in objects {
                let name = reader.names.name(object.objectID)
                if let new = resolve(object, choices.filter { $0.object == name }) { restored.append(new) }
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
    /// - Returns: The object that is inserted in its place, without its relationships.
    private func resolve(_ object: NSManagedObject, _ choices: [ConflictChoice]) -> RestoredObject? {
        let isMine = choices.first { $0.property == nil }?.side != .theirs
        guard isInStore(object) else {
            let isRestored = isMine && !object.isDeleted
            let copy = isRestored ? object.dictionaryWithValues(forKeys: attributeNames(object)) : [:]
            let related = isRestored ? relatedObjects(object) : [:]
            revertRelationships(of: object)
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

    /// The objects of relationships that do not take an object from another one.
    private func relatedObjects(_ object: NSManagedObject) -> [String: [NSManagedObject]] {
        var result: [String: [NSManagedObject]] = [:]
        for (name, relationship) in object.entity.relationshipsByName
        where !relationship.isToMany || relationship.inverseRelationship?.isToMany != false {
            result[name] = CellReader.members(object, name)
        }
        return result
    }

    /// Undoes changes of relationships, so that related objects do not refer to an object that is gone.
    private func revertRelationships(of object: NSManagedObject) {
        guard !object.isDeleted else { return }
        let names = object.changedValues().keys.filter { object.entity.relationshipsByName[$0] != nil }
        for (name, value) in object.committedValues(forKeys: names) {
            object.setValue(value is NSNull ? nil : value, forKey: name)
        }
    }

    /// Relates a restored object to those objects of the old one that are in the store or staged.
    private func relate(_ object: RestoredObject, among restored: [RestoredObject]) {
        for (name, relationship) in object.new.entity.relationshipsByName {
            guard let old = object.related[name] else { continue }
            let members = old.compactMap { member -> NSManagedObject? in
                if let other = restored.first(where: { $0.old === member }) { return other.new }
                return !member.isDeleted && (member.isInserted || isInStore(member)) ? member : nil
            }
            guard !members.isEmpty else { continue }
            if relationship.isToMany {
                let value: Any = relationship.isOrdered ? NSOrderedSet(array: members) as Any : Set(members) as Any
                object.new.setValue(value, forKey: name)
                continue
            }
            // One that the reader has related to a different object stays with that.
            if let inverse = relationship.inverseRelationship, !inverse.isToMany,
                let partner = members[0].value(forKey: inverse.name) as? NSManagedObject, partner !== object.old
            {
                continue
            }
            object.new.setValue(members[0], forKey: name)
        }
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
