// Shared by the writers of statement texts: lists of names and marks, and the end of each text.

extension SQLDialect {
    /// A text whose marks are `?` with the database's own marks.
    package func statement(_ sql: String) -> String { marks.written(sql) }

    /// Names, with commas between.
    package func identifiers(_ names: [String]) -> String {
        // The standard library's function for it searches all conformances of the program once.
        names.reduce(into: "") { list, name in
            if !list.isEmpty { list += ", " }
            list += identifier(name)
        }
    }

    /// The declarations of columns, with commas between.
    func declarations(_ columns: [(name: String, use: ColumnUse)]) -> String {
        columns.map { "\(identifier($0.name)) \(columnType($0.use))" }.joined(separator: ", ")
    }

    /// The beginning of a statement that inserts one row of bound values.
    package func insert(into table: String, columns: [String]) -> String {
        "INSERT INTO \(self.table(table))(\(identifiers(columns))) VALUES(\(ParameterMarks.list(columns.count)))"
    }

    /// Keys as the one value that `memberOfList(column:)` takes.
    package func list(keys: [Int64]) -> SQLValue {
        list(keys.map(SQLValue.integer), of: .object(table: 0))
    }
}
