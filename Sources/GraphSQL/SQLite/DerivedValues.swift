// Statements that compute derived attributes of rows that are there already: a migration has added the attribute, or
// taken away objects that it counts. Run without triggers.
import GraphModel

extension StoreSchema {
    /// The SQL function that applies a derivation's function to a text: name, text.
    package static let derivingFunction = "ManagedGraphDerive"

    /// The statements for the derived attributes that `isWanted` names, by entity and attribute.
    package func derivedValueStatements(
        _ model: Model,
        where isWanted: (String, String) -> Bool
    ) -> [String] {
        model.entities.flatMap { entity -> [String] in
            guard let owner = entities[entity.name] else { return [] }
            return entity.attributes.compactMap { attribute in
                guard let format = attribute.derivationExpressionFormat, isWanted(entity.name, attribute.name),
                    let derivation = Derivation(format), case .attribute(let own)? = owner.properties[attribute.name],
                    let value = value(of: derivation, owner)
                else { return nil }
                let numbers = owner.familyNumbers.map(String.init).joined(separator: ", ")
                return "UPDATE \(owner.tableName) SET \(own.column) = \(value) WHERE Z_ENT IN (\(numbers))"
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
                    case .attribute(let own)? = owner.properties[attribute.name],
                    let expression = value(of: derivation, owner)
                else { return nil }
                return (entity.name, attribute.name, own.column, expression)
            }
        }
    }

    private func value(of derivation: Derivation, _ owner: EntitySchema) -> String? {
        switch derivation {
        case .now: return "\(StoreSchema.timeFunction)()"
        case .path(let path): return value(at: path[...], owner, as: owner.tableName)
        case .function(let name, let path):
            return value(at: path[...], owner, as: owner.tableName).map { "\(Self.derivingFunction)('\(name)', \($0))" }
        case .count(let name):
            return members(name, owner).map { "(SELECT COUNT(*) \($0.from))" }
        case .aggregate(let function, let name, let attribute):
            guard let members = members(name, owner),
                case .attribute(let source)? = members.entity.properties[attribute]
            else { return nil }
            let sql = function == "average" ? "AVG" : function.uppercased()
            let value = "(SELECT \(sql)(m.\(source.column)) \(members.from))"
            return function == "sum" ? "IFNULL(\(value), 0)" : value
        }
    }

    /// The objects of a to-many relationship, as the table `m`.
    private func members(_ name: String, _ owner: EntitySchema) -> (from: String, entity: EntitySchema)? {
        let key = "\(owner.tableName).Z_PK"
        switch owner.properties[name] {
        case .toManyInverse(let inverse):
            return entities[inverse.destination].map {
                ("FROM \(inverse.destinationTable) m WHERE m.\(inverse.column) = \(key)", $0)
            }
        case .manyToMany(let join):
            return entities[join.destination].map {
                (
                    "FROM \(join.joinTable) j JOIN \(join.destinationTable) m ON m.Z_PK = j.\(join.otherColumn) "
                        + "WHERE j.\(join.ownColumn) = \(key)", $0
                )
            }
        default: return nil
        }
    }

    private func value(at path: ArraySlice<String>, _ entity: EntitySchema, as name: String) -> String? {
        guard let first = path.first else { return nil }
        switch entity.properties[first] {
        case .attribute(let attribute) where path.count == 1: return "\(name).\(attribute.column)"
        case .toOne(let toOne):
            let alias = "p\(path.count)"
            guard let next = entities[toOne.destination],
                let value = value(at: path.dropFirst(), next, as: alias)
            else { return nil }
            return "(SELECT \(value) FROM \(next.tableName) \(alias) WHERE \(alias).Z_PK = \(name).\(toOne.column))"
        default: return nil
        }
    }
}
