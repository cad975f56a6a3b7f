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
