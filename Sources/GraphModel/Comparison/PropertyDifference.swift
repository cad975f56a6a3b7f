// The differences of a property between two versions of a model.

/// The difference of one property that an entity declares.
package struct PropertyDifference: Sendable, Hashable {
    package var kind: DifferenceKind
    /// The new name; the old one of a removed property.
    package var name: String
    /// The old name of a renamed property.
    package var formerName: String?
    /// The entity that declared a moved property before.
    package var formerEntity: String?
    /// "attribute", "relationship" or "fetched property".
    package var sort: String
    /// A short description of an added or removed property: its type, and whether it may be nil.
    package var summary: String
    package var changes: [FieldChange]
    /// Whether the property's hash differs and affects the hash of its entity.
    package var isHashChanged: Bool
}
