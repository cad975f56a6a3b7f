// A table of the entities of one inheritance tree.
import GraphModel

/// A table of an inheritance tree.
package struct TableSchema: Sendable {
    package var name: String
    package var rootEntity: String
    /// After Z_PK, Z_ENT and Z_OPT, in Apple's order.
    package var columns: [ColumnSchema]
    package var indexStatements: [String] = []
}
