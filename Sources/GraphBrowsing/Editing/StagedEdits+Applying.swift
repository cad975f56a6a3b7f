// Applies edits to objects, on the queue of the context.
import Foundation
import ManagedGraph
import ManagedGraphTools

extension StagedEdits {
    /// The object with a name: saved, or staged as new.
    func object(_ name: String) throws -> NSManagedObject {
        if let new = context.insertedObjects.first(where: { reader.names.name($0.objectID) == name }) { return new }
        let object = try context.existingObject(with: reader.names.objectID(name))
        guard !object.isDeleted else {
            throw CoreDataError.make(
                NSCoreDataError,
                "\(name) is to be deleted.",
                remedy: "Undo the deletion to edit the object."
            )
        }
        return object
    }

    /// Applies an edit; returns the name of a new object.
    func apply(_ edit: StagedEdit) throws -> String? {
        switch edit.kind {
        case .insert:
            let shape = try session.shapes.required(edit.entity ?? "")
            guard !shape.isAbstract else {
                throw CoreDataError.make(
                    NSCoreDataError,
                    "\(shape.name) is abstract, so there are no objects of it.",
                    remedy: "Insert one of: \(shape.subentities.joined(separator: ", "))."
                )
            }
            let object = NSEntityDescription.insertNewObject(forEntityName: shape.name, into: context)
            return reader.names.name(object.objectID)
        case .duplicate: return try duplicate(object(edit.object ?? ""))
        case .delete:
            try context.delete(object(edit.object ?? ""))
            return nil
        case .set:
            try set(object(edit.object ?? ""), edit)
            return nil
        case .replace, .add, .remove:
            try relate(object(edit.object ?? ""), edit)
            return nil
        }
    }

    private func property(_ object: NSManagedObject, _ edit: StagedEdit) throws -> PropertySummary {
        let entity = object.entity.name ?? ""
        let name = edit.property ?? ""
        if let property = session.shapes[entity]?.property(name), object.entity.propertiesByName[name] != nil {
            return property
        }
        throw CoreDataError.make(
            NSCoreDataError,
            "\(entity) has no property \(name).",
            remedy: "Edit one of: "
                + (session.shapes[entity]?.properties.filter { $0.refusal == nil }.map(\.name) ?? [])
                .joined(separator: ", ") + "."
        )
    }

    private func set(_ object: NSManagedObject, _ edit: StagedEdit) throws {
        let name = edit.property ?? ""
        let layout = object.objectID.layout
        // Elements of composite attributes have slots, but no property of their own.
        let isElement = name.contains(".") && layout.slot(named: name) != nil
        if !isElement {
            let property = try property(object, edit)
            guard property.kind == .attribute else {
                throw CoreDataError.make(
                    NSCoreDataError,
                    "\(name) is a relationship.",
                    remedy: "Choose its objects with the picker."
                )
            }
            let isRefused = property.refusal != nil && !(property.cell == .transformable && edit.text == nil)
            if isRefused, let refusal = property.refusal {
                throw CoreDataError.make(
                    NSCoreDataError,
                    "\(object.entity.name ?? "").\(name) cannot be edited.",
                    remedy: refusal
                )
            }
        }
        guard let slot = layout.slot(named: name) else { return }
        let value = try edit.text.flatMap { try EnteredValue.read($0, for: layout.slots[slot]) }
        object.setValue(value, forKeyPath: name)
    }

    private func relate(_ object: NSManagedObject, _ edit: StagedEdit) throws {
        let property = try property(object, edit)
        guard property.kind != .attribute, let destination = property.destination else {
            throw CoreDataError.make(
                NSCoreDataError,
                "\(property.name) is not a relationship.",
                remedy: "Enter its value."
            )
        }
        let members = try (edit.members ?? []).map { try self.object($0) }
        for member in members where !isKind(member.entity, destination) {
            throw CoreDataError.make(
                NSCoreDataError,
                "\(reader.names.name(member.objectID)) is not an object of \(destination).",
                remedy: "Choose objects of \(destination)."
            )
        }
        if property.kind == .toOne {
            guard members.count < 2 else {
                throw CoreDataError.make(
                    NSCoreDataError,
                    "\(property.name) leads to one object, not to \(members.count).",
                    remedy: "Choose one."
                )
            }
            let value = edit.kind == .remove ? nil : members.first
            object.setValue(value, forKey: property.name)
            return
        }
        if property.isOrdered {
            let set = NSMutableOrderedSet(array: CellReader.members(object, property.name))
            switch edit.kind {
            case .add: for member in members { set.add(member) }
            case .remove: for member in members { set.remove(member) }
            default:
                set.removeAllObjects()
                for member in members { set.add(member) }
            }
            object.setValue(set.copy(), forKey: property.name)
            return
        }
        let current = Set(CellReader.members(object, property.name))
        let next =
            switch edit.kind {
            case .add: current.union(members)
            case .remove: current.subtracting(members)
            default: Set(members)
            }
        object.setValue(next, forKey: property.name)
    }

