// Compares two versions of a model. Called by `managedgraph model diff`. NameMatching determines the counterparts, as
// in a migration; values only.
import Foundation

/// A comparison of an older and a newer version.
package struct ModelComparison {
    let old: Model
    let new: Model
    private let oldEntities: [String: Entity]
    private let newEntities: [String: Entity]
    /// Old entity names by new ones.
    private let matched: [String: String]
    private let oldHashes: [String: Data]
    private let newHashes: [String: Data]

    private init(_ source: HashedModel, _ destination: HashedModel) {
        (old, new) = (source.model, destination.model)
        (oldHashes, newHashes) = (source.hashes, destination.hashes)
        oldEntities = old.entitiesByName()
        newEntities = new.entitiesByName()
        matched = NameMatching.match(
            source: old.entities.map(\.versionedName),
            destination: new.entities.map(\.versionedName)
        )
    }

    /// The differences of two versions; O(n) in their properties, times the depth of their hierarchies.
    ///
    /// - Parameters:
    ///   - old: The older version.
    ///   - new: The newer version.
    /// - Returns: The additions, removals, renamings, moves and changes.
    package static func differences(from old: Model, to new: Model) -> ModelDifference {
        differences(from: HashedModel(old), to: HashedModel(new))
    }

    /// The differences of two versions with known hashes.
    ///
    /// - Parameters:
    ///   - old: The older version.
    ///   - new: The newer version.
    /// - Returns: The additions, removals, renamings, moves and changes.
    package static func differences(from old: HashedModel, to new: HashedModel) -> ModelDifference {
        let comparison = ModelComparison(old, new)
        return ModelDifference(
            entities: comparison.entities(),
            changes: comparison.modelChanges(),
            hasEqualHashes: comparison.oldHashes == comparison.newHashes
        )
    }

    private func entities() -> [EntityDifference] {
        let matchedNames = Set(matched.values)
        let removed = old.entities.filter { !matchedNames.contains($0.name) }.map { whole($0, .removed) }
        return removed
            + new.entities.compactMap { entity in
                guard let former = matched[entity.name].flatMap({ oldEntities[$0] }) else {
                    return whole(entity, .added)
                }
                return difference(from: former, to: entity)
            }
    }

    private func whole(_ entity: Entity, _ kind: DifferenceKind) -> EntityDifference {
        EntityDifference(
            kind: kind,
            name: entity.name,
            changes: [],
            properties: entity.properties.map { whole($0, kind) },
            isHashChanged: true
        )
    }

    private func whole(_ property: Property, _ kind: DifferenceKind) -> PropertyDifference {
        PropertyDifference(
            kind: kind,
            name: property.name,
            sort: property.sort,
            summary: FieldText.summary(property),
            changes: [],
            isHashChanged: property.isHashedByEntity
        )
    }

    private func difference(from former: Entity, to entity: Entity) -> EntityDifference? {
        // Most entities of a new version are unchanged.
        let isSame = former == entity
        let fields = isSame ? [] : ComparedField<Entity>.entity
        var changes = fields.compactMap { field in
            field.change(from: former, to: entity) {
                Data(VersionHashing.hash(of: $0, superentityHash: nil, properties: []))
            }
        }
        if former.superentityName != entity.superentityName {
            changes.insert(
                FieldChange(
                    field: "parent",
                    before: former.superentityName,
                    after: entity.superentityName,
                    isHashed: true
                ),
                at: 0
            )
        }
        let properties = isSame ? [] : properties(from: former, to: entity)
        let isRenamed = former.name != entity.name
        let isHashChanged = isRenamed || oldHashes[former.name] != newHashes[entity.name]
        guard isRenamed || isHashChanged || !changes.isEmpty || !properties.isEmpty else { return nil }
        return EntityDifference(
            kind: isRenamed ? .renamed : .changed,
            name: entity.name,
            formerName: isRenamed ? former.name : nil,
            changes: changes,
            properties: properties,
            isHashChanged: isHashChanged
        )
    }

    // MARK: Properties

    private func properties(from former: Entity, to entity: Entity) -> [PropertyDifference] {
        let before = old.lineage(of: former, in: oldEntities).flatMap(\.properties)
        let after = new.lineage(of: entity, in: newEntities).flatMap(\.properties)
        let names = ModelComparison.match(before, after)
        let matchedNames = Set(names.values)
        var result = former.properties.filter { !matchedNames.contains($0.place) }.compactMap { property in
            // Report a property that was moved to subentities on those subentities.
            hasMovedDown(property, from: former, to: entity.name) ? nil : whole(property, .removed)
        }
        for property in entity.properties {
            guard let place = names[property.place], let counterpart = before.first(where: { $0.place == place }) else {
                if let (owner, counterpart) = movedUp(property, to: entity) {
                    if let change = difference(from: counterpart, to: property, movedFrom: owner) {
                        result.append(change)
                    }
                } else {
                    result.append(whole(property, .added))
                }
                continue
            }
            let owner = old.lineage(of: former, in: oldEntities).last { $0.properties.contains(counterpart) }
            if let change = difference(
                from: counterpart,
                to: property,
                movedFrom: owner?.name == former.name ? nil : owner?.name
            ) {
                result.append(change)
            }
        }
        return result
    }

    private func difference(
        from former: Property,
        to property: Property,
        movedFrom owner: String?
    ) -> PropertyDifference? {
        let changes = ModelComparison.changes(from: former, to: property)
        let isRenamed = former.name != property.name
        guard isRenamed || owner != nil || !changes.isEmpty else { return nil }
        let isCounted = former.isHashedByEntity || property.isHashedByEntity
        return PropertyDifference(
            kind: isRenamed ? .renamed : owner != nil ? .moved : .changed,
            name: property.name,
            formerName: isRenamed ? former.name : nil,
            formerEntity: owner,
            sort: property.sort,
            summary: FieldText.summary(property),
            changes: changes,
            isHashChanged: isCounted && former.versionHash != property.versionHash
        )
    }

    /// The changes between two properties of the same kind.
    static func changes(from former: Property, to property: Property) -> [FieldChange] {
        func compare<Whole>(
            _ fields: [ComparedField<Whole>],
            _ old: Whole,
            _ new: Whole,
            _ property: (Whole) -> Property
        ) -> [FieldChange] {
            fields.compactMap { field in
                field.change(from: old, to: new) { version in
                    let property = property(version)
                    return property.isHashedByEntity ? property.versionHash : Data()
                }
            }
        }
        let common = compare(ComparedField<PropertyCommon>.common, former.common, property.common) { common in
            var probe = former
            probe.common = common
            return probe
        }
        switch (former, property) {
        case (.attribute(let old), .attribute(let new)):
            return compare(ComparedField<Attribute>.attribute, old, new) { .attribute($0) } + common
        case (.relationship(let old), .relationship(let new)):
            return compare(ComparedField<Relationship>.relationship, old, new) { .relationship($0) } + common
        case (.fetched(let old), .fetched(let new)):
            let (before, after) = (FieldText.request(old.request), FieldText.request(new.request))
            guard before != after else { return common }
            return [FieldChange(field: "request", before: before, after: after, isHashed: false)] + common
        default:
            return common
        }
    }

    /// The old entity and property of a property that moved to a superentity.
    private func movedUp(_ property: Property, to entity: Entity) -> (String, Property)? {
        for sub in new.entities where sub.name != entity.name {
            guard new.lineage(of: sub, in: newEntities).contains(where: { $0.name == entity.name }),
                let former = matched[sub.name].flatMap({ oldEntities[$0] }),
                let place = ModelComparison.match(former.properties, [property])[property.place],
                let formerProperty = former.properties.first(where: { $0.place == place })
            else { continue }
            return (former.name, formerProperty)
        }
        return nil
    }

    /// Whether a subentity now declares a property of this entity.
    private func hasMovedDown(_ property: Property, from former: Entity, to name: String) -> Bool {
        new.entities.contains { sub in
            guard sub.name != name, let before = matched[sub.name].flatMap({ oldEntities[$0] }) else {
                return false
            }
            return old.lineage(of: before, in: oldEntities).contains { $0.name == former.name }
                && !ModelComparison.match([property], sub.properties).isEmpty
        }
    }

    /// The old places by the new ones, matched separately for attributes, relationships and fetched properties.
    static func match(_ before: [Property], _ after: [Property]) -> [Property.Place: Property.Place] {
        var result: [Property.Place: Property.Place] = [:]
        for sort in ["attribute", "relationship", "fetched property"] {
            let names = NameMatching.match(
                source: before.filter { $0.sort == sort }.map(\.versionedName),
                destination: after.filter { $0.sort == sort }.map(\.versionedName)
            )
            for (new, old) in names { result[.init(sort: sort, name: new)] = .init(sort: sort, name: old) }
        }
        return result
    }

    // MARK: The model itself

    private func modelChanges() -> [FieldChange] {
        func compare(_ field: String, _ before: [(String, String)], _ after: [(String, String)]) -> [FieldChange] {
            let (before, after) = (Dictionary(before) { $1 }, Dictionary(after) { $1 })
            return Set(before.keys).union(after.keys).sorted().compactMap { name in
                guard before[name] != after[name] else { return nil }
                return FieldChange(
                    field: "\(field) \(name)",
                    before: before[name],
                    after: after[name],
                    isHashed: false
                )
            }
        }
        let identifiers = [old, new].map { FieldText.list($0.versionIdentifiers.sorted()) }
        var changes = compare(
            "configuration",
            old.configurations.map { ($0.name, $0.entityNames.sorted().joined(separator: ", ")) },
            new.configurations.map { ($0.name, $0.entityNames.sorted().joined(separator: ", ")) }
        )
        changes += compare(
            "fetch request",
            old.fetchRequestTemplates.map { ($0.name, FieldText.request($0)) },
            new.fetchRequestTemplates.map { ($0.name, FieldText.request($0)) }
        )
        if identifiers[0] != identifiers[1] {
            changes.append(
                FieldChange(
                    field: "version identifiers",
                    before: identifiers[0],
                    after: identifiers[1],
                    isHashed: false
                )
            )
        }
        return changes
    }
}

extension Entity {
    var versionedName: VersionedName { VersionedName(name: name, renamingIdentifier: renamingIdentifier) }
}

extension Property {
    /// A property's name among the properties of its kind.
    struct Place: Hashable {
        var sort: String
        var name: String
    }

    var place: Place { Place(sort: sort, name: name) }

    var versionedName: VersionedName { VersionedName(name: name, renamingIdentifier: common.renamingIdentifier) }

    /// "attribute", "relationship" or "fetched property".
    package var sort: String {
        switch self {
        case .attribute: "attribute"
        case .relationship: "relationship"
        case .fetched: "fetched property"
        }
    }

    /// Whether the property counts in the hash of its entity.
    var isHashedByEntity: Bool {
        if case .fetched = self { return false }
        return !common.isTransient
    }
}
