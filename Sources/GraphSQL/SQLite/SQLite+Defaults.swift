// For callers that serve SQLite's stores only: the initializers and texts of GraphSQL in SQLite's dialect.
import GraphModel

extension StoreSchema {
    /// Tables in an SQLite file.
    package init(
        entities: [String: EntitySchema] = [:],
        entityOrder: [String] = [],
        tables: [TableSchema] = [],
        joinTables: [JoinTableSchema] = []
    ) {
        self.init(
            entities: entities,
            entityOrder: entityOrder,
            tables: tables,
            joinTables: joinTables,
            dialect: .sqlite
        )
    }

    /// Lays a model out in an SQLite file.
    package init(model: Model, numbers: [String: Int64] = [:]) {
        self.init(model: model, numbers: numbers, dialect: .sqlite)
    }

    /// Makes the table of the store's own model.
    package static let modelCacheStatement = modelCacheStatement(in: .sqlite)
}

extension HistorySchema {
    /// The statements that create missing tables; each statement may be run again.
    package static let statements = statements(in: .sqlite)
}

extension TableSchema {
    package var createStatement: String { createStatement(in: .sqlite) }
}

extension JoinTableSchema {
    package var createStatement: String { createStatement(in: .sqlite) }
}

extension JoinStatements {
    package init(_ relationship: ManyToMany) {
        self.init(relationship, dialect: .sqlite)
    }
}

extension OrderStatements {
    package init?(_ relationship: ManyToMany) {
        self.init(relationship, dialect: .sqlite)
    }

    package init?(_ relationship: ToManyInverse) {
        self.init(relationship, dialect: .sqlite)
    }
}

extension SQLStatement {
    /// The statement with its values as literals.
    package var printed: String { printed(in: .sqlite) }
}
