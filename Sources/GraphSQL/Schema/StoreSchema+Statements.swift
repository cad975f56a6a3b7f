// The statements that make an empty store, in Apple's order and wording. Run by StoreFile.create.

extension StoreSchema {
    /// All tables, then all indexes, then the triggers and the store's own tables.
    package var createStatements: [String] {
        var statements: [String] = []
        for (index, table) in tables.enumerated() {
            statements.append(table.createStatement)
            statements += joinTables.filter { $0.ownerTable == index }.map(\.createStatement)
        }
        for (index, table) in tables.enumerated() {
            statements += table.indexStatements
            statements += joinTables.filter { $0.ownerTable == index }.flatMap(\.indexStatements)
        }
        return statements + triggers + StoreSchema.ownStatements
    }

    /// The tables that every store has.
    package static let ownStatements = [
        "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)",
        "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)",
        modelCacheStatement,
    ]

    /// The table of the store's own model.
    package static let modelCacheStatement = "CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)"

    /// The rows of `Z_PRIMARYKEY` of a store without objects.
    package var seedStatements: [SQLStatement] {
        entityOrder.compactMap { entities[$0] }
            .map { entity in
                SQLStatement(
                    "INSERT INTO Z_PRIMARYKEY(Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES(?, ?, ?, 0)",
                    [.integer(entity.number), .text(entity.name), .integer(entity.superNumber)]
                )
            }
    }
}

extension TableSchema {
    package var createStatement: String {
        let own = ["Z_PK INTEGER PRIMARY KEY", "Z_ENT INTEGER", "Z_OPT INTEGER"]
        let list = (own + columns.map { "\($0.name) \($0.declaredType)" }).joined(separator: ", ")
        return "CREATE TABLE \(name) ( \(list) )"
    }
}

extension JoinTableSchema {
    package var createStatement: String {
        let list = columns.map { "\($0.name) \($0.declaredType)" }.joined(separator: ", ")
        return "CREATE TABLE \(name) ( \(list), PRIMARY KEY (\(primaryKey.joined(separator: ", "))) )"
    }
}
