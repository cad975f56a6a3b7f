// Triggers that keep derived attributes which depend on other rows. Those of counts are Apple's, name and text, and
// that of the time of an update; the others follow their pattern in plain SQL, so that Apple's framework can write
// such a store too. Built with a StoreSchema.
import GraphModel

extension StoreSchema {
    /// SQL functions that triggers call with table, entity number, key, attribute and value.
    package static let triggerFunctions = [
        DerivationTriggers.updated, DerivationTriggers.inserted, "NSCoreDataTriggerUpdateAffectedObjectValue",
    ]
    /// The SQL function that triggers ask for the time, in seconds since 2001-01-01 UTC.
    package static let timeFunction = "NSCoreDataNow"
}

/// The triggers of one derived attribute.
struct DerivationTriggers {
    /// Called for each value that a trigger has set: table, entity number, key, attribute, value.
    static let updated = "NSCoreDataDATriggerUpdatedAffectedObjectValue"
    /// The same, for the row that was just inserted.
    static let inserted = "NSCoreDataDATriggerInsertUpdatedAffectedObjectValue"

    private let owner: EntitySchema
    private let attribute: String
    /// The names of the owner's table and of the derived column, as SQL.
    private let table: String
    private let column: String

    private init(owner: EntitySchema, attribute: String, column: String) {
        self.owner = owner
        self.attribute = attribute
        table = owner.tableName.sqliteName
        self.column = column.sqliteName
    }

    /// The triggers of all derived attributes of a model.
    static func statements(_ model: Model, _ schema: StoreSchema) -> [String] {
        model.entities.flatMap { entity -> [String] in
            guard let owner = schema.entities[entity.name] else { return [] }
            return entity.attributes.flatMap { attribute -> [String] in
                guard let format = attribute.derivationExpressionFormat, let derivation = Derivation(format),
                    case .attribute(let derivedColumn)? = owner.properties[attribute.name]
                else { return [] }
                let triggers = DerivationTriggers(owner: owner, attribute: attribute.name, column: derivedColumn.column)
                return triggers.statements(derivation, schema)
            }
        }
    }

    private func statements(_ derivation: Derivation, _ schema: StoreSchema) -> [String] {
        switch derivation {
        case .count(let name):
            switch owner.properties[name] {
            case .toManyInverse(let inverse): return count(inverse)
            case .manyToMany(let join):
                let own = join.ownColumn.sqliteName
                let value = "(SELECT COUNT(*) FROM \(join.joinTable.sqliteName) WHERE \(own) = \(table).Z_PK)"
                return over(join.joinTable, key: join.ownColumn, columns: [own], value)
            default: return []
            }
        case .aggregate(let function, let name, let attribute):
            return aggregate(function == "average" ? "AVG" : function.uppercased(), name, attribute, schema)
        case .path(let path) where path.count == 2:
            guard case .toOne(let toOne)? = owner.properties[path[0]],
                let destination = schema.entities[toOne.destination],
                case .attribute(let source)? = destination.properties[path[1]]
            else { return [] }
            return copy(toOne, destination.tableName, source.column)
        case .now: return time()
        case .path, .function: return []
        }
    }

    /// A function over an attribute of a to-many relationship's objects; of none the sum is 0, and there is no other.
    private func aggregate(_ function: String, _ name: String, _ attribute: String, _ schema: StoreSchema) -> [String] {
        func value(_ query: String) -> String { function == "SUM" ? "IFNULL((\(query)), 0)" : "(\(query))" }
        func source(of destination: String) -> String? {
            guard case .attribute(let source)? = schema.entities[destination]?.properties[attribute] else { return nil }
            return source.column.sqliteName
        }
        switch owner.properties[name] {
        case .toManyInverse(let inverse):
            guard let source = source(of: inverse.destination) else { return [] }
            let key = inverse.column.sqliteName
            let query = "SELECT \(function)(\(source)) FROM \(inverse.destinationTable.sqliteName)"
            return over(
                inverse.destinationTable,
                key: inverse.column,
                columns: [key, source],
                value(query + " WHERE \(key) = \(table).Z_PK")
            )
        case .manyToMany(let join):
            guard let source = source(of: join.destination) else { return [] }
            let (pairs, members) = (join.joinTable.sqliteName, join.destinationTable.sqliteName)
            let (own, other) = (join.ownColumn.sqliteName, join.otherColumn.sqliteName)
            let groupQuery =
                "SELECT \(function)(t.\(source)) FROM \(pairs) j JOIN \(members) t ON t.Z_PK = j.\(other) "
                + "WHERE j.\(own) = \(table).Z_PK"
            let owners = "(SELECT \(own) FROM \(pairs) WHERE \(other) = NEW.Z_PK)"
            let changed =
                "CREATE TRIGGER \(self.name(join.destinationTable, "PARAMETER_UPDATE")) AFTER UPDATE OF \(source) ON "
                + "\(members) FOR EACH ROW BEGIN UPDATE \(table) SET \(column) = \(value(groupQuery)) "
                + "WHERE Z_PK IN \(owners); \(callOf(Self.updated, "Z_PK IN \(owners)")) END"
            return over(join.joinTable, key: join.ownColumn, columns: [own], value(groupQuery)) + [changed]
        default: return []
        }
    }

