// Edits that set one field of a property, and their consequences: for the other side of a relationship, and for the
// other attributes of a composite type.
import Foundation
import GraphModel
import GraphModelFiles

extension ModelEditor {
    mutating func setProperty(
        _ field: String,
        of place: ModelPlace,
        to value: ModelEditValue
    ) throws(ModelSessionError) {
        if place.element != nil {
            return try changeAttribute(place) { editor, attribute throws(ModelSessionError) in
                if try !editor.setCommon(field, of: &attribute.common, to: value, place) {
                    try editor.setAttribute(field, of: &attribute, to: value, place)
                }
            }
        }
        let (entity, index) = try propertyIndex(place)
        var property = model.entities[entity].properties[index]
        if try !setCommon(field, of: &property.common, to: value, place) {
            switch property {
            case .attribute(var attribute):
                try setAttribute(field, of: &attribute, to: value, place)
                property = .attribute(attribute)
            case .relationship(let relationship):
                return try setRelationship(field, relationship, entity, index, to: value, place)
            case .fetched(var fetched):
                try set(field, of: &fetched.request, to: value, place)
                property = .fetched(fetched)
            }
        }
        model.entities[entity].properties[index] = property
    }

    /// Sets a field that all kinds have.
    ///
    /// - Returns: Whether there is such a field.
    private func setCommon(
        _ field: String,
        of common: inout PropertyCommon,
        to value: ModelEditValue,
        _ place: ModelPlace
    ) throws(ModelSessionError) -> Bool {
        switch field {
        case "isOptional": common.isOptional = try value.flag(field, place)
        case "isTransient": common.isTransient = try value.flag(field, place)
        case "isReadOnly": common.isReadOnly = try value.flag(field, place)
        case "isIndexed": common.isIndexed = try value.flag(field, place)
        case "isSpotlight": common.isIndexedBySpotlight = try value.flag(field, place)
        case "isStoredInTruthFile": common.isStoredInExternalRecord = try value.flag(field, place)
        case "renamingIdentifier": common.renamingIdentifier = try value.optionalText(field, place)
        case "hashModifier": common.versionHashModifier = try value.optionalText(field, place)
        case "userInfo": common.userInfo = try value.entries(field, place)
        default: return false
        }
        return true
    }

    // MARK: Attributes

    /// Changes an attribute or an element; all attributes of one composite type have the same elements.
    mutating func changeAttribute(
        _ place: ModelPlace,
        _ change: (ModelEditor, inout Attribute) throws(ModelSessionError) -> Void
    ) throws(ModelSessionError) {
        let (entity, index) = try propertyIndex(place)
        guard case .attribute(var attribute) = model.entities[entity].properties[index] else {
            throw ModelSessionError(
                .invalidEdit,
                "\(place.description) is not an attribute.",
                remedy: "Choose an attribute.",
                place: place
            )
        }
        let path = place.elementPath
        var types: [String: [Attribute]] = [:]
        try descend(into: &attribute, path[...], &types, place, change)
        try refuseCycles(types, place)
        model.entities[entity].properties[index] = .attribute(attribute)
        guard !types.isEmpty else { return }
        for entity in model.entities.indices {
            for index in model.entities[entity].properties.indices {
                guard case .attribute(var attribute) = model.entities[entity].properties[index] else { continue }
                Self.adopt(types, in: &attribute)
                model.entities[entity].properties[index] = .attribute(attribute)
            }
        }
    }

    private func descend(
        into attribute: inout Attribute,
        _ path: ArraySlice<String>,
        _ types: inout [String: [Attribute]],
        _ place: ModelPlace,
        _ body: (ModelEditor, inout Attribute) throws(ModelSessionError) -> Void
    ) throws(ModelSessionError) {
        if let name = path.first {
            guard let index = attribute.elements.firstIndex(where: { $0.name == name }) else {
                throw missingElement(name, of: attribute, place)
            }
            try descend(into: &attribute.elements[index], path.dropFirst(), &types, place, body)
        } else {
            try body(self, &attribute)
        }
        if attribute.type == .composite, let name = attribute.compositeName { types[name] = attribute.elements }
    }

    /// Throws if a changed composite type contains itself: no attribute of such a type could have all its elements.
    private func refuseCycles(_ types: [String: [Attribute]], _ place: ModelPlace) throws(ModelSessionError) {
        func contains(_ name: String, _ elements: [Attribute]) -> Bool {
            elements.contains { $0.compositeName == name || contains(name, $0.elements) }
        }
        guard let name = types.keys.sorted().first(where: { contains($0, types[$0] ?? []) }) else { return }
        throw ModelSessionError(
            .invalidEdit,
            "The composite type \(name) would contain itself.",
            remedy:
                "Choose another composite type. A new one is named after its element, so rename the element first if "
                + "that is the name of a type around it.",
            place: place
        )
    }

