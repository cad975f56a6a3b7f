// A column of a table: its name and type.
import GraphModel

/// A column with its declared type.
package struct ColumnSchema: Sendable, Hashable {
    package var name: String
    package var declaredType: String
}
