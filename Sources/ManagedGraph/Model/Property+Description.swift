// Conversion of properties as values to descriptions. Called by ModelBuilder.
import Foundation
import GraphModel
import GraphPredicates

extension Property {
    /// The value as a description without links to entities; those are set when all entities are there.
    ///
    /// - Throws: The defect of a format in it.
    func makeDescription() throws -> NSPropertyDescription {
        let description: NSPropertyDescription =
            switch self {
            case .attribute(let attribute): try attribute.makeDescription()
            case .relationship(let relationship): relationship.makeDescription()
            case .fetched(let fetched): try fetched.makeDescription()
            }
        try common.apply(to: description)
        return description
    }
}

extension PropertyCommon {
    fileprivate func apply(to description: NSPropertyDescription) throws {
        description.name = name
        description.isOptional = isOptional
        description.isTransient = isTransient
        description.readOnlyMark = isReadOnly
        description.indexedMark = isIndexed
        description.externalRecordMark = isStoredInExternalRecord
        description.isIndexedBySpotlight = isIndexedBySpotlight
        description.renamingIdentifier = renamingIdentifier
        description.versionHashModifier = versionHashModifier
        description.userInfo = userInfo
        guard !validations.isEmpty else { return }
        description.setValidationPredicates(
            try validations.map { try ModelFormat.predicate($0.predicateFormat) },
            withValidationWarnings: validations.map { rule in
                rule.errorCode.map { NSNumber(value: $0) } ?? rule.warning as Any?
                    ?? NSNumber(value: NSManagedObjectValidationError)
            }
        )
    }
}

extension Attribute {
    fileprivate func makeDescription() throws -> NSAttributeDescription {
        let description: NSAttributeDescription
        if let derivationExpressionFormat {
            let derived = NSDerivedAttributeDescription()
            derived.setDerivation(
                try ModelFormat.expression(derivationExpressionFormat),
                format: derivationExpressionFormat
            )
            description = derived
        } else if type == .composite {
            let composite = NSCompositeAttributeDescription()
            composite.elements = try elements.map { element in
                let elementDescription = try element.makeDescription()
                try element.common.apply(to: elementDescription)
                return elementDescription
            }
            composite.typeName = compositeName
            description = composite
        } else {
            description = NSAttributeDescription()
        }
        description.attributeType = NSAttributeType(rawValue: UInt(type.rawValue)) ?? .undefinedAttributeType
        description.defaultValue = defaultValue.flatMap(\.value)
        description.usesScalarValue = usesScalarValue
        description.allowsExternalBinaryDataStorage = allowsExternalBinaryDataStorage
        description.preservesValueInHistoryOnDeletion = preservesValueInHistoryOnDeletion
        description.allowsCloudEncryption = allowsCloudEncryption
        description.valueTransformerName = valueTransformerName
        description.attributeValueClassName = customClassName
        return description
    }
}

extension Relationship {
    fileprivate func makeDescription() -> NSRelationshipDescription {
        let description = NSRelationshipDescription()
        description.minCount = minCount
        description.maxCount = maxCount
        description.declaredToMany = isToMany
        description.isOrdered = isOrdered
        description.deleteRule = NSDeleteRule(rawValue: UInt(deleteRule.rawValue)) ?? .nullifyDeleteRule
        return description
    }
}

extension FetchedProperty {
    fileprivate func makeDescription() throws -> NSFetchedPropertyDescription {
        let description = NSFetchedPropertyDescription()
        // The model may give it no request; then it is empty.
        if !request.entityName.isEmpty { description.fetchRequest = try request.makeRequest() }
        description.requestName = request.name
        return description
    }
}
