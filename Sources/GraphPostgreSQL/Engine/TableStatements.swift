// The statements that create an entity's tables: columns, keys of other tables, indexes, comments. Run once, in the
// transaction that creates the store.
import Foundation
import GraphModel
import GraphSQL

/// The tables of a model in PostgreSQL.
struct TableStatements {
    let model: Model
    let schema: StoreSchema
    /// Whether columns reference the tables that their keys are of.
    let hasForeignKeys: Bool
    /// The columns by which rows are distributed; nil in stores of the standard profile.
    var distribution: DistributionPlan?
    /// Tables that exist already, and stay as they are.
    var present: Set<String> = []

    private var dialect: any SQLDialect { schema.dialect }

    /// All statements, in the order in which they can run.
    var all: [String] {
        tables + (hasForeignKeys ? foreignKeys : []) + indexes + comments
    }

    // MARK: Tables

    private var tables: [String] {
        schema.tables.filter { !present.contains($0.name) }
            .flatMap { table in
                distribution?.columns[table.name].map { distributed(table, by: $0) } ?? Self.create(table, dialect)
            }
            + schema.joinTables.filter { !present.contains($0.name) }.map { $0.createStatement(in: dialect) }
    }

    /// The statements that create one table with the sequence of its keys.
    static func create(_ table: TableSchema, _ dialect: any SQLDialect) -> [String] {
        let sequence = dialect.table(Self.sequence(of: table.name))
        let key = dialect.identifier(table.own.key)
        let first = "\(key) bigint PRIMARY KEY DEFAULT nextval(\(dialect.literal(.text(sequence))))"
        let columns = ([first] + otherColumns(table, dialect)).joined(separator: ", ")
        let name = dialect.table(table.name)
        return [
            "CREATE SEQUENCE \(sequence) INCREMENT BY \(KeyBlocks.size)",
            "CREATE TABLE \(name) (\(columns))",
            "ALTER SEQUENCE \(sequence) OWNED BY \(name).\(key)",
        ]
    }

    /// The columns of a table after its key.
    private static func otherColumns(_ table: TableSchema, _ dialect: any SQLDialect) -> [String] {
        (table.own.entityNumber.map { ["\(dialect.identifier($0)) bigint NOT NULL"] } ?? [])
            + ["\(dialect.identifier(table.own.version)) bigint NOT NULL DEFAULT 1"]
            + table.columns.map { "\(dialect.identifier($0.name)) \($0.declaredType)" }
    }

    /// The statements that create a table whose rows can be on several servers.
    private func distributed(_ table: TableSchema, by column: String) -> [String] {
        let key = dialect.identifier(table.own.key)
        let name = dialect.table(table.name)
        let primaryKey = column == table.own.key ? key : "\(dialect.identifier(column)), \(key)"
        let columns = (["\(key) bigint NOT NULL"] + Self.otherColumns(table, dialect)).joined(separator: ", ")
        let create = "CREATE TABLE \(name) (\(columns), PRIMARY KEY (\(primaryKey)))"
        if column == table.own.key { return [create] }
        // Statements also look up rows by their keys only.
        let index = dialect.identifier(dialect.naming.keyIndex(table: table.name, column: table.own.key))
        return [create, "CREATE INDEX \(index) ON \(name) (\(key))"]
    }

    /// The sequence of a table's keys.
    static func sequence(of table: String) -> String { ModelNaming().limited("_keys_\(table)") }

    // MARK: Keys of other tables

    private var foreignKeys: [String] { references.map { $0.statement(in: dialect) } }

    /// Keys that are checked at the end of a transaction, as rows of a save may come in any order.
    ///
    /// A deleted destination leaves NULL.
    var references: [TableReference] {
        var references: [TableReference] = []
        var seen: Set<String> = []
        func add(_ table: String, _ column: String, _ destination: String, _ action: String) {
            guard let target = schema.entities[destination], seen.insert("\(table).\(column)").inserted else { return }
            references.append(
                TableReference(
                    table: table,
                    column: column,
                    destination: target.tableName,
                    key: target.own.key,
                    action: action
                )
            )
        }
        for entity in schema.entityOrder.compactMap({ schema.entities[$0] }) {
            for (_, property) in entity.properties.sorted(by: { $0.key < $1.key }) {
                switch property {
                case .toOne(let toOne): add(entity.tableName, toOne.column, toOne.destination, "SET NULL")
                case .toManyInverse(let inverse) where inverse.inverse.isEmpty:
                    add(inverse.destinationTable, inverse.column, entity.name, "SET NULL")
                case .manyToMany(let join):
                    add(join.joinTable, join.ownColumn, entity.name, "CASCADE")
                    add(join.joinTable, join.otherColumn, join.destination, "CASCADE")
                case .attribute, .toManyInverse: break
                }
            }
        }
        return references
    }

    // MARK: Indexes

    var indexes: [String] {
        schema.tables.filter { !present.contains($0.name) }.flatMap(\.indexStatements)
            + schema.joinTables.filter { !present.contains($0.name) }.flatMap(\.indexStatements)
    }

    // MARK: Comments

    /// The user info under `SQLComment` or `comment`.
    var comments: [String] {
        model.entities.flatMap { entity -> [String] in
            guard let place = schema.entities[entity.name] else { return [] }
            var statements: [String] = []
            let table = dialect.table(place.tableName)
            if let comment = Self.comment(entity.userInfo), place.superNumber == 0 {
                statements.append("COMMENT ON TABLE \(table) IS \(dialect.literal(.text(comment)))")
            }
            for property in entity.properties {
                guard let comment = Self.comment(property.common.userInfo) else { continue }
                let column: String
                switch place.properties[property.name] {
                case .attribute(let attribute): column = attribute.column
                case .toOne(let toOne): column = toOne.column
                default: continue
                }
                statements.append(
                    "COMMENT ON COLUMN \(table).\(dialect.identifier(column)) IS \(dialect.literal(.text(comment)))"
                )
            }
            return statements
        }
    }

    private static func comment(_ userInfo: [String: String]) -> String? {
        userInfo["SQLComment"] ?? userInfo["comment"]
    }
}
