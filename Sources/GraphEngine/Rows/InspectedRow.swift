// One row as it is in its table, for tools that show it. Returned by `InspectingReadSession`.

/// A row as it is stored, with every column of its table.
package struct InspectedRow: Sendable {
    package var table: String
    package var primaryKey: Int64
    /// The columns in the table's order, with printed values.
    package var columns: [(name: String, value: String)]

    package init(table: String, primaryKey: Int64, columns: [(name: String, value: String)]) {
        self.table = table
        self.primaryKey = primaryKey
        self.columns = columns
    }
}