    /// The time of the last save of a row; the second trigger is Apple's, the first is made after it.
    private func time() -> [String] {
        func change(_ suffix: String, _ event: String, _ function: String) -> String {
            "CREATE TRIGGER \(name(owner.tableName, suffix)) AFTER \(event) ON \(table) FOR EACH ROW \(familyCondition)BEGIN "
                + "UPDATE \(table) SET \(column) = \(StoreSchema.timeFunction)() WHERE Z_PK = NEW.Z_PK; "
                + "\(callOf(function, "Z_PK = NEW.Z_PK")) END"
        }
        return [change("INSERT", "INSERT", Self.inserted), change("UPDATE", "UPDATE OF Z_OPT", Self.updated)]
    }

    /// Apple's five triggers of a count.
    private func count(_ inverse: ToManyInverse) -> [String] {
        let (members, key) = (inverse.destinationTable.sqliteName, inverse.column.sqliteName)
        func member(_ suffix: String, _ event: String, _ row: String, _ value: String) -> String {
            "CREATE TRIGGER \(name(inverse.destinationTable, "PARAMETER_" + suffix)) AFTER \(event) ON \(members) FOR EACH "
                + "ROW WHEN (\(row).\(key) NOT NULL) BEGIN UPDATE \(table) SET \(column) = \(value) "
                + "WHERE Z_PK = \(row).\(key); \(callOf(Self.updated, "Z_PK = \(row).\(key)")) END"
        }
        return [
            member("INSERT", "INSERT", "NEW", "IFNULL(\(column), 0) + 1"),
            member("UPDATE_INCREMENT", "UPDATE OF \(key)", "NEW", "\(column) + 1"),
            member("UPDATE_DECREMENT", "UPDATE OF \(key)", "OLD", "\(column) - 1"),
            member("DELETE", "DELETE", "OLD", "\(column) - 1"),
            source("(SELECT IFNULL(COUNT(\(key)), 0) FROM \(members) WHERE \(key) = NEW.Z_PK)"),
        ]
    }

    /// Triggers that compute the value of the owners that a change of the table `source` concerns.
    ///
    /// `columns` are names as SQL.
    private func over(_ source: String, key: String, columns: [String], _ value: String) -> [String] {
        func change(_ suffix: String, _ event: String, _ rows: [String]) -> String {
            let keys = rows.map { "\($0).\(key.sqliteName)" }.joined(separator: ", ")
            return
                "CREATE TRIGGER \(name(source, "PARAMETER_" + suffix)) AFTER \(event) ON \(source.sqliteName) FOR EACH "
                + "ROW BEGIN UPDATE \(table) SET \(column) = \(value) WHERE Z_PK IN (\(keys)); "
                + "\(callOf(Self.updated, "Z_PK IN (\(keys))")) END"
        }
        return [
            change("INSERT", "INSERT", ["NEW"]),
            change("UPDATE", "UPDATE OF \(columns.joined(separator: ", "))", ["NEW", "OLD"]),
            change("DELETE", "DELETE", ["OLD"]),
            self.source(value),
        ]
    }

    /// Triggers that copy an attribute of a to-one destination.
    private func copy(_ toOne: ToOneColumn, _ source: String, _ sourceColumn: String) -> [String] {
        let (reference, sourceTable, copied) = (toOne.column.sqliteName, source.sqliteName, sourceColumn.sqliteName)
        let value = "(SELECT t.\(copied) FROM \(sourceTable) t WHERE t.Z_PK = NEW.\(reference))"
        let update = "BEGIN UPDATE \(table) SET \(column) = NEW.\(copied) WHERE \(reference) = NEW.Z_PK; "
        let call = "\(callOf(Self.updated, "\(reference) = NEW.Z_PK")) END"
        return [
            self.source(value),
            "CREATE TRIGGER \(name(owner.tableName, "SOURCE_UPDATE")) AFTER UPDATE OF \(reference) ON \(table) FOR EACH ROW "
                + "BEGIN UPDATE \(table) SET \(column) = \(value) WHERE Z_PK = NEW.Z_PK; "
                + "\(callOf(Self.updated, "Z_PK = NEW.Z_PK")) END",
            "CREATE TRIGGER \(name(source, "PARAMETER_UPDATE")) AFTER UPDATE OF \(copied) ON \(sourceTable) FOR EACH "
                + "ROW \(update)\(call)",
            // Rows may come in any order: a destination may be inserted after those that lead to it.
            "CREATE TRIGGER \(name(source, "PARAMETER_INSERT")) AFTER INSERT ON \(sourceTable) FOR EACH ROW "
                + "\(update)\(call)",
        ]
    }

    /// The value of a new row.
    private func source(_ value: String) -> String {
        "CREATE TRIGGER \(name(owner.tableName, "SOURCE_INSERT")) AFTER INSERT ON \(table) FOR EACH ROW "
            + "\(familyCondition)BEGIN "
            + "UPDATE \(table) SET \(column) = \(value) WHERE Z_PK = NEW.Z_PK; "
            + "\(callOf(Self.inserted, "Z_PK = NEW.Z_PK")) END"
    }

    /// Rows of other entities in the table have no such attribute.
    private var familyCondition: String {
        guard owner.superNumber != 0 else { return "" }
        return "WHEN (NEW.Z_ENT IN (\(owner.familyNumbers.map(String.init).joined(separator: ", ")))) "
    }

    private func callOf(_ function: String, _ condition: String) -> String {
        let (ownName, property) = (owner.tableName.doubling("'"), attribute.doubling("'"))
        return
            "SELECT \(function)('\(ownName)', Z_ENT, Z_PK, '\(property)', \(column)) FROM \(table) WHERE \(condition);"
    }

    private func name(_ table: String, _ suffix: String) -> String {
        "Z_DA_\(table)_\(owner.name)_\(attribute)_\(suffix)".sqliteName
    }
}
