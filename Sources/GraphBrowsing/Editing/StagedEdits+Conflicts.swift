// Conflicts with other writers, value by value: listing and resolving them, on the queue of the context.
import Foundation
import ManagedGraph

extension StagedEdits {
    /// Applies decisions about the conflicts of the last save.
    ///
    /// Values without a decision keep the reader's side.
    ///
    /// - Parameter choices: The decisions.
    /// - Returns: The changes, over the values that are in the store now; save again to write them.
    public func resolve(_ choices: [ConflictChoice]) async -> StagedState {
        await context.perform { [self] in
            let objects = conflicted
            conflicted = []
            context.undoManager?.disableUndoRegistration()
            for object in objects {
                let name = reader.names.name(object.objectID)
                resolve(object, choices.filter { $0.object == name })
            }
            context.processPendingChanges()
            context.undoManager?.enableUndoRegistration()
            // The recorded steps refer to values that have been replaced.
            context.undoManager?.removeAllActions()
            return current()
        }
    }

    private func resolve(_ object: NSManagedObject, _ choices: [ConflictChoice]) {
        let isMine = choices.first { $0.property == nil }?.side != .theirs
        guard isInStore(object) else {
            let copy = isMine && !object.isDeleted ? object.dictionaryWithValues(forKeys: attributeNames(object)) : nil
            let entity = object.entity.name ?? ""
            context.refresh(object, mergeChanges: false)
            if let copy {
                let new = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
                for (name, value) in copy { new.setValue(value is NSNull ? nil : value, forKey: name) }
            }
            return
        }
        if object.isDeleted {
            context.refresh(object, mergeChanges: false)
            if isMine { context.delete(object) }
            return
        }
        guard isMine else {
            context.refresh(object, mergeChanges: false)
            return
        }
        context.refresh(object, mergeChanges: true)
        for choice in choices where choice.side == .theirs {
            guard let property = choice.property else { continue }
            let value = object.committedValues(forKeys: [property])[property]
            object.setValue(value is NSNull ? nil : value, forKey: property)
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
