// The counts before and after a migration: the objects of each entity and the pairs of each relationship, wherever rows
// were moved. A table that only got another column is not counted: SQLite did not touch its rows.
import GraphModel

extension MigrationPlanner {
    mutating func writeChecks() {
        let removed = Set(old.entityOrder.filter { mapping.destination(of: $0) == nil })
        for pair in pairs {
            let before = "SELECT COUNT(*) FROM \(pair.old.tableName) WHERE Z_ENT = \(pair.old.number)"
            if newModel.entity(named: pair.new.name)?.isAbstract == true {
                guard oldModel.entity(named: pair.old.name)?.isAbstract != true else { continue }
                plan.refusals.append(
                    .init(
                        entity: pair.new.name,
                        keys: "SELECT Z_PK FROM \(pair.old.tableName) WHERE Z_ENT = \(pair.old.number)",
                        reason: "the entity is abstract in the new model, but the store has objects of it"
                    )
                )
                continue
            }
            if hasMovedRows(pair) {
                plan.checks.append(
                    .init(
                        entity: pair.new.name,
                        property: nil,
                        before: before,
                        after: "SELECT COUNT(*) FROM \(pair.new.tableName) WHERE Z_ENT = \(pair.new.number)"
                    )
                )
            }
            for relationship in pair.pair.relationships { check(relationship, pair, removed) }
        }
    }

    private func hasMovedRows(_ pair: Pair) -> Bool {
        plan.paths[pair.new.tableName] == .rewritten || pair.old.number != pair.new.number
    }

    private mutating func check(_ relationship: PropertyPair, _ pair: Pair, _ removed: Set<String>) {
        guard let name = relationship.source, let before = Self.pairs(pair.old, name),
            let after = Self.pairs(pair.new, relationship.destination),
            isMoved(relationship, pair)
        else { return }
        var condition = "O IN (SELECT Z_PK FROM \(pair.old.tableName) WHERE Z_ENT = \(pair.old.number))"
        if let target = Self.destination(pair.old, name, old),
            target.contains(where: { removed.contains($0.name) })
                || losesMembers(relationship, pair)
        {
            let kept = target.filter { !removed.contains($0.name) }.map { String($0.number) }
            condition +=
                " AND M IN (SELECT Z_PK FROM \(target[0].tableName) WHERE Z_ENT IN (\(kept.joined(separator: ", "))))"
        }
        plan.checks.append(
            .init(
                entity: pair.new.name,
                property: relationship.destination,
                before: "SELECT COUNT(*) FROM (\(before)) WHERE \(condition)",
                after:
                    "SELECT COUNT(*) FROM (\(after)) WHERE O IN (SELECT Z_PK FROM \(pair.new.tableName) WHERE Z_ENT = "
                    + "\(pair.new.number))"
            )
        )
    }

    /// Whether the rows that hold a relationship were moved or written.
    private func isMoved(_ relationship: PropertyPair, _ pair: Pair) -> Bool {
        switch pair.new.properties[relationship.destination] {
        case .toOne: plan.paths[pair.new.tableName] == .rewritten
        case .toManyInverse(let toMany): plan.paths[toMany.destinationTable] == .rewritten
        case .manyToMany(let join): !keptJoins.contains(join.joinTable) || loses(join.destinationTable)
        default: false
        }
    }

    private func losesMembers(_ relationship: PropertyPair, _ pair: Pair) -> Bool {
        Self.destination(pair.new, relationship.destination, new)?.first.map { loses($0.tableName) } ?? false
    }

    /// Pairs of keys of a relationship: the owner `O`, the member `M`.
    private static func pairs(_ entity: EntitySchema, _ name: String) -> String? {
        switch entity.properties[name] {
        case .toOne(let toOne):
            "SELECT Z_PK AS O, \(toOne.column) AS M FROM \(entity.tableName) WHERE \(toOne.column) NOT NULL"
        case .toManyInverse(let toMany):
            "SELECT \(toMany.column) AS O, Z_PK AS M FROM \(toMany.destinationTable) WHERE \(toMany.column) NOT NULL"
        case .manyToMany(let join): "SELECT \(join.ownColumn) AS O, \(join.otherColumn) AS M FROM \(join.joinTable)"
        default: nil
        }
    }

    /// The entities that a relationship may lead to.
    private static func destination(_ entity: EntitySchema, _ name: String, _ schema: StoreSchema) -> [EntitySchema]? {
        let target: String? =
            switch entity.properties[name] {
            case .toOne(let toOne): toOne.destination
            case .toManyInverse(let toMany): toMany.destination
            case .manyToMany(let join): join.destination
            default: nil
            }
        guard let target, let numbers = schema.entities[target]?.familyNumbers else { return nil }
        return schema.entities.values.filter { numbers.contains($0.number) }
    }
}
