// The column in the members' table that leads back to the owner of a to-many relationship.
import GraphModel

/// A to-many relationship kept in the destination's rows.
package struct ToManyInverse: Sendable {
    package var destination: String
    package var destinationTable: String
    /// The to-one column in the destination's table that points here.
    package var column: String
    /// `Z_FOK_…` in the destination's table, if this side is ordered.
    package var orderColumn: String?
    /// The destination's relationship that points back; empty if the model names none, and then no property of the
    /// destination stands for `column`.
    package var inverse: String
}
