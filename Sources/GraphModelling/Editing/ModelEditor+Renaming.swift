// Edits that rename, remove and move parts. References to a part by name follow: inverses, destinations, constraints
// and indexes. Predicates, derivations and other expressions do not; a check of the model reports names they lack.
import GraphModel

extension ModelEditor {
    mutating func rename(_ place: ModelPlace, to name: String) throws(ModelSessionError) -> String {
        let title = "Rename \(place.description) to \(name)"
        if place.element != nil {
            try renameElement(place, to: name)
        } else if place.property != nil {
            try renameProperty(place, to: name)
        } else if let entity = place.entity {
            try renameEntity(entity, to: name)
        } else if let request = place.request {
            let index = try requestIndex(request)
            let usedNames = Set(model.fetchRequestTemplates.map(\.name)).subtracting([request])
            let name = try checked(name, like: request, among: usedNames, "fetch request", isIdentifier: false)
            model.fetchRequestTemplates[index].name = name
        } else {
            let index = try configurationIndex(place.configuration)
            let usedNames = Set(model.configurations.map(\.name)).subtracting([place.configuration ?? ""])
            model.configurations[index].name = try checked(
                name,
                like: "Configuration",
                among: usedNames,
                "configuration",
                isIdentifier: false
            )
        }
        return title
    }

    private mutating func renameEntity(_ old: String, to new: String) throws(ModelSessionError) {
        let index = try entityIndex(old)
        let new = try checked(new, like: old, among: entityNames.subtracting([old]), "entity")
        let isNamedByEntity = model.entities[index].className?.split(separator: ".").last.map(String.init) == old
        model.entities[index].name = new
        if isNamedByEntity, let name = model.entities[index].className {
            model.entities[index].className = name.dropLast(old.count) + new
        }
        for index in model.entities.indices {
            if model.entities[index].superentityName == old { model.entities[index].superentityName = new }
            changeRelationships(of: index) { relationship in
                if relationship.destinationEntityName == old { relationship.destinationEntityName = new }
            }
            for place in model.entities[index].properties.indices {
                guard case .fetched(var fetched) = model.entities[index].properties[place] else { continue }
                if fetched.request.entityName == old { fetched.request.entityName = new }
                model.entities[index].properties[place] = .fetched(fetched)
            }
        }
        for index in model.fetchRequestTemplates.indices where model.fetchRequestTemplates[index].entityName == old {
            model.fetchRequestTemplates[index].entityName = new
        }
        for index in model.configurations.indices {
            model.configurations[index].entityNames = model.configurations[index].entityNames.map {
                $0 == old ? new : $0
            }
        }
    }

    private mutating func renameProperty(_ place: ModelPlace, to new: String) throws(ModelSessionError) {
        let (entity, property) = try propertyIndex(place)
        let owner = model.entities[entity].name
        let old = model.entities[entity].properties[property].name
        let usedNames = propertyNames(around: owner).subtracting([old])
        let new = try checked(new, like: old, among: usedNames, "property")
        model.entities[entity].properties[property].common.name = new
        let family = family(of: owner)
        let names = Set(family.map { model.entities[$0].name })
        for index in model.entities.indices {
            changeRelationships(of: index) { relationship in
                if relationship.inverseName == old, names.contains(relationship.destinationEntityName) {
                    relationship.inverseName = new
                }
            }
        }
        for index in family {
            changePropertyNames(of: index) { name in
                name == old ? new : name.hasPrefix(old + ".") ? new + name.dropFirst(old.count) : name
            }
        }
    }

    private mutating func renameElement(_ place: ModelPlace, to new: String) throws(ModelSessionError) {
        guard let (parent, old) = place.splitElement else { return }
        var name = new
        var compositeName: String?
        try changeAttribute(parent) { editor, attribute throws(ModelSessionError) in
            guard let index = attribute.elements.firstIndex(where: { $0.name == old }) else {
                throw editor.missingElement(old, of: attribute, parent)
            }
            let usedNames = Set(attribute.elements.map(\.name)).subtracting([old])
            name = try editor.checked(new, like: old, among: usedNames, "element")
            attribute.elements[index].common.name = name
            compositeName = attribute.compositeName
        }
        changeElementNames(old, ofComposite: compositeName, to: name)
    }

    func missingElement(_ name: String, of attribute: Attribute, _ place: ModelPlace) -> ModelSessionError {
        ModelSessionError(
            .missing,
            "The composite attribute \(attribute.name) has no element \(name).",
            remedy: "Reload the model: it may have been changed in another window.",
            place: place
        )
    }

    // MARK: Removing

    mutating func remove(_ place: ModelPlace) throws(ModelSessionError) -> String {
        let title = "Delete \(place.description)"
        if place.element != nil {
            try removeElement(place)
        } else if place.property != nil {
            try removeProperty(place)
        } else if let entity = place.entity {
            try removeEntity(entity)
        } else if let request = place.request {
            model.fetchRequestTemplates.remove(at: try requestIndex(request))
        } else {
            model.configurations.remove(at: try configurationIndex(place.configuration))
        }
        return title
    }

    private mutating func removeEntity(_ name: String) throws(ModelSessionError) {
        let place = try entityIndex(name)
        let subentities = Set(family(of: name).map { model.entities[$0].name }).subtracting([name])
        let removed = model.entities.remove(at: place)
        // Another entity of the same name keeps the references.
        guard model.entity(named: name) == nil else { return }
        for index in model.entities.indices {
            if model.entities[index].superentityName == name {
                model.entities[index].superentityName = removed.superentityName
            }
            let lost = model.entities[index].properties.filter { property in
                switch property {
                case .relationship(let relationship): relationship.destinationEntityName == name
                case .fetched(let fetched): fetched.request.entityName == name
                case .attribute: false
                }
            }
            for property in lost {
                try removeProperty(ModelPlace(entity: model.entities[index].name, property: property.name))
            }
        }
        // Subentities no longer inherit the properties.
        for property in removed.properties { removeReferences(to: property, in: subentities) }
        model.fetchRequestTemplates.removeAll { $0.entityName == name }
        for index in model.configurations.indices {
            model.configurations[index].entityNames.removeAll { $0 == name }
        }
    }

