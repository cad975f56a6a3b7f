// The column by whose value the rows of each table of a distributed store can be spread over servers. Made from the
// user info of root entities when the store is opened. TableStatements puts the column into every key and uniqueness
// constraint.
import GraphEngine
import GraphModel
import GraphSQL

/// The distribution columns of a model's tables.
struct DistributionPlan: Sendable {
    /// The user info of a root entity that names the property whose value distributes its rows.
    static let userInfoKey = "SQLDistributionColumn"

    /// The distribution column of each table of entities or pairs.
    let columns: [String: String]
    /// The property that the distribution column stores, by table; missing for tables that are distributed by their
    /// key.
    let properties: [String: String]

    /// Reads a model.
    ///
    /// - Throws: `EngineError` of the kind `cannotOpen` for a property that cannot distribute rows, and for a
    ///   uniqueness constraint without it: no single server could check such a constraint.
    init(_ model: Model, _ schema: StoreSchema) throws {
        var columns: [String: String] = [:]
        var properties: [String: String] = [:]
        for table in schema.tables {
            guard let name = model.entity(named: table.rootEntity)?.userInfo[Self.userInfoKey] else {
                columns[table.name] = table.own.key
                continue
            }
            columns[table.name] = try Self.column(name, of: table, model, schema)
            properties[table.name] = name
        }
        // A row of a join table is on the server of the first of its two rows, whose key its own key contains.
        for table in schema.joinTables { columns[table.name] = table.primaryKey.first ?? table.columns[0].name }
        (self.columns, self.properties) = (columns, properties)
        for entity in model.entities { try check(entity, schema) }
    }

    /// The column of the property that a root entity names.
    private static func column(_ name: String, of table: TableSchema, _ model: Model, _ schema: StoreSchema) throws
        -> String
    {
        let entity = table.rootEntity
        let property = model.entity(named: entity)?.properties.first { $0.name == name }
        guard let property, !property.common.isOptional, !property.common.isTransient else {
            throw refused(
                "\(entity).\(name) cannot distribute rows",
                "Name a required, stored attribute or to-one relationship of \(entity) itself under \(userInfoKey)."
            )
        }
        switch schema.entities[entity]?.properties[name] {
        case .attribute(let attribute): return attribute.column
        case .toOne(let toOne): return toOne.column
        default:
            throw refused(
                "\(entity).\(name) is neither an attribute nor a to-one relationship, and cannot distribute rows",
                "Name another property of \(entity) under \(userInfoKey) in its user info."
            )
        }
    }

    /// Throws if a uniqueness constraint lacks the distribution column.
    private func check(_ entity: Entity, _ schema: StoreSchema) throws {
        guard let place = schema.entities[entity.name] else { return }
        let property = properties[place.tableName]
        for constraint in entity.uniquenessConstraints where !constraint.contains(where: { $0 == property }) {
            let list = constraint.joined(separator: ", ")
            throw Self.refused(
                "the uniqueness constraint (\(list)) of \(entity.name) has no distribution column, so that servers could "
                    + "not check it one by one",
                property.map { "Add \($0) to the constraint." }
                    ?? "Name one of its properties under \(Self.userInfoKey) in the user info of \(place.rootName), or "
                    + "remove the constraint."
            )
        }
    }

    private static func refused(_ problem: String, _ remedy: String) -> EngineError {
        EngineError(.cannotOpen, "The model does not fit the distributed profile: \(problem).", remedy: remedy)
    }

    /// The statements by which Citus distributes the tables that it has just created.
    func citusStatements(_ dialect: any SQLDialect) -> [String] {
        columns.sorted { $0.key < $1.key }
            .map { table, column in
                "SELECT create_distributed_table(\(dialect.literal(.text(dialect.table(table)))), "
                    + "\(dialect.literal(.text(column))))"
            }
    }
}
