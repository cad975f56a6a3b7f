// The engines' view of compiled entities. Called when a model is compiled.
import GraphEngine
import GraphModel

extension EntityLayout {
    /// The engines' view of a compiled entity.
    convenience init(_ layout: ObjectLayout) {
        let slots = layout.slots
        let byName = slots.indices.filter { slots[$0].isStored }.sorted { slots[$0].name < slots[$1].name }
        let whole = byName.filter { slots[$0].composite < 0 }
        self.init(
            index: layout.index,
            name: layout.name,
            tree: layout.tree,
            properties: slots.map(PropertyLayout.init),
            uniquenessConstraints: layout.allUniquenessConstraints,
            family: layout.family,
            preservedSlots: byName.filter {
                (slots[$0].property as? NSAttributeDescription)?.preservesValueInHistoryOnDeletion == true
            },
            historyOrder: whole.filter { slots[$0].kind == .attribute } + whole.filter { slots[$0].kind != .attribute }
        )
    }
}

extension PropertyLayout {
    /// The engines' view of a compiled property.
    package init(_ slot: Slot) {
        self.init(
            name: slot.name,
            kind: slot.kind,
            type: slot.type,
            isStored: slot.isStored,
            isTransient: slot.isTransient,
            allowsExternalStorage: slot.allowsExternalStorage,
            destination: slot.destination,
            inverseSlot: slot.inverseSlot,
            deleteRule: DeleteRule(rawValue: Int(slot.deleteRule.rawValue)) ?? .noAction,
            derivation: slot.derivation,
            derivationFormat: (slot.property as? NSDerivedAttributeDescription).map { $0.derivationFormat ?? "" },
            isOwn: slot.isOwn
        )
    }
}

extension TreeLayout {
    /// The row shape of an entity without a superentity and of all below it.
    convenience init(root: NSEntityDescription, index: Int) {
        var columns: [Column] = []
        func addElements(of composite: NSCompositeAttributeDescription, path: String, _ entityName: String) {
            for element in composite.elements {
                let name = path + element.name
                if let nested = element as? NSCompositeAttributeDescription {
                    addElements(of: nested, path: name + ".", entityName)
                } else if !element.isTransient {
                    add(element, name, entityName)
                }
            }
        }
        func add(_ attribute: NSAttributeDescription, _ name: String, _ entityName: String) {
            let type = AttributeType(rawValue: Int(attribute.attributeType.rawValue)) ?? .undefined
            guard let kind = ColumnKind(type) else { return }
            columns.append(Column(entityName: entityName, propertyName: name, kind: kind))
        }
        func visit(_ entity: NSEntityDescription, inherited: Set<String>) {
            var names = inherited
            let entityName = entity.name ?? ""
            for property in entity.properties where !inherited.contains(property.name) {
                names.insert(property.name)
                guard !property.isTransient else { continue }
                if let attribute = property as? NSCompositeAttributeDescription {
                    addElements(of: attribute, path: property.name + ".", entityName)
                } else if let attribute = property as? NSAttributeDescription {
                    add(attribute, property.name, entityName)
                } else if let relationship = property as? NSRelationshipDescription, !relationship.isToMany {
                    columns.append(Column(entityName: entityName, propertyName: property.name, kind: .integer))
                    // A row names the destination's entity only if it can be one of several.
                    guard relationship.destinationEntity?.hasSeveralEntities == true else { continue }
                    columns.append(
                        Column(
                            entityName: entityName,
                            propertyName: property.name,
                            kind: .integer,
                            isEntityNumber: true
                        )
                    )
                }
            }
            for subentity in entity.subentities { visit(subentity, inherited: names) }
        }
        visit(root, inherited: [])
        self.init(
            index: index,
            rootName: root.name ?? "",
            isInTree: !root.subentities.isEmpty,
            columns: columns
        )
    }

    /// The column of a property, looked up at its first declaration; -1 if it is not stored.
    func column(named name: String, in entity: NSEntityDescription) -> Int16 {
        var declaring: NSEntityDescription? = entity
        while let current = declaring {
            if let column = column(named: name, declaredBy: current.name ?? "") { return column }
            declaring = current.superentity
        }
        return -1
    }
}

extension NSEntityDescription {
    /// Whether an object of this entity may be one of an entity below it; the schema has a column for it then.
    var hasSeveralEntities: Bool { !subentities.isEmpty }
}
