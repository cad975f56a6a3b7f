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
    /// The relationships from the owner to the row with the value.
    let steps: [(layout: EntityLayout, slot: Int)]
    let column: String
    /// The value of the owner `t0`.
    private let value: String
    /// `FROM` with the owner `t0` and the rows of all steps, `t1` and so on.
    private let tables: [String]
    private let keys: [String]
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
            case .attribute(let own)? = map.property(layout, slot)
        else { return nil }
        let dialect = map.schema.dialect
        func name(_ column: String) -> String { dialect.identifier(column) }
        var steps: [(EntityLayout, Int)] = []
        var tables = ["\(dialect.table(entity.tableName)) AS t0"]
        var keys = ["t0.\(name(entity.own.key))"]
        var current = layout
        for (number, relationship) in relationships.enumerated() {
            guard let place = current.slot(named: relationship), let next = current.destination(place),
                let destination = map.schema.entities[next.name]
            else { return nil }
            let table = "JOIN \(dialect.table(destination.tableName)) AS t\(number + 1) ON "
            let key = "t\(number + 1).\(name(destination.own.key))"
            switch map.property(current, place) {
            case .toOne(let toOne): tables.append(table + "\(key) = t\(number).\(name(toOne.column))")
            case .toManyInverse(let inverse):
                tables.append(table + "t\(number + 1).\(name(inverse.column)) = \(keys[number])")
            case .manyToMany(let join):
                tables.append(
                    "JOIN \(dialect.table(join.joinTable)) AS j ON j.\(name(join.ownColumn)) = \(keys[number]) "
                        + table + "\(key) = j.\(name(join.otherColumn))"
                )
            default: return nil
            }
            keys.append(key)
            steps.append((current, place))
            current = next
        }
        var source = ""
        if let attribute {
            guard let place = current.slot(named: attribute),
                case .attribute(let storedAttribute)? = map.property(current, place)
            else { return nil }
            source = "t\(relationships.count).\(name(storedAttribute.column))"
        }
        // The rows of the steps, from the owner around.
        let rows = tables.dropFirst().joined(separator: " ")
        let select: (String) -> String = { result in
            "(SELECT \(result) FROM \(tables[0].replacing("AS t0", with: "AS o")) "
                + rows.replacing("t0.", with: "o.") + " WHERE o.\(name(entity.own.key)) = \(keys[0]))"
        }
        switch function {
        case "count": value = select("count(*)")
        case "sum": value = select("COALESCE(sum(\(source)), 0)")
        case "min": value = select("min(\(source))")
        case "max": value = select("max(\(source))")
        case "average": value = select("avg(\(source))")
        case "": value = select(source)
        default:
            guard let dialectFunction = DialectFunction(ofDerivation: function),
                let call = dialect.call(dialectFunction, onTextColumn: source)
            else {
                return nil
            }
            value = select(call)
        }
        self.layout = layout
        self.slot = slot
        self.entity = entity
        self.steps = steps
        self.tables = tables
        self.keys = keys
        self.dialect = dialect
        column = own.column
    }

    /// The owners whose path leads through rows of a step.
    ///
    /// - Parameters:
    ///   - step: The number of the step, 1 for the first destination.
    ///   - mark: The mark of the rows' keys.
    /// - Returns: A SELECT of keys.
    func owners(through step: Int, _ mark: String) -> String {
        "SELECT \(keys[0]) FROM \(tables[0...step].joined(separator: " ")) WHERE \(keys[step]) = ANY(\(mark))"
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
            "UPDATE \(dialect.table(entity.tableName)) AS t SET \(column) = s.v FROM (SELECT \(keys[0]) AS k, "
                + "\(value) AS v FROM \(tables[0]) WHERE \(condition)) AS s "
                + "WHERE t.\(key) = s.k AND t.\(column) IS DISTINCT FROM s.v RETURNING t.\(key), \(number), t.\(column)",
            values
        )
    }

    /// The statement that computes the values of all owners.
    var updateOfAll: SQLStatement {
        let (key, column) = (dialect.identifier(entity.own.key), dialect.identifier(self.column))
        let restriction = family.map { " WHERE \($0)" } ?? ""
        return SQLStatement(
            "UPDATE \(dialect.table(entity.tableName)) AS t SET \(column) = s.v FROM (SELECT \(keys[0]) AS k, "
                + "\(value) AS v FROM \(tables[0])\(restriction)) AS s "
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
            "SELECT \(keys[0]), \(number), t0.\(column) FROM \(tables[0]) WHERE \(condition)",
            values
        )
    }

    /// The condition for some owners `t0` and for those that rows of a step lead to, with its values.
    private func condition(_ owners: Set<Int64>, through rows: [Int: Set<Int64>]) -> (String, [SQLValue]) {
        var values: [SQLValue] = [.keys(owners.sorted())]
        var conditions = ["\(keys[0]) = ANY($1)"]
        for (step, keys) in rows.sorted(by: { $0.key < $1.key }) {
            values.append(.keys(keys.sorted()))
            conditions.append("\(self.keys[0]) IN (\(self.owners(through: step, "$\(values.count)")))")
        }
        var condition = conditions.joined(separator: " OR ")
        if let family { condition = "(\(condition)) AND \(family)" }
        return (condition, values)
    }
}
