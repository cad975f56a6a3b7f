// The statements that make the tables of an empty store, in Apple's order and wording. Run by StoreFile.

extension StoreSchema {
    /// All tables, then all indexes, then the triggers and the store's own tables.
    package var createStatements: [String] {
        var statements: [String] = []
        for (index, table) in tables.enumerated() {
            statements.append(table.createStatement(in: dialect))
            statements += joinTables.filter { $0.ownerTable == index }.map { $0.createStatement(in: dialect) }
        }
        for (index, table) in tables.enumerated() {
            statements += table.indexStatements
            statements += joinTables.filter { $0.ownerTable == index }.flatMap(\.indexStatements)
        }
        return statements + triggers + ownStatements
    }

    /// The tables that every store has besides those of its entities.
    package static let ownTables: Set<String> = ["Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE"]

    /// The statements that make these tables.
    private var ownStatements: [String] {
        let numbers: [(String, ColumnUse)] = [
            ("Z_ENT", .primaryKey), ("Z_NAME", .text), ("Z_SUPER", .number), ("Z_MAX", .key),
        ]
        let metadata: [(String, ColumnUse)] = [
            ("Z_VERSION", .primaryKey), ("Z_UUID", .storeIdentifier), ("Z_PLIST", .data),
        ]
        return [
            "CREATE TABLE \(dialect.identifier("Z_PRIMARYKEY")) (\(dialect.declarations(numbers)))",
            "CREATE TABLE \(dialect.identifier("Z_METADATA")) (\(dialect.declarations(metadata)))",
            Self.modelCacheStatement(in: dialect),
        ]
    }

    /// Makes the table of the store's own model.
    package static func modelCacheStatement(in dialect: any SQLDialect) -> String {
        "CREATE TABLE \(dialect.identifier("Z_MODELCACHE")) (\(dialect.declarations([("Z_CONTENT", .data)])))"
    }

    /// The rows of `Z_PRIMARYKEY` of a store without objects.
    package var seedStatements: [SQLStatement] {
        let names = dialect.identifiers(["Z_ENT", "Z_NAME", "Z_SUPER", "Z_MAX"])
        let insert = dialect.statement("INSERT INTO \(dialect.identifier("Z_PRIMARYKEY"))(\(names)) VALUES(?, ?, ?, 0)")
        return entityOrder.compactMap { entities[$0] }
            .map { SQLStatement(insert, [.integer($0.number), .text($0.name), .integer($0.superNumber)]) }
    }
}

extension TableSchema {
    /// Makes the table.
    package func createStatement(in dialect: any SQLDialect) -> String {
        let uses: [(String?, ColumnUse)] = [
            (own.key, .primaryKey), (own.entityNumber, .number), (own.version, .number),
        ]
        let systemColumns = dialect.declarations(uses.compactMap { name, use in name.map { ($0, use) } })
        let list = ([systemColumns] + columns.map { $0.declaration(in: dialect) }).joined(separator: ", ")
        return "CREATE TABLE \(dialect.table(name)) ( \(list) )"
    }
}

extension JoinTableSchema {
    /// Makes the table.
    package func createStatement(in dialect: any SQLDialect) -> String {
        let list = columns.map { $0.declaration(in: dialect) }.joined(separator: ", ")
        let keys = dialect.identifiers(primaryKey)
        return "CREATE TABLE \(dialect.table(name)) ( \(list), PRIMARY KEY (\(keys)) )"
    }
}

extension ColumnSchema {
    fileprivate func declaration(in dialect: any SQLDialect) -> String {
        "\(dialect.identifier(name)) \(declaredType)"
    }
}
