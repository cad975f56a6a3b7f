// The texts of the statements that write one entity's rows, made once a store and entity and prepared once. Called by the
// store's save. They hold marks only; the caller binds values in the order of `columns`.

/// The statements of an entity's rows.
package struct RowStatements: Sendable {
    package let tableName: String
    package let entityNumber: Int64
    /// The columns of this entity after Z_PK, Z_ENT and Z_OPT, inherited ones included, in the order of the table.
    package let columns: [String]
    /// Positions in `columns`.
    package let columnIndex: [String: Int]
    /// Marks: Z_PK, then `columns`; what is the same in all new rows stands in the text.
    package let insert: String
    /// The same for a row behind all others, whose key SQLite gives; marks: `columns`.
    package let append: String
    /// Marks: Z_PK, Z_OPT as it was read.
    package let delete: String
    /// Marks: Z_PK; for a merge policy that lets the deletion win.
    package let deleteAnyVersion: String

    /// The statements of an entity; nil for a name the schema does not have.
    package init?(schema: StoreSchema, entityName: String) {
        guard let entity = schema.entities[entityName] else { return nil }
        let table = schema.tables[entity.table]
        let own = RowStatements.columnNames(of: entity)
        columns = table.columns.map(\.name).filter { own.contains($0) }
        columnIndex = Dictionary(uniqueKeysWithValues: zip(columns, columns.indices))
        tableName = entity.tableName
        entityNumber = entity.number
        let names = (["Z_ENT", "Z_OPT"] + columns).joined(separator: ", ")
        let values = (["\(entity.number)", "1"] + columns.map { _ in "?" }).joined(separator: ", ")
        insert = "INSERT INTO \(table.name)(Z_PK, \(names)) VALUES(?, \(values))"
        append = "INSERT INTO \(table.name)(\(names)) VALUES(\(values))"
        delete = "DELETE FROM \(table.name) WHERE Z_PK = ? AND Z_OPT = ?"
        deleteAnyVersion = "DELETE FROM \(table.name) WHERE Z_PK = ?"
    }

    /// Sets columns and counts the version up.
    ///
    /// Marks: the columns' values in the order given, Z_PK, Z_OPT as it was read. No row is changed where another writer has been there.
    package func update(_ columns: [String]) -> String {
        let list = columns.map { "\($0) = ?, " }.joined()
        return "UPDATE \(tableName) SET \(list)Z_OPT = Z_OPT + 1 WHERE Z_PK = ? AND Z_OPT = ?"
    }

    /// Sets columns whatever the version is.
    ///
    /// Marks: the columns' values in the order given, Z_PK.
    package func updateAnyVersion(_ columns: [String]) -> String {
        let list = columns.map { "\($0) = ?, " }.joined()
        return "UPDATE \(tableName) SET \(list)Z_OPT = Z_OPT + 1 WHERE Z_PK = ?"
    }

    /// Sets columns in many rows, whatever their versions are.
    ///
    /// Marks: the columns' values in the order given, the keys as one JSON text.
    package func updateMany(_ columns: [String]) -> String {
        let list = columns.map { "\($0) = ?, " }.joined()
        return "UPDATE \(tableName) SET \(list)Z_OPT = Z_OPT + 1 WHERE Z_PK IN (SELECT value FROM json_each(?))"
    }

    /// Gives a row that has no version its first one; marks: Z_PK.
    package var giveVersion: String { "UPDATE \(tableName) SET Z_OPT = 0 WHERE Z_PK = ? AND Z_OPT IS NULL" }

    /// Deletes many rows, whatever their versions are; marks: the keys as one JSON text.
    package var deleteMany: String { "DELETE FROM \(tableName) WHERE Z_PK IN (SELECT value FROM json_each(?))" }

    /// Reads columns of a row; marks: Z_PK.
    package func selectOne(_ columns: [String]) -> String { "\(select(columns)) WHERE Z_PK = ?" }

    /// Reads columns of many rows; marks: the keys as one JSON text.
    package func selectMany(_ columns: [String]) -> String {
        "\(select(columns)) WHERE Z_PK IN (SELECT value FROM json_each(?))"
    }

    private func select(_ columns: [String]) -> String {
        "SELECT \(columns.joined(separator: ", ")) FROM \(tableName)"
    }

    /// Reads the version of a row; marks: Z_PK.
    package var selectVersion: String { "SELECT Z_OPT FROM \(tableName) WHERE Z_PK = ?" }

    private static func columnNames(of entity: EntitySchema) -> Set<String> {
        var names: Set<String> = []
        for property in entity.properties.values {
            switch property {
            case .attribute(let attribute): names.insert(attribute.column)
            case .toOne(let toOne):
                names.formUnion([toOne.column, toOne.entityColumn, toOne.orderColumn].compactMap(\.self))
            case .toManyInverse, .manyToMany: break
            }
        }
        return names
    }
}