    /// Gives the attributes of changed composite types the new elements.
    private static func adopt(_ types: [String: [Attribute]], in attribute: inout Attribute) {
        if attribute.type == .composite, let elements = attribute.compositeName.flatMap({ types[$0] }) {
            attribute.elements = elements
        }
        for index in attribute.elements.indices { adopt(types, in: &attribute.elements[index]) }
    }

    private func setAttribute(
        _ field: String,
        of attribute: inout Attribute,
        to value: ModelEditValue,
        _ place: ModelPlace
    ) throws(ModelSessionError) {
        switch field {
        case "type": try setType(of: &attribute, to: try value.text(field, place), place)
        case "defaultValue":
            attribute.defaultValue = try defaultValue(try value.optionalText(field, place), attribute.type, place)
        case "minimum", "maximum", "pattern":
            var bound = try value.optionalText(field, place)
            if attribute.type == .date, let date = bound { bound = try seconds(date, place) }
            var bounds = AttributeText.bounds(of: attribute)
            switch field {
            case "minimum": bounds.minimum = bound
            case "maximum": bounds.maximum = bound
            default: bounds.pattern = bound
            }
            attribute.common.validations = try checked(place) { () throws(ModelProblem) in
                try AttributeText.rules(bounds, type: attribute.type)
            }
        case "usesScalar": attribute.usesScalarValue = try value.flag(field, place)
        case "isExternal": attribute.allowsExternalBinaryDataStorage = try value.flag(field, place)
        case "isPreserved": attribute.preservesValueInHistoryOnDeletion = try value.flag(field, place)
        case "isEncrypted": attribute.allowsCloudEncryption = try value.flag(field, place)
        case "transformer": attribute.valueTransformerName = try value.optionalText(field, place)
        case "valueClass": attribute.customClassName = try value.optionalText(field, place)
        case "derivation":
            attribute.derivationExpressionFormat = try value.optionalText(field, place)
            attribute.common.isReadOnly = attribute.derivationExpressionFormat != nil
        case "composite": setComposite(of: &attribute, to: try value.text(field, place))
        default: throw ModelEditValue.unknown(field, place)
        }
    }

    private func setType(
        of attribute: inout Attribute,
        to title: String,
        _ place: ModelPlace
    ) throws(ModelSessionError) {
        let types = AttributeType.allCases.filter { $0 != .objectID }
        guard let type = types.first(where: { $0.title == title }) else {
            throw ModelEditValue.notAmong(types.map(\.title), "type", place)
        }
        let formerDefault = attribute.defaultValue.flatMap { AttributeText.text(of: $0) }
        let bounds = AttributeText.bounds(of: attribute)
        attribute.type = type
        // Values that the new type has too are kept.
        attribute.defaultValue = formerDefault.flatMap { try? AttributeText.defaultValue($0, type: type) }
        attribute.common.validations = (try? AttributeText.rules(bounds, type: type)) ?? []
        let scalars: Set<AttributeType> = [.integer16, .integer32, .integer64, .double, .float, .boolean]
        attribute.usesScalarValue = scalars.contains(type)
        if type != .transformable { (attribute.valueTransformerName, attribute.customClassName) = (nil, nil) }
        if type != .binary { attribute.allowsExternalBinaryDataStorage = false }
        if type == .composite {
            if attribute.elements.isEmpty { setComposite(of: &attribute, to: "") }
        } else {
            (attribute.elements, attribute.compositeName) = ([], nil)
        }
    }

    /// Chooses a composite type by its name; an empty name stands for a type named after the attribute.
    ///
    /// A new type begins with one element.
    private func setComposite(of attribute: inout Attribute, to name: String) {
        let compositeName = name.isEmpty ? attribute.name.prefix(1).uppercased() + attribute.name.dropFirst() : name
        attribute.compositeName = compositeName
        attribute.elements =
            elements(ofComposite: compositeName, in: model.entities.flatMap(\.attributes))
            ?? [Attribute(common: PropertyCommon(name: "element"), type: .string)]
    }

    /// The elements of a composite type, which only its attributes have; nil if no attribute is of the type.
    private func elements(ofComposite name: String, in attributes: [Attribute]) -> [Attribute]? {
        for attribute in attributes {
            if attribute.compositeName == name { return attribute.elements }
            if let elements = elements(ofComposite: name, in: attribute.elements) { return elements }
        }
        return nil
    }

    private func defaultValue(
        _ literal: String?,
        _ type: AttributeType,
        _ place: ModelPlace
    ) throws(ModelSessionError) -> DefaultValue? {
        guard var literal else { return nil }
        if type == .date { literal = try seconds(literal, place) }
        return try checked(place) { () throws(ModelProblem) in try AttributeText.defaultValue(literal, type: type) }
    }

