// The join table of a many-to-many relationship.
import GraphModel

/// A many-to-many table.
package struct JoinTableSchema: Sendable {
    package var name: String
    /// Index into `StoreSchema.tables` of the side that gave the table its name.
    package var ownerTable: Int
    /// The owner's key, the other key, then the order columns, if any.
    package var columns: [ColumnSchema]
    package var primaryKey: [String]
    package var indexStatements: [String]

    package init(
        name: String,
        columns: [ColumnSchema],
        primaryKey: [String],
        indexStatements: [String] = [],
        ownerTable: Int = 0
    ) {
        self.name = name
        self.ownerTable = ownerTable
        self.columns = columns
        self.primaryKey = primaryKey
        self.indexStatements = indexStatements
    }
}
