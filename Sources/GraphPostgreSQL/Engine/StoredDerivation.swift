// Derived attributes that depend on other rows. The owners that a save affects are collected before and while its rows are
// written; their values are computed by one statement for each attribute, in the round trip of the commit.
import Foundation
import GraphEngine
import GraphModel
import GraphSQL

/// A derived attribute computed from other rows.
struct StoredDerivation {
    let layout: EntityLayout
    let slot: Int
    let entity: EntitySchema
    /// The relationships from the owner to the rows with the value.
    let path: DerivationPath
    let column: String
    /// The value of the owner `t0`.
    private let value: String
    private let dialect: any SQLDialect

    /// All such attributes of a model.
    ///
    /// - Throws: `EngineError` for a derivation that the store cannot compute.
    static func all(of map: TableMap) throws -> [StoredDerivation] {
        try map.model.entities.flatMap { layout in
            try layout.properties.indices.compactMap { slot -> StoredDerivation? in
                let property = layout.properties[slot]
                guard property.isOwn, !property.isTransient, let format = property.derivationFormat,
                    map.schema.entities[layout.name] != nil
                else { return nil }
                guard let derivation = property.derivation else { throw unsupported(layout, property, format) }
                if derivation.isOfTheObjectAlone || derivation == .now { return nil }
                guard let storedDerivation = StoredDerivation(layout, slot, derivation, map) else {
                    throw unsupported(layout, property, format)
                }
                return storedDerivation
            }
        }
    }

    private static func unsupported(_ layout: EntityLayout, _ property: PropertyLayout, _ format: String) -> EngineError
    {
        EngineError(
            .incompatibleSchema,
            "The derivation \"\(format)\" of \(layout.name).\(property.name) cannot be computed by a PostgreSQL store.",
            remedy: "Use now(), canonical:, uppercase:, lowercase: or a key path that ends in an attribute, @count, "
                + "@sum, @min or @max; or compute the value in willSave."
        )
    }

    private init?(_ layout: EntityLayout, _ slot: Int, _ derivation: Derivation, _ map: TableMap) {
        let (relationships, attribute, function): ([String], String?, String)
        switch derivation {
        case .now: return nil
        case .count(let name): (relationships, attribute, function) = ([name], nil, "count")
        case .aggregate(let name, let relationship, let source):
            (relationships, attribute, function) = ([relationship], source, name)
        case .path(let path): (relationships, attribute, function) = (path.dropLast(), path.last, "")
        case .function(let name, let path): (relationships, attribute, function) = (path.dropLast(), path.last, name)
        }
        guard let entity = map.schema.entities[layout.name],
            case .attribute(let own)? = map.property(layout, slot),
            let path = DerivationPath(relationships, from: layout, map),
            let source = attribute.map(path.column(of:)) ?? "",
            let result = Self.result(of: function, source, map.schema.dialect)
        else { return nil }
        self.layout = layout
        self.slot = slot
        self.entity = entity
        self.path = path
        value = path.select(result)
        dialect = map.schema.dialect
        column = own.column
    }

    /// The expression that a derivation's function has in SQL; nil if the database has no such function.
    private static func result(of function: String, _ source: String, _ dialect: any SQLDialect) -> String? {
        switch function {
        case "count": "count(*)"
        case "sum": "COALESCE(sum(\(source)), 0)"
        case "min": "min(\(source))"
        case "max": "max(\(source))"
        case "average": "avg(\(source))"
        case "": source
        default: DialectFunction(ofDerivation: function).flatMap { dialect.call($0, onTextColumn: source) }
        }
    }

    /// The statement that computes the values of some owners, and of those that rows of a step lead to now.
    ///
    /// - Parameters:
    ///   - owners: The keys of owners.
    ///   - rows: The keys of rows by step.
    /// - Returns: A statement that returns key, entity number and value of each changed owner.
    func update(_ owners: Set<Int64>, through rows: [Int: Set<Int64>]) -> SQLStatement {
        let (condition, values) = condition(owners, through: rows)
        let number = entity.own.entityNumber.map { "t.\(dialect.identifier($0))" } ?? "\(entity.number)::bigint"
        let (key, column) = (dialect.identifier(entity.own.key), dialect.identifier(self.column))
        return SQLStatement(
            "UPDATE \(dialect.table(entity.tableName)) AS t SET \(column) = s.v FROM (SELECT \(path.keys[0]) AS k, "
                + "\(value) AS v FROM \(path.tables[0]) WHERE \(condition)) AS s "
                + "WHERE t.\(key) = s.k AND t.\(column) IS DISTINCT FROM s.v RETURNING t.\(key), \(number), t.\(column)",
            values
        )
    }

    /// The statement that computes the values of all owners.
    var updateOfAll: SQLStatement {
        let (key, column) = (dialect.identifier(entity.own.key), dialect.identifier(self.column))
        let restriction = family.map { " WHERE \($0)" } ?? ""
        return SQLStatement(
            "UPDATE \(dialect.table(entity.tableName)) AS t SET \(column) = s.v FROM (SELECT \(path.keys[0]) AS k, "
                + "\(value) AS v FROM \(path.tables[0])\(restriction)) AS s "
                + "WHERE t.\(key) = s.k AND t.\(column) IS DISTINCT FROM s.v"
        )
    }

    /// The condition for the rows `t0` of the entity and its subentities; nil for all rows of the table.
    private var family: String? {
        guard let own = entity.own.entityNumber, entity.superNumber != 0 else { return nil }
        let family = entity.familyNumbers.map(String.init).joined(separator: ", ")
        return "t0.\(dialect.identifier(own)) IN (\(family))"
    }

    /// The statement that reads the values of the owners that `update` changes.
    func read(_ owners: Set<Int64>, through rows: [Int: Set<Int64>]) -> SQLStatement {
        let (condition, values) = condition(owners, through: rows)
        let number = entity.own.entityNumber.map { "t0.\(dialect.identifier($0))" } ?? "\(entity.number)::bigint"
        let column = dialect.identifier(self.column)
        return SQLStatement(
            "SELECT \(path.keys[0]), \(number), t0.\(column) FROM \(path.tables[0]) WHERE \(condition)",
            values
        )
    }

    /// The condition for some owners `t0` and for those that rows of a step lead to, with its values.
    private func condition(_ owners: Set<Int64>, through rows: [Int: Set<Int64>]) -> (String, [SQLValue]) {
        var values: [SQLValue] = [.keys(owners.sorted())]
        var conditions = ["\(path.keys[0]) = ANY($1)"]
        for (step, keys) in rows.sorted(by: { $0.key < $1.key }) {
            values.append(.keys(keys.sorted()))
            conditions.append("\(path.keys[0]) IN (\(path.owners(through: step, "$\(values.count)")))")
        }
        var condition = conditions.joined(separator: " OR ")
        if let family { condition = "(\(condition)) AND \(family)" }
        return (condition, values)
    }
}