    /// A date as seconds since 2001.
    private func seconds(_ literal: String, _ place: ModelPlace) throws(ModelSessionError) -> String {
        guard let seconds = DateText.seconds(literal) else {
            throw ModelSessionError(
                .invalidEdit,
                "\"\(literal)\" is not a date.",
                remedy: "Enter a date such as 2026-01-31 or 2026-01-31T12:00:00Z.",
                place: place
            )
        }
        return Int64(exactly: seconds).map { "\($0)" } ?? "\(seconds)"
    }

    private func checked<Result>(
        _ place: ModelPlace,
        _ body: () throws(ModelProblem) -> Result
    ) throws(ModelSessionError) -> Result {
        do {
            return try body()
        } catch {
            throw ModelSessionError(
                .invalidEdit,
                "\(place.description): \(error.reason)",
                remedy: "The field keeps its value until then.",
                place: place
            )
        }
    }

    // MARK: Relationships

    private mutating func setRelationship(
        _ field: String,
        _ former: Relationship,
        _ entity: Int,
        _ index: Int,
        to value: ModelEditValue,
        _ place: ModelPlace
    ) throws(ModelSessionError) {
        var relationship = former
        let owner = model.entities[entity].name
        switch field {
        case "destination":
            let name = try value.text(field, place)
            _ = try entityIndex(name)
            if name != relationship.destinationEntityName {
                release(former, of: owner)
                relationship.inverseName = nil
                relationship.destinationEntityName = name
            }
        case "inverse":
            release(former, of: owner)
            relationship.inverseName = try value.optionalText(field, place)
            if let name = relationship.inverseName {
                try link(name, of: relationship.destinationEntityName, to: relationship.name, of: owner, place)
            }
        case "isToMany":
            relationship.isToMany = try value.flag(field, place)
            relationship.maxCount = relationship.isToMany ? 0 : 1
            relationship.minCount = relationship.isToMany ? relationship.minCount : min(relationship.minCount, 1)
            if !relationship.isToMany { relationship.isOrdered = false }
        case "isOrdered": relationship.isOrdered = try value.flag(field, place)
        case "minCount": relationship.minCount = try value.count(field, place)
        case "maxCount": relationship.maxCount = try value.count(field, place)
        case "deleteRule":
            let title = try value.text(field, place)
            let rules: [DeleteRule] = [.noAction, .nullify, .cascade, .deny]
            guard let rule = rules.first(where: { $0.title == title }) else {
                throw ModelEditValue.notAmong(rules.map(\.title), field, place)
            }
            relationship.deleteRule = rule
        default: throw ModelEditValue.unknown(field, place)
        }
        model.entities[entity].properties[index] = .relationship(relationship)
    }

    /// Takes the inverse away from the other side of a relationship.
    private mutating func release(_ relationship: Relationship, of owner: String) {
        guard let inverse = relationship.inverseName else { return }
        // The other side may lead to a subentity, which inherits the relationship.
        let owners = Set(family(of: owner).map { model.entities[$0].name })
        for index in model.entities.indices {
            changeRelationships(of: index) { candidate in
                if candidate.name == inverse, candidate.inverseName == relationship.name,
                    owners.contains(candidate.destinationEntityName)
                {
                    candidate.inverseName = nil
                }
            }
        }
    }

    /// Makes two relationships inverses of each other.
    private mutating func link(
        _ name: String,
        of destination: String,
        to relationship: String,
        of owner: String,
        _ place: ModelPlace
    ) throws(ModelSessionError) {
        // The inverse may be inherited by the destination.
        var current: String? = destination
        var seen: Set<String> = []
        while let step = current, seen.insert(step).inserted, let index = try? entityIndex(step) {
            for property in model.entities[index].properties.indices {
                guard case .relationship(var inverse) = model.entities[index].properties[property], inverse.name == name
                else { continue }
                guard name != relationship || step != owner else { return }
                release(inverse, of: step)
                inverse.inverseName = relationship
                // The inverse leads back here, unless it leads to a superentity already.
                if !lineageNames(of: owner).contains(inverse.destinationEntityName) {
                    inverse.destinationEntityName = owner
                }
                model.entities[index].properties[property] = .relationship(inverse)
                return
            }
            current = model.entities[index].superentityName
        }
        throw ModelSessionError(
            .missing,
            "The entity \(destination) has no relationship \(name).",
            remedy: "Add the relationship to \(destination) first, or draw one from card to card.",
            place: place
        )
    }

    private func lineageNames(of entity: String) -> [String] {
        var names: [String] = []
        var current: String? = entity
        while let step = current, !names.contains(step) {
            names.append(step)
            current = model.entity(named: step)?.superentityName
        }
        return names
    }
}
