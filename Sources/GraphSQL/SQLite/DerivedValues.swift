// Statements that compute derived attributes of existing rows: a migration has added the attribute, or
// taken away objects that it counts. Run without triggers.
import GraphModel

extension StoreSchema {
    /// The SQL function that applies a derivation's function to a text: name, text.
    package static let derivingFunction = "ManagedGraphDerive"

    /// The statements for the derived attributes that a migration from another version changes.
    package func derivedValueStatements(from source: Model, to destination: Model) -> [String] {
        func formats(_ model: Model) -> [String: String] {
            var result: [String: String] = [:]
            for entity in model.entities {
                for attribute in entity.attributes {
                    result["\(entity.name).\(attribute.name)"] = attribute.derivationExpressionFormat
                }
            }
            return result
        }
        let (old, new) = (formats(source), formats(destination))
        let names = Set(destination.entities.map(\.name))
        let isSame = source.entities.allSatisfy { names.contains($0.name) }
        return derivedValueStatements(destination) { entity, attribute in
            // Recompute everything if entities were removed, because their objects no longer count; else keep unchanged
            // derivations.
            !isSame || old["\(entity).\(attribute)"] != new["\(entity).\(attribute)"]
        }
    }

    /// The statements for the derived attributes that `isWanted` names, by entity and attribute.
    package func derivedValueStatements(
        _ model: Model,
        where isWanted: (String, String) -> Bool
    ) -> [String] {
        model.entities.flatMap { entity -> [String] in
            guard let owner = entities[entity.name] else { return [] }
            return entity.attributes.compactMap { attribute in
                guard let format = attribute.derivationExpressionFormat, isWanted(entity.name, attribute.name),
                    let derivation = Derivation(format),
                    case .attribute(let derivedColumn)? = owner.properties[attribute.name],
                    let value = value(of: derivation, owner)
                else { return nil }
                let numbers = owner.familyNumbers.map(String.init).joined(separator: ", ")
                let condition = owner.own.entityNumber.map { " WHERE \(quoted($0)) IN (\(numbers))" } ?? ""
                return
                    "UPDATE \(dialect.table(owner.tableName)) SET \(quoted(derivedColumn.column)) = \(value)\(condition)"
            }
        }
    }

    /// The expected values of derived attributes, for a check of those that do not depend on a clock.
    package func derivedValues(
        _ model: Model
    ) -> [(entity: String, attribute: String, column: String, expression: String)] {
        model.entities.flatMap { entity in
            entity.attributes.compactMap { attribute in
                guard let format = attribute.derivationExpressionFormat, let derivation = Derivation(format),
                    derivation != .now, let owner = entities[entity.name],
                    case .attribute(let derivedColumn)? = owner.properties[attribute.name],
                    let expression = value(of: derivation, owner)
                else { return nil }
                return (entity.name, attribute.name, derivedColumn.column, expression)
            }
        }
    }

    private func quoted(_ column: String) -> String { dialect.identifier(column) }

    private func value(of derivation: Derivation, _ owner: EntitySchema) -> String? {
        switch derivation {
        case .now: return dialect.hasStaticTypes ? "now()" : "\(StoreSchema.timeFunction)()"
        case .path(let path): return value(at: path[...], owner, as: dialect.table(owner.tableName))
        case .function(let name, let path):
            guard let sourceValue = value(at: path[...], owner, as: dialect.table(owner.tableName)) else { return nil }
            guard dialect.hasStaticTypes else { return "\(Self.derivingFunction)('\(name)', \(sourceValue))" }
            return DialectFunction(ofDerivation: name).flatMap { dialect.call($0, onTextColumn: sourceValue) }
        case .count(let name):
            return members(name, owner).map { "(SELECT COUNT(*) \($0.from))" }
        case .aggregate(let function, let name, let attribute):
            guard let members = members(name, owner),
                case .attribute(let source)? = members.entity.properties[attribute]
            else { return nil }
            let sql = function == "average" ? "AVG" : function.uppercased()
            let value = "(SELECT \(sql)(m.\(quoted(source.column))) \(members.from))"
            return function == "sum" ? "COALESCE(\(value), 0)" : value
        }
    }

    /// The objects of a to-many relationship, as the table `m`.
    private func members(_ name: String, _ owner: EntitySchema) -> (from: String, entity: EntitySchema)? {
        let key = "\(dialect.table(owner.tableName)).\(quoted(owner.own.key))"
        switch owner.properties[name] {
        case .toManyInverse(let inverse):
            return entities[inverse.destination].map {
                ("FROM \(dialect.table(inverse.destinationTable)) m WHERE m.\(quoted(inverse.column)) = \(key)", $0)
            }
        case .manyToMany(let join):
            return entities[join.destination].map {
                (
                    "FROM \(dialect.table(join.joinTable)) j JOIN \(dialect.table(join.destinationTable)) m ON "
                        + "m.\(quoted($0.own.key)) = j.\(quoted(join.otherColumn)) "
                        + "WHERE j.\(quoted(join.ownColumn)) = \(key)", $0
                )
            }
        default: return nil
        }
    }

    private func value(at path: ArraySlice<String>, _ entity: EntitySchema, as name: String) -> String? {
        guard let first = path.first else { return nil }
        switch entity.properties[first] {
        case .attribute(let attribute) where path.count == 1: return "\(name).\(quoted(attribute.column))"
        case .toOne(let toOne):
            let alias = "p\(path.count)"
            guard let next = entities[toOne.destination],
                let value = value(at: path.dropFirst(), next, as: alias)
            else { return nil }
            return "(SELECT \(value) FROM \(dialect.table(next.tableName)) \(alias) "
                + "WHERE \(alias).\(quoted(next.own.key)) = \(name).\(quoted(toOne.column)))"
        default: return nil
        }
    }
}

extension DialectFunction {
    /// The function that a derivation applies to a text.
    package init?(ofDerivation name: String) {
        switch name {
        case "canonical": self = .canonical
        case "uppercase": self = .uppercase
        case "lowercase": self = .lowercase
        default: return nil
        }
    }
}