    private mutating func removeProperty(_ place: ModelPlace) throws(ModelSessionError) {
        let (entity, property) = try propertyIndex(place)
        let owner = model.entities[entity].name
        let removed = model.entities[entity].properties.remove(at: property)
        removeReferences(to: removed, in: Set(family(of: owner).map { model.entities[$0].name }))
    }

    /// Removes the references to a property that entities do not have any more.
    private mutating func removeReferences(to removed: Property, in names: Set<String>) {
        if case .relationship = removed {
            for index in model.entities.indices {
                changeRelationships(of: index) { relationship in
                    if relationship.inverseName == removed.name, names.contains(relationship.destinationEntityName) {
                        relationship.inverseName = nil
                    }
                }
            }
        }
        for index in model.entities.indices where names.contains(model.entities[index].name) {
            changePropertyNames(of: index) { name in
                name == removed.name || name.hasPrefix(removed.name + ".") ? nil : name
            }
        }
    }

    private mutating func removeElement(_ place: ModelPlace) throws(ModelSessionError) {
        guard let (parent, name) = place.splitElement else { return }
        var compositeName: String?
        try changeAttribute(parent) { editor, attribute throws(ModelSessionError) in
            guard let index = attribute.elements.firstIndex(where: { $0.name == name }) else {
                throw editor.missingElement(name, of: attribute, parent)
            }
            guard attribute.elements.count > 1 else {
                throw ModelSessionError(
                    .invalidEdit,
                    "\(name) is the only element of \(attribute.name).",
                    remedy: "Add another element first, or choose another type for the attribute.",
                    place: parent
                )
            }
            attribute.elements.remove(at: index)
            compositeName = attribute.compositeName
        }
        changeElementNames(name, ofComposite: compositeName, to: nil)
    }

    // MARK: Moving

    mutating func move(_ place: ModelPlace, to index: Int) throws(ModelSessionError) -> String {
        if place.property != nil {
            let (entity, property) = try propertyIndex(place)
            let moved = model.entities[entity].properties.remove(at: property)
            // The file keeps each kind together, so the index counts the properties of this kind.
            let kin = model.entities[entity].properties.indices.filter {
                model.entities[entity].properties[$0].sort == moved.sort
            }
            let target = index < kin.count && index >= 0 ? kin[index] : (kin.last.map { $0 + 1 } ?? property)
            model.entities[entity].properties.insert(moved, at: target)
        } else if place.entity != nil {
            let moved = model.entities.remove(at: try entityIndex(place.entity))
            model.entities.insert(moved, at: min(max(0, index), model.entities.count))
        } else if place.request != nil {
            let moved = model.fetchRequestTemplates.remove(at: try requestIndex(place.request))
            model.fetchRequestTemplates.insert(moved, at: min(max(0, index), model.fetchRequestTemplates.count))
        } else {
            let moved = model.configurations.remove(at: try configurationIndex(place.configuration))
            model.configurations.insert(moved, at: min(max(0, index), model.configurations.count))
        }
        return "Move \(place.description)"
    }

    // MARK: References

    mutating func changeRelationships(of entity: Int, _ change: (inout Relationship) -> Void) {
        for index in model.entities[entity].properties.indices {
            guard case .relationship(var relationship) = model.entities[entity].properties[index] else { continue }
            change(&relationship)
            model.entities[entity].properties[index] = .relationship(relationship)
        }
    }

    /// Changes or removes the key paths of an element, such as `place.latitude`, in constraints and indexes.
    private mutating func changeElementNames(
        _ element: String,
        ofComposite compositeName: String?,
        to new: String?
    ) {
        guard let compositeName else { return }
        for entity in model.entities {
            for path in entity.attributes.flatMap({ Self.keyPaths(ofComposite: compositeName, in: $0) }) {
                let old = "\(path).\(element)"
                for index in family(of: entity.name) {
                    changePropertyNames(of: index) { name in
                        guard name == old || name.hasPrefix(old + ".") else { return name }
                        return new.map { "\(path).\($0)\(name.dropFirst(old.count))" }
                    }
                }
            }
        }
    }

    /// The key paths of the values of a composite type in an attribute.
    private static func keyPaths(ofComposite compositeName: String, in attribute: Attribute) -> [String] {
        let own = attribute.compositeName == compositeName ? [attribute.name] : []
        return own
            + attribute.elements.flatMap { element in
                keyPaths(ofComposite: compositeName, in: element).map { "\(attribute.name).\($0)" }
            }
    }

    /// Changes or removes the names of properties in constraints and indexes; empty ones are removed.
    private mutating func changePropertyNames(of entity: Int, _ change: (String) -> String?) {
        var item = model.entities[entity]
        item.uniquenessConstraints = item.uniquenessConstraints.map { $0.compactMap(change) }.filter { !$0.isEmpty }
        item.compoundIndexes = item.compoundIndexes.map { $0.compactMap(change) }.filter { !$0.isEmpty }
        for index in item.indexes.indices {
            item.indexes[index].elements = item.indexes[index].elements.compactMap { element in
                guard let name = element.propertyName else { return element }
                guard let changed = change(name) else { return nil }
                var element = element
                element.propertyName = changed
                return element
            }
        }
        item.indexes.removeAll { $0.elements.isEmpty }
        model.entities[entity] = item
    }
}
