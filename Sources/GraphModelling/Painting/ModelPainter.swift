// Describes a document as the values that pages show. Called by ModelSession. It changes nothing.
import Foundation
import GraphModel
import GraphModelFiles
import GraphSQL

/// Creates the pictures of one version.
struct ModelPainter {
    let document: ModelDocument
    private let model: Model
    private let byName: [String: Entity]
    private let hashes: [String: Data]

    init(_ document: ModelDocument) {
        self.document = document
        model = document.model
        byName = model.entitiesByName()
        hashes = document.usableModel.versionHashes()
    }

    /// The checksum of the version.
    var checksum: String { Model.checksum(of: hashes) }

    /// The entities, or only those that differ from another model's.
    func entities(changedSince former: Model?) -> [EntityPicture] {
        let before = former.map { ModelPainter.lines(of: $0) }
        let after = former.map { _ in ModelPainter.lines(of: model) }
        return model.entities.enumerated().compactMap { index, item in
            if let before, let after, before[item.name] == after[item.name] { return nil }
            return entity(item, index)
        }
    }

    /// Each entity with those it inherits from, which decide its picture and its hash.
    private static func lines(of model: Model) -> [String: [Entity]] {
        let byName = model.entitiesByName()
        return byName.mapValues { entity in
            var line = [entity]
            var seen: Set<String> = [entity.name]
            while let name = line.last?.superentityName, seen.insert(name).inserted, let parent = byName[name] {
                line.append(parent)
            }
            return line
        }
    }

    private func entity(_ entity: Entity, _ index: Int) -> EntityPicture {
        let className = EntityClassName(entity.className)
        return EntityPicture(
            name: entity.name,
            className: className.name,
            module: className.module,
            codeGeneration: entity.codeGeneration.title,
            superentity: entity.superentityName,
            isAbstract: entity.isAbstract,
            renamingIdentifier: entity.renamingIdentifier,
            hashModifier: entity.versionHashModifier,
            spotlightName: entity.spotlightNameFormat,
            userInfo: entity.userInfo,
            constraints: entity.uniquenessConstraints,
            indexes: entity.indexes.map { index in
                IndexPicture(
                    name: index.name,
                    elements: index.elements.map {
                        IndexElementPicture(
                            property: $0.propertyName,
                            expression: $0.expressionFormat,
                            isRTree: $0.isRTree,
                            isAscending: $0.isAscending
                        )
                    },
                    predicate: index.partialPredicateFormat
                )
            },
            compoundIndexes: entity.compoundIndexes,
            properties: entity.properties.map { property($0) },
            inherited: inherited(by: entity),
            hash: hashes[entity.name]?.hexadecimal ?? "",
            sortOrder: index
        )
    }

    private func inherited(by entity: Entity) -> [InheritedProperty] {
        var above: [Entity] = []
        var seen: Set<String> = [entity.name]
        var current = entity
        while let name = current.superentityName, seen.insert(name).inserted, let parent = byName[name] {
            above.append(parent)
            current = parent
        }
        return above.reversed().flatMap { parent in
            parent.properties.map { property in
                InheritedProperty(
                    entity: parent.name,
                    name: property.name,
                    kind: property.kind,
                    summary: FieldText.summary(property)
                )
            }
        }
    }

    private func property(_ property: Property) -> PropertyPicture {
        let common = property.common
        var picture = PropertyPicture(
            kind: property.kind,
            name: common.name,
            isOptional: common.isOptional,
            isTransient: common.isTransient,
            isReadOnly: common.isReadOnly,
            isIndexed: common.isIndexed,
            isSpotlight: common.isIndexedBySpotlight,
            isStoredInTruthFile: common.isStoredInExternalRecord,
            renamingIdentifier: common.renamingIdentifier,
            hashModifier: common.versionHashModifier,
            userInfo: common.userInfo,
            summary: FieldText.summary(property)
        )
        switch property {
        case .attribute(let attribute): add(attribute, to: &picture)
        case .relationship(let relationship):
            picture.destination = relationship.destinationEntityName
            picture.inverse = relationship.inverseName
            picture.isToMany = relationship.isToMany
            picture.isOrdered = relationship.isOrdered
            picture.minCount = relationship.minCount
            picture.maxCount = relationship.maxCount
            picture.deleteRule = relationship.deleteRule.title
        case .fetched(let fetched): picture.request = RequestPicture(fetched.request)
        }
        return picture
    }

