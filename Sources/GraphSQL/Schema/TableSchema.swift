// A table of the entities of one inheritance tree.
import GraphModel

/// A table of an inheritance tree.
package struct TableSchema: Sendable {
    package var name: String
    package var rootEntity: String
    package var own = OwnColumns.apple
    /// After the table's own columns, in Apple's order.
    package var columns: [ColumnSchema]
    let tree: Int
    let indexes: IndexStatements

    package var indexStatements: [String] { indexes.statements(ofTree: tree) }
}