    private func isKind(_ entity: NSEntityDescription, _ name: String) -> Bool {
        var next: NSEntityDescription? = entity
        while let current = next {
            if current.name == name { return true }
            next = current.superentity
        }
        return false
    }

    /// A copy: attributes, and relationships whose inverse leads to many objects, so that no other object loses one.
    private func duplicate(_ object: NSManagedObject) throws -> String {
        let entity = object.entity.name ?? ""
        let copy = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
        let unique = Set(
            object.entity.uniquenessConstraints.flatMap { $0 }.compactMap {
                $0 as? String ?? ($0 as? NSPropertyDescription)?.name
            }
        )
        for (name, attribute) in object.entity.attributesByName where !(attribute is NSDerivedAttributeDescription) {
            // The copy of a unique value would be refused; a person enters another one.
            if unique.contains(name), attribute.isOptional { continue }
            copy.setValue(object.value(forKey: name), forKey: name)
        }
        for (name, relationship) in object.entity.relationshipsByName
        where relationship.inverseRelationship?.isToMany == true {
            copy.setValue(object.value(forKey: name), forKey: name)
        }
        return reader.names.name(copy.objectID)
    }

    // MARK: Rows

    /// Shows staged changes in a window.
    func show(in window: inout RowWindow, for request: RowRequest) async throws {
        let columns = window.columns
        let names = Set(window.rows.map(\.id))
        let (changed, inserted) = await context.perform { [self] in
            var changed: [String: BrowsedRow] = [:]
            let reader = reader
            for object in context.updatedObjects.union(context.deletedObjects) {
                let name = reader.names.name(object.objectID)
                guard names.contains(name) else { continue }
                if object.isDeleted {
                    changed[name] = BrowsedRow(id: name, entity: object.entity.name ?? "", cells: [], state: .deleted)
                } else if object.hasPersistentChangedValues {
                    changed[name] = row(object, columns, reader)
                }
            }
            var inserted: [BrowsedRow] = []
            for object in context.insertedObjects where isKind(object.entity, request.entity) {
                if let owner = request.owner, !isMember(object, of: owner) { continue }
                inserted.append(row(object, columns, reader))
            }
            return (changed, inserted.sorted { $0.id < $1.id })
        }
        for (place, row) in window.rows.enumerated() {
            guard let staged = changed[row.id] else { continue }
            if staged.state == .deleted {
                window.rows[place].state = .deleted
                continue
            }
            // Cells without staged changes show the store.
            let places = staged.changed ?? []
            for column in places where row.cells.indices.contains(column) {
                window.rows[place].cells[column] = staged.cells[column]
            }
            (window.rows[place].state, window.rows[place].changed) = (.updated, places)
        }
        window.inserted = inserted
    }

    private func isMember(_ object: NSManagedObject, of owner: RowRequest.Owner) -> Bool {
        guard let ownerObject = try? self.object(owner.id) else { return false }
        // The objects of an entity that refer to the owner.
        let parts = owner.relationship.split(separator: ".").map(String.init)
        if parts.count > 1 {
            return object.entity.relationshipsByName[parts[1]] != nil
                && CellReader.members(object, parts[1]).contains(ownerObject)
        }
        return CellReader.members(ownerObject, owner.relationship).contains(object)
    }

    private func row(_ object: NSManagedObject, _ columns: [PropertySummary], _ reader: CellReader) -> BrowsedRow {
        let changes = object.changedValues()
        let places = columns.indices.filter { changes[columns[$0].name] != nil }
        let cells = columns.enumerated().map { place, column in
            object.isInserted || places.contains(place) ? reader.cell(object, column) : BrowserCell(.absent)
        }
        return BrowsedRow(
            id: reader.names.name(object.objectID),
            entity: object.entity.name ?? "",
            cells: cells,
            state: object.isInserted ? .inserted : .updated,
            changed: places
        )
    }
}
