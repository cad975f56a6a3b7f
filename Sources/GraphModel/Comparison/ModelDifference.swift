// The differences of two versions of a model, as values. Created by ModelComparison; printed by `managedgraph model
// diff`. MigrationVerdict determines whether a migration is possible.

/// The differences of two versions of a model.
package struct ModelDifference: Sendable, Hashable {
    /// Removed entities in the old order, then added and changed ones in the new order; without unchanged ones.
    package var entities: [EntityDifference]
    /// Configurations, fetch request templates and version identifiers.
    package var changes: [FieldChange]
    /// Whether a store of one version opens with the other without migration.
    package var hasEqualHashes: Bool

    /// Whether there are no differences.
    package var isEmpty: Bool { entities.isEmpty && changes.isEmpty }
}

/// The kind of change to a part of a model.
package enum DifferenceKind: String, Sendable, Hashable {
    case added, removed, changed
    /// Has a new name, and perhaps other changes.
    case renamed
    /// Declared by another entity of the hierarchy, perhaps with other changes.
    case moved
}

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

/// One value that differs.
package struct FieldChange: Sendable, Hashable {
    /// A stable name, such as "type", "default" or "deleteRule".
    package var field: String
    /// The old value as text; nil for none.
    package var before: String?
    /// The new value as text; nil for none.
    package var after: String?
    /// Whether this value affects version hashes; other values do not make a store incompatible.
    package var isHashed: Bool
}
