// The order of the columns within an entity's part of the group of integers.
import GraphModel

/// Within an entity's run of the integer group.
enum ColumnRank: Int {
    case attribute
    case toOne
    /// The key that a to-many relationship without an inverse keeps in its destination's table.
    case foreignKey
    case order
}
