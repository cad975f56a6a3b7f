// The differences of an entity between two versions of a model.

/// The difference of one entity.
package struct EntityDifference: Sendable, Hashable {
    package var kind: DifferenceKind
    /// The new name; the old one of a removed entity.
    package var name: String
    /// The old name of a renamed entity.
    package var formerName: String?
    /// The changes of the entity itself: class, parent, indexes or constraints.
    package var changes: [FieldChange]
    package var properties: [PropertyDifference]
    /// Whether the version hash differs, including inherited properties and the parent.
    package var isHashChanged: Bool
}
