// The rows of a sample store in a PostgreSQL database, with the translator in between.
import Foundation
import GraphEngine
import GraphModel
import GraphPostgreSQL
import GraphPredicates
import GraphSQL

/// A sample store's rows in PostgreSQL.
final class SampleDatabase {
    /// The schema with the functions and the tables of one store after the other.
    static let schemaName = "sample"
    let store: SampleStore
    let schema: StoreSchema
    let translator: FetchTranslator
    let connection: PostgreSQLConnection
    let hasFunctions: Bool

    /// Creates the functions, once for each connection.
    static func install(_ connection: PostgreSQLConnection) throws {
        try connection.execute("DROP SCHEMA IF EXISTS \(schemaName) CASCADE")
        try connection.execute("CREATE SCHEMA \(schemaName)")
        for statement in PostgreSQLFunctions(PostgreSQLDialect(schema: schemaName)).statements {
            try connection.execute(statement)
        }
    }

    /// Writes the rows of a store in place of those of the previous store.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - model: Its model.
    ///   - connection: The connection that created the functions.
    ///   - hasFunctions: Whether the translator may use the store's functions, which distributed databases lack.
    /// - Throws: If a statement fails.
    init(_ store: SampleStore, _ model: Model, _ connection: PostgreSQLConnection, hasFunctions: Bool = true) throws {
        self.store = store
        self.connection = connection
        self.hasFunctions = hasFunctions
        let dialect = PostgreSQLDialect(schema: Self.schemaName, hasFunctions: hasFunctions)
        schema = StoreSchema(model: model, dialect: dialect)
        translator = FetchTranslator(schema: schema) { entity, property in
            entity == "Task" && property == "isOverdue"
        }
        let old = try connection.execute(
            "SELECT tablename::text FROM pg_tables WHERE schemaname = '\(Self.schemaName)'"
        )
        var statements: [String] = []
        for row in 0..<old.count {
            if let name = try old.string(0, row) { statements.append("DROP TABLE \(dialect.table(name))") }
        }
        statements += schema.tables.map { $0.createStatement(in: dialect) }
        statements += schema.joinTables.map { $0.createStatement(in: dialect) }
        for object in store.objects.values.flatMap({ $0 }) {
            guard let entity = schema.entities[object.entity] else { continue }
            statements += rows(object, entity)
        }
        _ = try connection.pipeline(statements.map { SQLStatement($0) }, prepares: false)
    }

    private func rows(_ object: SampleObject, _ entity: EntitySchema) -> [String] {
        var statements: [String] = []
        var columns: [(String, SQLValue)] = [
            (entity.own.key, .integer(object.key)), (entity.own.version, .integer(1)),
        ]
        if let number = entity.own.entityNumber { columns.append((number, .integer(entity.number))) }
        for (name, property) in entity.properties {
            switch property {
            case .attribute(let attribute): columns.append((attribute.column, stored(store.read(name, object))))
            case .toOne(let toOne):
                guard let target = object.values[name] as? SampleObject else { continue }
                columns.append((toOne.column, .integer(target.key)))
                if let column = toOne.entityColumn {
                    columns.append((column, .integer(schema.entities[target.entity]?.number ?? 0)))
                }
                if let column = toOne.orderColumn, let inverse = toOne.inverse,
                    let place = target.objects(inverse).firstIndex(where: { $0 === object })
                {
                    columns.append((column, .integer(Int64(place + 1) * 1024)))
                }
            case .manyToMany(let many) where store.owns(name):
                for target in object.objects(name) {
                    statements.append(
                        insert(
                            many.joinTable,
                            [
                                (many.ownColumn, .integer(object.key)), (many.otherColumn, .integer(target.key)),
                            ]
                        )
                    )
                }
            case .toManyInverse, .manyToMany: break
            }
        }
        return statements + [insert(entity.tableName, columns)]
    }

    private func insert(_ table: String, _ columns: [(String, SQLValue)]) -> String {
        let dialect = schema.dialect
        let names = columns.map { dialect.identifier($0.0) }.joined(separator: ", ")
        let values = columns.map { dialect.literal($0.1) }.joined(separator: ", ")
        return "INSERT INTO \(dialect.table(table)) (\(names)) VALUES (\(values))"
    }

    private func stored(_ value: Any?) -> SQLValue {
        switch EvaluatedValue(value) {
        case .boolean(let value): .typed(.boolean(value))
        case .integer(let value): .integer(value)
        case .real(let value): .real(value)
        case .decimal(let value): .typed(.decimal(value))
        case .text(let value): .text(value)
        case .date(let value): .typed(.time(value.timeIntervalSinceReferenceDate))
        case .uuid(let value): .typed(.uuid(value))
        case .data(let value): .blob(value)
        case .url(let value): .text(value.absoluteString)
        default: .null
        }
    }

    func translate(_ plan: FetchPlan) throws -> TranslatedFetch {
        try translator.translate(plan, constants: store.resolvers)
    }

    func rows(_ plan: FetchPlan) throws -> [[RowValue]] {
        let result = try connection.execute(try translate(plan).statement)
        return try (0..<result.count).map { row in
            try (0..<result.columnCount).map { try result.value($0, row) }
        }
    }

    /// The keys of the rows that match a predicate.
    func keys(_ entity: String, _ predicate: PredicateNode) throws -> [Int64] {
        let plan = FetchPlan(entity: entity, predicate: predicate, columns: [.primaryKey])
        return try rows(plan).map { row in
            if case .integer(let key) = row[0] { key } else { -1 }
        }
    }
}
