// Models as JSON, with stable keys. Used by `managedgraph model show`, whose help lists them.
import Foundation
import GraphArchives
import GraphModel
import ManagedGraphTools

enum ModelJSON {
    /// A model, with all its entities or only those with the given names.
    static func text(of namedModel: NamedModel, file: String, entities: [String]) -> JSONValue {
        let model = namedModel.model
        let hashes = model.versionHashes()
        let shown = model.entities.filter { entities.isEmpty || entities.contains($0.name) }
        return .object([
            ("file", .string(StoreLocation.shown(file))), ("version", .string(namedModel.name)),
            ("versions", strings(namedModel.versions)),
            ("identifiers", strings(model.versionIdentifiers)), ("checksum", .string(model.versionChecksum())),
            ("entities", .array(shown.map { entity($0, hash: hashes[$0.name]?.base64EncodedString()) })),
            (
                "configurations",
                .object(model.configurations.map { ($0.name, strings($0.entityNames)) })
            ),
            ("templates", .array(model.fetchRequestTemplates.map { request($0) })),
        ])
    }

    private static func strings(_ list: [String]) -> JSONValue { .array(list.map { .string($0) }) }

    private static func userInfo(_ entries: [String: String]) -> JSONValue {
        .object(entries.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })
    }

    private static func entity(_ entity: Entity, hash: String?) -> JSONValue {
        .object([
            ("name", .string(entity.name)), ("class", .string(entity.className)),
            ("codeGeneration", .string(entity.codeGeneration == .manual ? "manual" : entity.codeGeneration.rawValue)),
            ("parent", .string(entity.superentityName)), ("abstract", .boolean(entity.isAbstract)),
            ("renamingIdentifier", .string(entity.renamingIdentifier)),
            ("hashModifier", .string(entity.versionHashModifier)), ("userInfo", userInfo(entity.userInfo)),
            ("hash", .string(hash)), ("attributes", .array(entity.attributes.map(attribute))),
            ("relationships", .array(entity.relationships.map(relationship))),
            (
                "fetchedProperties",
                .array(
                    entity.fetchedProperties.map { fetched in
                        .object(
                            [("name", .string(fetched.name)), ("request", request(fetched.request))]
                                + common(fetched.common)
                        )
                    }
                )
            ),
            ("indexes", .array(entity.indexes.map(index))),
            ("compoundIndexes", .array(entity.compoundIndexes.map(strings))),
            ("constraints", .array(entity.uniquenessConstraints.map(strings))),
        ])
    }

    private static func common(_ common: PropertyCommon) -> [(String, JSONValue)] {
        [
            ("indexed", .boolean(common.isIndexed)), ("spotlight", .boolean(common.isIndexedBySpotlight)),
            ("validations", strings(common.validations.map(\.predicateFormat))),
            ("renamingIdentifier", .string(common.renamingIdentifier)),
            ("hashModifier", .string(common.versionHashModifier)), ("userInfo", userInfo(common.userInfo)),
        ]
    }

    private static func attribute(_ attribute: Attribute) -> JSONValue {
        .object(
            [
                ("name", .string(attribute.name)), ("type", .string(attribute.type.title)),
                ("optional", .boolean(attribute.common.isOptional)),
                ("transient", .boolean(attribute.common.isTransient)),
                ("default", .string(attribute.defaultValue?.title)), ("scalar", .boolean(attribute.usesScalarValue)),
                ("derivation", .string(attribute.derivationExpressionFormat)),
                ("transformer", .string(attribute.valueTransformerName)),
                ("valueClass", .string(attribute.customClassName)),
                ("external", .boolean(attribute.allowsExternalBinaryDataStorage)),
                ("preserved", .boolean(attribute.preservesValueInHistoryOnDeletion)),
                ("encrypted", .boolean(attribute.allowsCloudEncryption)),
            ] + common(attribute.common) + [("elements", .array(attribute.elements.map(self.attribute)))]
        )
    }

    private static func relationship(_ relationship: Relationship) -> JSONValue {
        .object(
            [
                ("name", .string(relationship.name)), ("destination", .string(relationship.destinationEntityName)),
                ("inverse", .string(relationship.inverseName)), ("toMany", .boolean(relationship.isToMany)),
                ("ordered", .boolean(relationship.isOrdered)), ("min", .number(relationship.minCount)),
                ("max", .number(relationship.maxCount)), ("deleteRule", .string(relationship.deleteRule.title)),
                ("optional", .boolean(relationship.common.isOptional)),
                ("transient", .boolean(relationship.common.isTransient)),
            ] + common(relationship.common)
        )
    }

    private static func index(_ index: FetchIndex) -> JSONValue {
        .object([
            ("name", .string(index.name)), ("partial", .string(index.partialPredicateFormat)),
            (
                "elements",
                .array(
                    index.elements.map { element in
                        .object([
                            ("property", .string(element.propertyName)),
                            ("expression", .string(element.expressionFormat)),
                            ("ascending", .boolean(element.isAscending)), ("rtree", .boolean(element.isRTree)),
                        ])
                    }
                )
            ),
        ])
    }

    private static func request(_ request: FetchRequestTemplate) -> JSONValue {
        .object([
            ("name", .string(request.name)), ("entity", .string(request.entityName)),
            ("predicate", .string(request.predicateFormat)),
            ("sort", strings(request.sortKeys.map { ($0.ascending ? "" : "-") + $0.key })),
            ("limit", .number(request.fetchLimit)), ("batch", .number(request.fetchBatchSize)),
            ("resultType", .number(request.resultType)),
        ])
    }
}
