// Infers the mapping between two versions of a model, by Apple's rules for lightweight migration. Called by
// NSMappingModel.inferredMappingModel and by the coordinator. Collects all problems before it fails.
import Foundation

/// Compares two versions of a model.
package struct MappingInference {
    private let source: Model
    private let destination: Model
    private let sourceEntities: [String: Entity]
    private let destinationEntities: [String: Entity]
    /// Source entities by destination entity.
    private let matched: [String: String]
    /// The properties of each entity, including inherited ones.
    private let sourceProperties: [String: [Property]]
    private let destinationProperties: [String: [Property]]
    /// Each source entity and its subentities, by its name.
    private let sourceFamilies: [String: Set<String>]
    /// Each destination entity and its subentities, by its name.
    private let families: [String: Set<String>]
    private let sourceHashes: [String: Data]
    private let destinationHashes: [String: Data]
    private var problems: [MappingProblems.Problem] = []

    private init(_ old: HashedModel, _ new: HashedModel) {
        (source, destination) = (old.model, new.model)
        (sourceHashes, destinationHashes) = (old.hashes, new.hashes)
        sourceEntities = source.entitiesByName()
        destinationEntities = destination.entitiesByName()
        sourceProperties = source.propertiesByEntity(sourceEntities)
        destinationProperties = destination.propertiesByEntity(destinationEntities)
        sourceFamilies = source.familiesByEntity(sourceEntities)
        families = destination.familiesByEntity(destinationEntities)
        matched = NameMatching.match(
            source: source.entities.map { VersionedName(name: $0.name, renamingIdentifier: $0.renamingIdentifier) },
            destination: destination.entities.map {
                VersionedName(name: $0.name, renamingIdentifier: $0.renamingIdentifier)
            }
        )
    }

    /// Infers the mapping from one model to another; O(n) in their properties.
    ///
    /// - Parameters:
    ///   - source: The older version.
    ///   - destination: The newer version.
    /// - Returns: The mapping.
    /// - Throws: `MappingProblems` if a change needs a mapping model.
    package static func infer(from source: Model, to destination: Model) throws(MappingProblems) -> ModelMapping {
        try infer(from: HashedModel(source), to: HashedModel(destination))
    }

    /// Infers the mapping from one model to another with known hashes.
    ///
    /// - Parameters:
    ///   - source: The older version.
    ///   - destination: The newer version.
    /// - Returns: The mapping.
    /// - Throws: `MappingProblems` if a change needs a mapping model.
    package static func infer(
        from source: HashedModel,
        to destination: HashedModel
    ) throws(MappingProblems) -> ModelMapping {
        ModelWork.current?.countInference()
        var inference = MappingInference(source, destination)
        let mapping = inference.mapping()
        guard inference.problems.isEmpty else { throw MappingProblems(problems: inference.problems) }
        return mapping
    }

    private mutating func mapping() -> ModelMapping {
        checkHierarchies()
        let matchedNames = Set(matched.values)
        var pairs = source.entities.filter { !matchedNames.contains($0.name) }.map {
            EntityPair(kind: .remove, source: $0.name, destination: nil)
        }
        for entity in destination.entities {
            guard let former = matched[entity.name].flatMap({ sourceEntities[$0] }) else {
                pairs.append(added(entity))
                continue
            }
            let relationships = relationships(of: entity, former)
            // Another entity may have got the name of a relationship's destination, which the hash includes.
            let isSame =
                sourceHashes[former.name] == destinationHashes[entity.name] && former.name == entity.name
                && relationships.allSatisfy { $0.source != nil }
            pairs.append(
                EntityPair(
                    kind: isSame ? .copy : .transform,
                    source: former.name,
                    destination: entity.name,
                    attributes: attributes(of: entity, former),
                    relationships: relationships
                )
            )
        }
        return ModelMapping(entities: pairs)
    }

    private func added(_ entity: Entity) -> EntityPair {
        let properties = destinationProperties[entity.name] ?? []
        return EntityPair(
            kind: .add,
            source: nil,
            destination: entity.name,
            attributes: MappingInference.stored(properties).map {
                PropertyPair(source: nil, destination: $0.path)
            },
            relationships: MappingInference.relationships(properties).map {
                PropertyPair(source: nil, destination: $0.name)
            }
        )
    }

    private mutating func report(_ entity: Entity, _ property: String?, _ reason: String) {
        problems.append(.init(entity: entity.name, property: property, reason: reason))
    }

    // MARK: Hierarchies

    /// Entities without a common root cannot get one: keys of their rows would collide.
    private mutating func checkHierarchies() {
        var roots: [String: (source: String, entity: String)] = [:]
        for entity in destination.entities {
            guard let former = matched[entity.name].flatMap({ sourceEntities[$0] }),
                let root = destination.lineage(of: entity, in: destinationEntities).first?.name,
                let formerRoot = source.lineage(of: former, in: sourceEntities).first?.name
            else { continue }
            if let earlier = roots[root], earlier.source != formerRoot {
                report(
                    entity,
                    nil,
                    "\(entity.name) and \(earlier.entity) shared no parent before and cannot be given the common parent "
                        + "\(root)"
                )
            } else {
                roots[root] = (formerRoot, entity.name)
            }
        }
    }

    // MARK: Attributes

    /// A stored attribute; elements of composites have dotted paths.
    package struct StoredAttribute {
        package var path: String
        package var attribute: Attribute
        /// Elements are optional if their composite is.
        package var isOptional: Bool
    }

    package static func stored(_ properties: [Property]) -> [StoredAttribute] {
        var result: [StoredAttribute] = []
        func add(_ attribute: Attribute, _ prefix: String, _ isOptional: Bool) {
            guard !attribute.common.isTransient else { return }
            let path = prefix + attribute.name
            let mayMiss = isOptional || attribute.common.isOptional
            guard attribute.type == .composite else {
                result.append(StoredAttribute(path: path, attribute: attribute, isOptional: mayMiss))
                return
            }
            for element in attribute.elements { add(element, path + ".", mayMiss) }
        }
        for case .attribute(let attribute) in properties { add(attribute, "", false) }
        return result
    }

    private mutating func attributes(of entity: Entity, _ former: Entity) -> [PropertyPair] {
        let new = MappingInference.stored(destinationProperties[entity.name] ?? [])
        let old = MappingInference.stored(sourceProperties[former.name] ?? [])
        let names = NameMatching.match(
            source: MappingInference.names((sourceProperties[former.name] ?? []), old),
            destination: MappingInference.names((destinationProperties[entity.name] ?? []), new)
        )
        let oldByPath = Dictionary(old.map { ($0.path, $0) }) { first, _ in first }
        return new.map { item in
            let before = names[item.path].flatMap { oldByPath[$0] }
            check(item, before, entity)
            return PropertyPair(source: before?.path, destination: item.path)
        }
    }

    /// Elements are named by their composite's canonical name, so that both may be renamed.
    private static func names(_ properties: [Property], _ stored: [StoredAttribute]) -> [VersionedName] {
        stored.map { item in
            guard let dot = item.path.firstIndex(of: ".") else {
                return VersionedName(name: item.path, renamingIdentifier: item.attribute.common.renamingIdentifier)
            }
            let composite = properties.first { $0.name == item.path[..<dot] }
            var parts = item.path.split(separator: ".").map(String.init)
            if let former = composite?.common.renamingIdentifier { parts[0] = former }
            if let former = item.attribute.common.renamingIdentifier { parts[parts.count - 1] = former }
            let canonical = parts.joined(separator: ".")
            return VersionedName(name: item.path, renamingIdentifier: canonical == item.path ? nil : canonical)
        }
    }

    private mutating func check(_ new: StoredAttribute, _ old: StoredAttribute?, _ entity: Entity) {
        if let old, old.attribute.type != new.attribute.type,
            NumberConversion(from: old.attribute.type, to: new.attribute.type) == nil
        {
            report(
                entity,
                new.path,
                "Source and destination attribute types are incompatible: \(old.attribute.type.title) cannot become "
                    + "\(new.attribute.type.title), as only numbers are converted, among themselves"
            )
            return
        }
        guard !new.isOptional, new.attribute.defaultValue == nil, new.attribute.derivationExpressionFormat == nil else {
            return
        }
        if old == nil {
            report(
                entity,
                new.path,
                "Validation error missing attribute values on mandatory destination attribute: it is new, required and "
                    + "has no default value"
            )
        } else if old?.isOptional == true {
            report(
                entity,
                new.path,
                "Validation error missing attribute values on mandatory destination attribute: it was optional, is "
                    + "required now and has no default value"
            )
        }
    }

    // MARK: Relationships

    package static func relationships(_ properties: [Property]) -> [Relationship] {
        properties.compactMap {
            if case .relationship(let relationship) = $0, !relationship.common.isTransient { relationship } else { nil }
        }
    }

    private mutating func relationships(of entity: Entity, _ former: Entity) -> [PropertyPair] {
        let new = MappingInference.relationships(destinationProperties[entity.name] ?? [])
        let old = MappingInference.relationships(sourceProperties[former.name] ?? [])
        let names = NameMatching.match(source: old.map(\.versionedName), destination: new.map(\.versionedName))
        let oldByName = Dictionary(old.map { ($0.name, $0) }) { first, _ in first }
        return new.map { relationship in
            guard let before = names[relationship.name].flatMap({ oldByName[$0] }),
                keepsDestinations(relationship, before)
            else { return PropertyPair(source: nil, destination: relationship.name) }
            check(relationship, before, entity)
            return PropertyPair(source: before.name, destination: relationship.name)
        }
    }

    /// Whether objects that the old relationship led to can be destinations of the new one.
    ///
    /// If none can, the relationship is empty: the keys of its objects must not be taken for those of other objects.
    private func keepsDestinations(_ new: Relationship, _ old: Relationship) -> Bool {
        guard let former = sourceFamilies[old.destinationEntityName] else { return true }
        return family(of: new.destinationEntityName).contains { matched[$0].map(former.contains) == true }
    }

    private mutating func check(_ new: Relationship, _ old: Relationship, _ entity: Entity) {
        if old.isToMany, !new.isToMany {
            report(entity, new.name, "a to-many relationship cannot become a to-one relationship")
        }
        let family = family(of: new.destinationEntityName)
        let formerFamily = sourceFamilies[old.destinationEntityName] ?? []
        // In the model's order, so that a program reports the same entity each time.
        for target in destination.entities where !family.contains(target.name) {
            guard let formerName = matched[target.name], formerFamily.contains(formerName),
                let former = sourceEntities[formerName], !former.isAbstract
            else { continue }
            // Objects that move to another table are found there no more, and leave the relationship.
            if root(of: target.name) != root(of: new.destinationEntityName) { continue }
            report(
                entity,
                new.name,
                "it led to \(old.destinationEntityName) and is to lead to \(new.destinationEntityName), which is "
                    + "something else than what \(formerName) has become"
            )
            return
        }
        guard let inverse = new.inverseName, let formerInverse = old.inverseName,
            let formerTarget = matched[new.destinationEntityName]
        else { return }
        let names = NameMatching.match(
            source: MappingInference.relationships(sourceProperties[formerTarget] ?? [])
                .map(\.versionedName),
            destination: MappingInference.relationships(
                (destinationProperties[new.destinationEntityName] ?? [])
            )
            .map(\.versionedName)
        )
        if let formerName = names[inverse], formerName != formerInverse, names.values.contains(formerInverse) {
            report(entity, new.name, "its inverse was \(formerInverse) and is to be \(inverse), which was another one")
        }
    }

    private func family(of name: String) -> Set<String> { families[name] ?? [] }

    /// The entity at the top of a hierarchy of the destination.
    private func root(of name: String) -> String? {
        destinationEntities[name].flatMap { destination.lineage(of: $0, in: destinationEntities).first?.name }
    }
}

extension Relationship {
    fileprivate var versionedName: VersionedName {
        VersionedName(name: name, renamingIdentifier: common.renamingIdentifier)
    }
}
