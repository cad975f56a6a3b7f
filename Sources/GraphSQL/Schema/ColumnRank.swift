// The order of a table's columns: by group of types, then by entity, then by name. Beside `ColumnGroup`.
import GraphModel

/// Within an entity's run of the integer group.
enum ColumnRank: Int {
    case attribute
    case toOne
    /// The key that a to-many relationship without an inverse keeps in its destination's table.
    case foreignKey
    case order
}
