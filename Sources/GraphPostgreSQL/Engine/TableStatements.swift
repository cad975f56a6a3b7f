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

    private var dialect: any SQLDialect { schema.dialect }

    /// All statements, in the order in which they can run.
    var all: [String] {
        tables + (hasForeignKeys ? foreignKeys : []) + indexes + comments
    }

    // MARK: Tables

    private var tables: [String] {
        schema.tables.flatMap { Self.create($0, dialect) } + schema.joinTables.map { $0.createStatement(in: dialect) }
    }

    /// The statements that create one table with the sequence of its keys.
    static func create(_ table: TableSchema, _ dialect: any SQLDialect) -> [String] {
        let sequence = dialect.table(Self.sequence(of: table.name))
        let key = dialect.identifier(table.own.key)
        var columns = ["\(key) bigint PRIMARY KEY DEFAULT nextval(\(dialect.literal(.text(sequence))))"]
        if let number = table.own.entityNumber { columns.append("\(dialect.identifier(number)) bigint NOT NULL") }
        columns.append("\(dialect.identifier(table.own.version)) bigint NOT NULL DEFAULT 1")
        columns += table.columns.map { "\(dialect.identifier($0.name)) \($0.declaredType)" }
        let name = dialect.table(table.name)
        return [
            "CREATE SEQUENCE \(sequence) INCREMENT BY \(KeyBlocks.size)",
            "CREATE TABLE \(name) (\(columns.joined(separator: ", ")))",
            "ALTER SEQUENCE \(sequence) OWNED BY \(name).\(key)",
        ]
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
        schema.tables.flatMap(\.indexStatements) + schema.joinTables.flatMap(\.indexStatements)
    }

    // MARK: Comments

    /// The user info under `SQLComment` or `comment`.
    var comments: [String] {
        model.entities.flatMap { entity -> [String] in
            guard let place = schema.entities[entity.name] else { return [] }
            var statements: [String] = []
            let table = dialect.table(place.tableName)
            if let text = Self.comment(entity.userInfo), place.superNumber == 0 {
                statements.append("COMMENT ON TABLE \(table) IS \(dialect.literal(.text(text)))")
            }
            for property in entity.properties {
                guard let text = Self.comment(property.common.userInfo) else { continue }
                let column: String
                switch place.properties[property.name] {
                case .attribute(let attribute): column = attribute.column
                case .toOne(let toOne): column = toOne.column
                default: continue
                }
                statements.append(
                    "COMMENT ON COLUMN \(table).\(dialect.identifier(column)) IS \(dialect.literal(.text(text)))"
                )
            }
            return statements
        }
    }

    private static func comment(_ userInfo: [String: String]) -> String? {
        userInfo["SQLComment"] ?? userInfo["comment"]
    }
}