    private func add(_ attribute: Attribute, to picture: inout PropertyPicture) {
        let bounds = AttributeText.bounds(of: attribute)
        let isDate = attribute.type == .date
        func text(_ bound: String?) -> String? {
            isDate ? bound.flatMap(Double.init).map(DateText.text) ?? bound : bound
        }
        picture.type = attribute.type.title
        picture.defaultValue = text(attribute.defaultValue.flatMap { AttributeText.text(of: $0) })
        picture.usesScalar = attribute.usesScalarValue
        picture.isExternal = attribute.allowsExternalBinaryDataStorage
        picture.isPreserved = attribute.preservesValueInHistoryOnDeletion
        picture.isEncrypted = attribute.allowsCloudEncryption
        picture.transformer = attribute.valueTransformerName
        picture.valueClass = attribute.customClassName
        picture.derivation = attribute.derivationExpressionFormat
        (picture.minimum, picture.maximum) = (text(bounds.minimum), text(bounds.maximum))
        picture.pattern = bounds.pattern
        guard attribute.type == .composite else { return }
        picture.composite = attribute.compositeName
        picture.elements = attribute.elements.map { property(.attribute($0)) }
    }

    // MARK: The parts of the model itself

    var requests: [RequestPicture] { model.fetchRequestTemplates.map { RequestPicture($0) } }

    var configurations: [ConfigurationPicture] {
        model.configurations.map {
            ConfigurationPicture(
                name: $0.name,
                entities: $0.entityNames,
                isUsedWithCloudKit: document[configuration: $0.name, "usedWithCloudKit"] == "YES"
            )
        }
    }

    var composites: [String] {
        func names(_ attribute: Attribute) -> [String] {
            [attribute.compositeName].compactMap(\.self) + attribute.elements.flatMap(names)
        }
        return Set(model.entities.flatMap(\.attributes).flatMap(names)).sorted()
    }

    var positions: [CardPosition] {
        (document.diagram ?? []).filter { byName[$0.name] != nil }.map {
            CardPosition(
                entity: $0.name,
                x: $0.x,
                y: $0.y,
                width: $0.width.isFinite ? $0.width : nil,
                height: $0.height.isFinite ? $0.height : nil
            )
        }
        .filter(\.isInDiagram)
    }

    var settings: ModelSettings {
        ModelSettings(
            identifier: model.versionIdentifiers.first,
            language: document[header: "sourceLanguage"],
            minimumTools: document[header: "minimumToolsVersion"],
            isUsedWithCloudKit: document[header: "usedWithCloudKit"] == "YES",
            isUsedWithSwiftData: document[header: "usedWithSwiftData"] == "YES",
            tools: document[header: "lastSavedToolsVersion"]
        )
    }

    var problems: [ProblemPicture] {
        let findings = document.findings + FetchChecker.unreadableFormats(of: model)
        let requests = FetchChecker.brokenRequests(of: model).map { broken in
            ProblemPicture(
                level: broken.finding.level.rawValue,
                place: ModelPlace(
                    entity: broken.property == nil ? nil : broken.entity,
                    property: broken.property,
                    request: broken.template
                ),
                reason: broken.reason
            )
        }
        return findings.map { problem in
            ProblemPicture(level: problem.level.rawValue, place: place(of: problem), reason: problem.reason)
        } + requests
    }

    private func place(of problem: ModelProblem) -> ModelPlace {
        if problem.entity != nil { return ModelPlace(entity: problem.entity, property: problem.property) }
        return ModelPlace(request: problem.template, configuration: problem.configuration)
    }
}

extension ModelDocument {
    /// The model as Apple's compiler takes it: without the parts that it drops.
    var usableModel: Model { model.usablePart(findings) }

    /// The first problem that makes the model unusable.
    var firstError: ModelProblem? { findings.first { $0.level == .error } }
}

extension Property {
    var kind: PropertyKind {
        switch self {
        case .attribute: .attribute
        case .relationship: .relationship
        case .fetched: .fetched
        }
    }
}

extension Data {
    var hexadecimal: String {
        map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    }
}

extension RequestPicture {
    /// The result types by the raw values of `NSFetchRequestResultType`.
    static let resultTypes: [(value: Int, title: String)] = [
        (0, "Objects"), (1, "Object IDs"), (2, "Dictionaries"), (4, "Count"),
    ]

    init(_ request: FetchRequestTemplate) {
        self.init(
            name: request.name,
            entity: request.entityName,
            predicate: request.predicateFormat,
            fetchLimit: request.fetchLimit,
            batchSize: request.fetchBatchSize,
            resultType: Self.resultTypes.first { $0.value == request.resultType }?.title ?? "\(request.resultType)",
            includesSubentities: request.includesSubentities,
            includesPropertyValues: request.includesPropertyValues,
            returnsFaults: request.returnsObjectsAsFaults,
            returnsDistinct: request.returnsDistinctResults,
            includesPending: request.includesPendingChanges
        )
    }
}
