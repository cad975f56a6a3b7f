// The texts of the statements that write one entity's rows, made once a store and entity and prepared once. Called by
// the store's save. They hold marks only; the caller binds values in the order of `columns`.
import GraphModel

/// The statements of an entity's rows.
package struct RowStatements: Sendable {
    private let dialect: any SQLDialect
    package let tableName: String
    package let entityNumber: Int64
    /// The columns of this entity after Z_PK, Z_ENT and Z_OPT, inherited ones included, in the order of the table.
    package let columns: [String]
    /// Positions in `columns`.
    package let columnIndex: [String: Int]
    /// Marks: Z_PK, then `columns`; values equal in all new rows are in the text.
    package let insert: String
    /// The same for a row after all others, whose key the database assigns; marks: `columns`.
    package let append: String
    private let appendIntoTable: String
    private let insertIntoTable: String
    /// The values of one new row.
    private let newValues: String
    /// Marks: Z_PK, Z_OPT as it was read.
    package let delete: String
    /// Marks: Z_PK; for a merge policy that lets the deletion win.
    package let deleteAnyVersion: String

    /// The statements of an entity; nil for a name the schema does not have.
    package init?(schema: StoreSchema, entityName: String) {
        guard let entity = schema.entities[entityName] else { return nil }
        let table = schema.tables[entity.table]
        let entityColumns = entity.columnNames
        columns = table.columns.map(\.name).filter { entityColumns.contains($0) }
        columnIndex = Dictionary(uniqueKeysWithValues: zip(columns, columns.indices))
        tableName = entity.tableName
        entityNumber = entity.number
        dialect = schema.dialect
        let into = "INSERT INTO \(dialect.table(table.name))"
        let key = dialect.identifier("Z_PK")
        let names = dialect.identifiers(["Z_ENT", "Z_OPT"] + columns)
        newValues = (["\(entity.number)", "1"] + columns.map { _ in "?" }).joined(separator: ", ")
        insertIntoTable = "\(into)(\(key), \(names))"
        appendIntoTable = "\(into)(\(names))"
        insert = dialect.statement("\(insertIntoTable) VALUES(?, \(newValues))")
        append = dialect.statement("\(appendIntoTable) VALUES(\(newValues))")
        let rows = "DELETE FROM \(dialect.table(table.name)) WHERE \(key) = ?"
        delete = dialect.statement("\(rows) AND \(dialect.identifier("Z_OPT")) = ?")
        deleteAnyVersion = dialect.statement(rows)
    }

    /// The same as `insert` for several rows; the marks of one follow those of the one before.
    package func insert(rows: Int) -> String {
        let rows = Array(repeating: "(?, \(newValues))", count: rows).joined(separator: ", ")
        return dialect.statement("\(insertIntoTable) VALUES\(rows)")
    }

    /// The same as `append` for several rows; the marks of one follow those of the one before.
    package func append(rows: Int) -> String {
        let rows = Array(repeating: "(\(newValues))", count: rows).joined(separator: ", ")
        return dialect.statement("\(appendIntoTable) VALUES\(rows)")
    }

    /// Sets columns and counts the version up.
    ///
    /// Marks: the columns' values in the order given, Z_PK, Z_OPT as it was read. No row is changed if another writer
    /// has changed it.
    package func update(_ columns: [String]) -> String {
        dialect.statement("\(setting(columns)) WHERE \(hasKey) AND \(version) = ?")
    }

    /// The same for several rows of one version.
    ///
    /// Marks: the rows' keys, the values of one column after the other, Z_OPT as it was read.
    package func update(_ columns: [String], rows: Int) -> String {
        let keys = (1...rows).map { "?\($0)" }
        let list = columns.enumerated().map { place, column in
            let values = keys.enumerated().map { " WHEN \($1) THEN ?\((place + 1) * rows + $0 + 1)" }.joined()
            return "\(dialect.identifier(column)) = CASE \(dialect.identifier("Z_PK"))\(values) END, "
        }
        let setting = "UPDATE \(table) SET \(list.joined())\(version) = \(version) + 1"
        let condition = "\(dialect.identifier("Z_PK")) IN (\(keys.joined(separator: ", ")))"
        return dialect.statement("\(setting) WHERE \(condition) AND \(version) = ?\((columns.count + 1) * rows + 1)")
    }

    /// Sets columns regardless of the version.
    ///
    /// Marks: the columns' values in the order given, Z_PK.
    package func updateAnyVersion(_ columns: [String]) -> String {
        dialect.statement("\(setting(columns)) WHERE \(hasKey)")
    }

    /// Sets columns in many rows, regardless of their versions.
    ///
    /// Marks: the columns' values in the order given, the keys as one list.
    package func updateMany(_ columns: [String]) -> String {
        dialect.statement("\(setting(columns)) WHERE \(isOneOfMany)")
    }

    /// Sets columns in all rows of a fetch, regardless of their versions; the last ones to the values computed for each
    /// row.
    ///
    /// Marks: the values of the first columns in the order given, then those of the computed values and of the rows.
    package func update(_ columns: [String], computed: [String] = [], in rows: ChosenRows) -> String {
        let list =
            columns.map { "\(dialect.identifier($0)) = ?, " }
            + zip(computed, rows.computed).map { "\(dialect.identifier($0)) = \($1.text), " }
        let setting = "UPDATE \(rows.table) SET \(list.joined())\(version) = \(version) + 1"
        return dialect.statement("\(setting)\(rows.condition)")
    }

    /// Finds one of the rows of a fetch whose computed values do not fit their attributes; nil if some types cannot be
    /// checked.
    ///
    /// For SQLite, whose values have types of their own: an attribute would store any of them.
    ///
    /// Marks: those of the computed values, then those of the rows.
    package func findMisfit(_ types: [AttributeType], in rows: ChosenRows) -> String? {
        let fits = types.enumerated().map { Self.fits("v\($0)", $1) }
        guard !fits.contains(nil) else { return nil }
        let values = rows.computed.enumerated().map { "\($1.text) AS v\($0)" }.joined(separator: ", ")
        let conditions = fits.compactMap(\.self).joined(separator: " AND ")
        return dialect.statement(
            "SELECT 1 FROM (SELECT \(values) FROM \(rows.table)\(rows.condition)) WHERE NOT (\(conditions)) LIMIT 1"
        )
    }

    /// The condition on a value that an attribute of a type keeps as it is.
    private static func fits(_ value: String, _ type: AttributeType) -> String? {
        let isInteger = "typeof(\(value)) = 'integer' AND \(value) BETWEEN"
        let condition: String
        switch type {
        case .integer16: condition = "\(isInteger) \(Int16.min) AND \(Int16.max)"
        case .integer32: condition = "\(isInteger) \(Int32.min) AND \(Int32.max)"
        case .integer64: condition = "typeof(\(value)) = 'integer'"
        case .boolean: condition = "\(isInteger) 0 AND 1"
        case .double, .date: condition = "typeof(\(value)) IN ('integer', 'real')"
        case .string: condition = "typeof(\(value)) = 'text'"
        default: return nil
        }
        return "(\(value) IS NULL OR (\(condition)))"
    }

    /// Deletes all rows of a fetch, regardless of their versions; marks: those of the rows.
    package func delete(_ rows: ChosenRows) -> String {
        // Without a condition, SQLite empties the table and reports no rows.
        let condition = rows.condition.isEmpty ? " WHERE \(dialect.truth(true).text)" : rows.condition
        return dialect.statement("DELETE FROM \(rows.table)\(condition)")
    }

    /// Gives a row that has no version its first one; marks: Z_PK.
    package var giveVersion: String {
        dialect.statement("UPDATE \(table) SET \(version) = 0 WHERE \(hasKey) AND \(version) IS NULL")
    }

    /// Deletes many rows, regardless of their versions; marks: the keys as one list.
    package var deleteMany: String { dialect.statement("DELETE FROM \(table) WHERE \(isOneOfMany)") }

    /// Deletes many rows of one version; marks: the keys as one list, Z_OPT as it was read.
    package var deleteManyOfVersion: String {
        dialect.statement("DELETE FROM \(table) WHERE \(isOneOfMany) AND \(version) = ?")
    }

    /// Deletes rows with consecutive keys of one version; marks: the first and the last key, Z_OPT as it was read.
    package var deleteRange: String {
        dialect.statement("DELETE FROM \(table) WHERE \(isInRange) AND \(version) = ?")
    }

    /// Reads columns of a row; marks: Z_PK; NULL for a name that is nil.
    package func selectOne(_ columns: [String?]) -> String {
        dialect.statement("\(select(columns)) WHERE \(hasKey)")
    }

    /// Reads columns of many rows; marks: the keys as one list; NULL for a name that is nil.
    package func selectMany(_ columns: [String?]) -> String {
        dialect.statement("\(select(columns)) WHERE \(isOneOfMany)")
    }

    /// Reads columns of rows with consecutive keys; marks: the first and the last key; NULL for a name that is nil.
    package func selectRange(_ columns: [String?]) -> String {
        dialect.statement("\(select(columns)) WHERE \(isInRange)")
    }

    /// Reads the version of a row; marks: Z_PK.
    package var selectVersion: String { dialect.statement("SELECT \(version) FROM \(table) WHERE \(hasKey)") }

    private var table: String { dialect.table(tableName) }
    private var version: String { dialect.identifier("Z_OPT") }
    private var hasKey: String { "\(dialect.identifier("Z_PK")) = ?" }
    private var isOneOfMany: String { dialect.memberOfList(column: dialect.identifier("Z_PK")) }

    private var isInRange: String { "\(dialect.identifier("Z_PK")) BETWEEN ? AND ?" }

    private func setting(_ columns: [String]) -> String {
        let list = columns.map { "\(dialect.identifier($0)) = ?, " }.joined()
        return "UPDATE \(table) SET \(list)\(version) = \(version) + 1"
    }

    private func select(_ columns: [String?]) -> String {
        let list = columns.map { $0.map(dialect.identifier) ?? "NULL" }.joined(separator: ", ")
        return "SELECT \(list) FROM \(table)"
    }
}
