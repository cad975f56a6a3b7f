// Converts descriptions to values, which the stores, the hashes and the generator use.
import Foundation
import GraphModel
import GraphPredicates

extension NSManagedObjectModel {
    /// The model as values.
    ///
    /// O(n) in its properties.
    package final func graphModel() -> Model {
        Model(
            entities: entities.map(\.schemaEntity),
            configurations: configurationEntities.map { configuration in
                Configuration(name: configuration.name, entityNames: configuration.entities.compactMap(\.name))
            },
            fetchRequestTemplates: templates.map { FetchRequestTemplate($0.request, name: $0.name) },
            versionIdentifiers: versionIdentifiers.compactMap { $0.base as? String }.sorted()
        )
    }
}

extension NSEntityDescription {
    /// The entity as a value, with the properties that it declares itself.
    final var schemaEntity: Entity {
        Entity(
            name: name ?? "",
            className: declaredClassName,
            codeGeneration: codeGeneration,
            superentityName: parent?.name,
            isAbstract: isAbstract,
            properties: ownProperties.compactMap(\.schemaPropertyIfStored),
            uniquenessConstraints: uniquenessConstraintNames,
            indexes: indexes.map(FetchIndex.init),
            compoundIndexes: compoundIndexNames,
            renamingIdentifier: declaredRenamingIdentifier,
            versionHashModifier: versionHashModifier,
            userInfo: textual(userInfo),
            spotlightNameFormat: coreSpotlightDisplayNameExpression.map { "\($0)" }
        )
    }
}

extension NSPropertyDescription {
    /// The property as a value; nil for a computed column, which is not part of a model.
    final var schemaPropertyIfStored: Property? {
        self is NSExpressionDescription ? nil : schemaProperty
    }

    /// The property as a value.
    final var schemaProperty: Property {
        switch self {
        case let attribute as NSAttributeDescription: .attribute(attribute.schemaAttribute)
        case let relationship as NSRelationshipDescription: .relationship(relationship.schemaRelationship)
        case let fetched as NSFetchedPropertyDescription:
            .fetched(FetchedProperty(common: schemaCommon, request: fetched.schemaRequest))
        default: .attribute(Attribute(common: schemaCommon, type: .undefined))
        }
    }

    fileprivate final var schemaCommon: PropertyCommon {
        PropertyCommon(
            name: name,
            isOptional: isOptional,
            isTransient: isTransient,
            isReadOnly: readOnlyMark,
            isIndexed: indexedMark,
            isIndexedBySpotlight: isIndexedBySpotlight,
            isStoredInExternalRecord: externalRecordMark,
            renamingIdentifier: declaredRenamingIdentifier,
            versionHashModifier: versionHashModifier,
            userInfo: textual(userInfo),
            validations: validationPredicates.enumerated().map { index, predicate in
                let warning = index < validationWarnings.count ? validationWarnings[index] : nil
                let code = (warning as? NSNumber)?.intValue
                return ValidationRule(
                    predicateFormat: ModelFormat.text(predicate),
                    warning: code == nil ? warning as? String : nil,
                    errorCode: code
                )
            }
        )
    }
}

extension NSAttributeDescription {
    fileprivate final var schemaAttribute: Attribute {
        let type = GraphModel.AttributeType(rawValue: Int(attributeType.rawValue)) ?? .undefined
        return Attribute(
            common: schemaCommon,
            type: type,
            defaultValue: defaultValue.flatMap { DefaultValue($0, type: type) },
            usesScalarValue: usesScalarValue,
            allowsExternalBinaryDataStorage: allowsExternalBinaryDataStorage,
            preservesValueInHistoryOnDeletion: preservesValueInHistoryOnDeletion,
            allowsCloudEncryption: allowsCloudEncryption,
            valueTransformerName: valueTransformerName,
            customClassName: customClassName,
            derivationExpressionFormat: (self as? NSDerivedAttributeDescription)?.derivationFormat,
            elements: (self as? NSCompositeAttributeDescription)?.elements.map(\.schemaAttribute) ?? [],
            compositeName: (self as? NSCompositeAttributeDescription)?.typeName
        )
    }
}

extension NSRelationshipDescription {
    fileprivate final var schemaRelationship: Relationship {
        Relationship(
            common: schemaCommon,
            destinationEntityName: destinationEntityName ?? "",
            inverseName: inverseRelationship?.name,
            minCount: minCount,
            maxCount: maxCount,
            isToMany: isToMany,
            isOrdered: isOrdered,
            deleteRule: DeleteRule(rawValue: Int(deleteRule.rawValue)) ?? .nullify
        )
    }
}

extension NSFetchedPropertyDescription {
    fileprivate final var schemaRequest: FetchRequestTemplate {
        let requestName = requestName ?? name
        return fetchRequest.map { FetchRequestTemplate($0, name: requestName) }
            ?? FetchRequestTemplate(name: requestName, entityName: "")
    }
}

/// The entries of a userInfo dictionary that a model file can hold.
private func textual(_ userInfo: [AnyHashable: Any]?) -> [String: String] {
    var result: [String: String] = [:]
    for (key, value) in userInfo ?? [:] {
        if let key = key.base as? String { result[key] = value as? String ?? "\(value)" }
    }
    return result
}
