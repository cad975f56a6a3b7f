import GraphModel

/// A to-one relationship's columns.
package struct ToOneColumn: Sendable {
    package var column: String
    /// `Z<n>_<REL>`, if the destination's tree has subentities.
    package var entityColumn: String?
    /// `Z_FOK_<REL>`, if the inverse is ordered.
    package var orderColumn: String?
    package var destination: String
    package var inverse: String?
}
