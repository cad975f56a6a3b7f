// How two versions of a model differ, as values. Made by ModelComparison; printed by `managedgraph model diff`.
// Says nothing of whether the one can become the other: that is MigrationVerdict's business.

/// The differences of two versions of a model.
package struct ModelDifference: Sendable, Hashable {
    /// Removed entities in the old order, then added and changed ones in the new order; equal ones are left out.
    package var entities: [EntityDifference]
    /// Configurations, fetch request templates and version identifiers.
    package var changes: [FieldChange]
    /// Whether a store of the one opens with the other as it is.
    package var hasEqualHashes: Bool

    /// Whether nothing differs at all.
    package var isEmpty: Bool { entities.isEmpty && changes.isEmpty }
}

/// What has become of a part of a model.
package enum DifferenceKind: String, Sendable, Hashable {
    case added, removed, changed
    /// Changed in its name, and perhaps in more.
    case renamed
    /// Declared by another entity of the hierarchy now, and perhaps changed.
    case moved
}

/// The difference of one entity.
package struct EntityDifference: Sendable, Hashable {
    package var kind: DifferenceKind
    /// The new name; the old one of a removed entity.
    package var name: String
    /// The old name of a renamed entity.
    package var formerName: String?
    /// What differs in the entity itself: class, parent, indexes or constraints.
    package var changes: [FieldChange]
    package var properties: [PropertyDifference]
    /// Whether the version hash differs; inherited properties and the parent count.
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
    /// What an added or removed property is, in short: its type, and whether it may be nil.
    package var summary: String
    package var changes: [FieldChange]
    /// Whether the property's hash differs and counts in its entity's.
    package var isHashChanged: Bool
}

/// One value that differs.
package struct FieldChange: Sendable, Hashable {
    /// A stable name: "type", "default", "deleteRule" or the like.
    package var field: String
    /// The old value as text; nil for none.
    package var before: String?
    /// The new value as text; nil for none.
    package var after: String?
    /// Whether this value counts in version hashes: others do not make a store incompatible.
    package var isHashed: Bool
}
