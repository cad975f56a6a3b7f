// The spelling of names in a plan's statements.
import GraphModel

extension MigrationPlanner {
    var dialect: any SQLDialect { new.dialect }

    func quoted(_ column: String) -> String { dialect.identifier(column) }
    func named(_ table: String) -> String { dialect.table(table) }

    /// The key column of an entity's table.
    func key(_ entity: EntitySchema) -> String { quoted(entity.own.key) }

    /// The keys of a table of the destination.
    func keys(ofNew table: String) -> String { "SELECT \(quoted(new.key(of: table))) FROM \(named(table))" }

    /// An entity's table with the condition on its own rows, so that further conditions can follow.
    ///
    /// All rows of a table with one entity are its own, whatever numbers they have: fetches read them so.
    func rows(_ entity: EntitySchema, in table: String? = nil) -> String {
        "\(named(table ?? entity.tableName)) WHERE "
            + (numberColumn(entity).map { "\(quoted($0)) = \(entity.number)" } ?? "TRUE")
    }

    /// The column that distinguishes the rows of an entity from others of its table; nil if there are no others.
    private func numberColumn(_ entity: EntitySchema) -> String? { entity.isInTree ? entity.own.entityNumber : nil }

    /// The same for the rows of several entities of a table.
    func rows(_ entity: EntitySchema, _ numbers: [Int64]) -> String {
        let list = numbers.map(String.init).joined(separator: ", ")
        return "\(named(entity.tableName)) WHERE "
            + (numberColumn(entity).map { "\(quoted($0)) IN (\(list))" } ?? (list.isEmpty ? "FALSE" : "TRUE"))
    }

    /// A value in a statement: its mark, or a literal for a database whose values have types.
    func mark(_ value: SQLValue, _ values: inout [SQLValue]) -> String {
        if file.database != nil { return dialect.literal(value) }
        values.append(value)
        return "?"
    }
}

extension StoreSchema {
    /// The key column of a table.
    package func key(of table: String) -> String {
        tables.first { $0.name == table }?.own.key ?? OwnColumns.apple.key
    }
}
