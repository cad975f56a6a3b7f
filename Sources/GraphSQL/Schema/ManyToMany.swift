// One side of a join table, as a relationship uses it.
import GraphModel

/// A to-many relationship kept in a join table.
package struct ManyToMany: Sendable {
    /// Whether the relationship is its own inverse: a pair then has two rows, one for each side.
    package var isReflexive = false
    package var destination: String
    package var destinationTable: String
    package var joinTable: String
    /// The join table's column that holds this side's key.
    package var ownColumn: String
    /// The join table's column that holds the destination's key.
    package var otherColumn: String
    /// `Z_FOK_…` that orders the destinations of this side, if this side is ordered.
    package var orderColumn: String?
    /// The column that orders this side's objects for the inverse, if the inverse is ordered.
    package var inverseOrderColumn: String?
    package var inverse: String?
}
