// The counts before and after a migration: the objects of each entity and the pairs of each relationship, wherever rows
// were moved. A table that only got another column is not counted: SQLite did not touch its rows.
import GraphModel

extension MigrationPlanner {
    mutating func writeChecks() {
        let removed = Set(old.entityOrder.filter { mapping.destination(of: $0) == nil })
        for pair in pairs {
            let before = "SELECT COUNT(*) FROM \(rows(pair.old))"
            if newModel.entity(named: pair.new.name)?.isAbstract == true {
                guard oldModel.entity(named: pair.old.name)?.isAbstract != true else { continue }
                plan.refusals.append(
                    .init(
                        entity: pair.new.name,
                        keys: "SELECT \(key(pair.old)) AS K FROM \(rows(pair.old))",
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
                        after: "SELECT COUNT(*) FROM \(rows(pair.new))"
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
        guard let name = relationship.source, let before = countedPairs(pair.old, name, old),
            let after = countedPairs(pair.new, relationship.destination, new),
            isMoved(relationship, pair)
        else { return }
        var condition = "O IN (SELECT \(key(pair.old)) FROM \(rows(pair.old)))"
        if let target = Self.destination(pair.old, name, old),
            target.contains(where: { removed.contains($0.name) })
                || losesMembers(relationship, pair)
        {
            let table = Self.destination(pair.new, relationship.destination, new)?.first?.tableName
            // Objects that move to another table leave the relationship, as those that are removed.
            let remaining = target.filter { member in
                guard let name = mapping.destination(of: member.name) else { return false }
                return table == nil || new.entities[name]?.tableName == table
            }
            condition += " AND M IN (SELECT \(key(target[0])) FROM \(rows(target[0], remaining.map(\.number))))"
        }
        plan.checks.append(
            .init(
                entity: pair.new.name,
                property: relationship.destination,
                before: "SELECT COUNT(*) FROM (\(before)) AS _x WHERE \(condition)",
                after:
                    "SELECT COUNT(*) FROM (\(after)) AS _x WHERE O IN (SELECT \(key(pair.new)) FROM \(rows(pair.new)))"
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
    private func countedPairs(_ entity: EntitySchema, _ name: String, _ schema: StoreSchema) -> String? {
        func pairs(_ table: String, _ owner: String, _ member: String, _ required: String?) -> String {
            let condition = required.map { " WHERE \(quoted($0)) IS NOT NULL" } ?? ""
            return "SELECT \(quoted(owner)) AS O, \(quoted(member)) AS M FROM \(named(table))\(condition)"
        }
        return switch entity.properties[name] {
        case .toOne(let toOne): pairs(entity.tableName, entity.own.key, toOne.column, toOne.column)
        case .toManyInverse(let toMany):
            pairs(toMany.destinationTable, toMany.column, schema.key(of: toMany.destinationTable), toMany.column)
        case .manyToMany(let join): pairs(join.joinTable, join.ownColumn, join.otherColumn, nil)
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
