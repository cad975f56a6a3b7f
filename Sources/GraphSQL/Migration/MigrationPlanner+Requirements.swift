// Relationships that are required now and were not before, and members that can have one owner now and could have
// several: the objects that do not fit are looked for before anything is written.
import GraphModel

extension MigrationPlanner {
    /// Adds a refusal for each relationship that has become required.
    ///
    /// Called while all tables have their old names.
    mutating func writeRequirements() {
        for pair in pairs where newModel.entity(named: pair.new.name)?.isAbstract != true {
            for relationship in pair.pair.relationships {
                guard let description = newModel.relationship(relationship.destination, of: pair.new.name),
                    description.isRequired
                else { continue }
                let former = relationship.source.flatMap { oldModel.relationship($0, of: pair.old.name) }
                if let former, former.isRequired { continue }
                let all = "SELECT \(key(pair.old)) AS K FROM \(rows(pair.old))"
                let owners =
                    owners(relationship, pair, description).map { " AND \(key(pair.old)) NOT IN (\($0))" } ?? ""
                plan.refusals.append(
                    .init(
                        entity: pair.new.name,
                        property: relationship.destination,
                        keys: all + owners,
                        reason: former == nil
                            ? "the relationship is new and required, but the store has objects without one"
                            : "the relationship was optional and is required now, but the store has objects without one"
                    )
                )
            }
        }
    }

    /// Adds a refusal for each to-many relationship whose members had any number of owners and can have one now.
    ///
    /// Called while all tables have their old names.
    mutating func writeSingleOwners() {
        for entity in new.entityOrder.compactMap({ new.entities[$0] }) {
            for (name, property) in entity.properties.sorted(by: { $0.key < $1.key }) {
                guard case .toManyInverse(let toMany) = property, isDeclared(name, by: entity),
                    let destination = new.entities[toMany.destination]
                else { continue }
                let members = family(destination).compactMap { pair($0.name)?.old }
                let owners = formerSides(entity, name).compactMap { side -> String? in
                    if case .toManyInverse? = side.entity.properties[side.name] { return nil }
                    guard let pairs = oldPairs(side.entity, side.name) else { return nil }
                    return "SELECT O, M FROM (\(pairs.text)) AS _x WHERE O IN "
                        + "(SELECT \(key(side.entity)) FROM \(rows(side.entity)))"
                }
                guard !owners.isEmpty, let first = members.first else { continue }
                let all = owners.joined(separator: " UNION ALL ")
                plan.refusals.append(
                    .init(
                        entity: entity.name,
                        property: name,
                        keys: "SELECT DISTINCT O AS K FROM (\(all)) AS _y WHERE M IN (SELECT M FROM (\(all)) AS _z "
                            + "WHERE M IN (SELECT \(key(first)) FROM \(rows(first, members.map(\.number)))) "
                            + "GROUP BY M HAVING COUNT(*) > 1)",
                        reason: "each member can have one owner in the new model, but the store has objects that share "
                            + "members"
                    )
                )
            }
        }
    }

    /// The keys of the rows that have the relationship; nil if none can.
    private func owners(_ relationship: PropertyPair, _ pair: Pair, _ description: Relationship) -> String? {
        var sides: [OldPairs] = []
        if let source = relationship.source, let pairs = oldPairs(pair.old, source) {
            sides = [pairs]
        } else if let inverse = description.inverseName,
            let destinationEntity = new.entities[description.destinationEntityName]
        {
            sides = formerSides(destinationEntity, inverse).compactMap { side in
                oldPairs(side.entity, side.name).map { OldPairs(select: $0.select, isReversed: true) }
            }
        }
        guard !sides.isEmpty else { return nil }
        var condition = ""
        if let destination = new.entities[description.destinationEntityName] {
            let sources = family(destination).compactMap { self.pair($0.name)?.old }
            guard let first = sources.first else { return nil }
            condition = " WHERE M IN (SELECT \(key(first)) FROM \(rows(first, sources.map(\.number))))"
        }
        return sides.map { "SELECT O FROM (\($0.text)) AS _x\(condition)" }.joined(separator: " UNION ")
    }
}

extension Model {
    /// A relationship of an entity, inherited ones included.
    func relationship(_ name: String, of entity: String) -> Relationship? {
        for case .relationship(let relationship) in allProperties(ofEntityNamed: entity) where relationship.name == name
        {
            return relationship
        }
        return nil
    }
}
