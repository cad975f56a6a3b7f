// The forecast of a migration for the objects of one entity.
import GraphModel
import GraphSQL
import ManagedGraph

/// The effect on an entity.
package struct EntityForecast: Sendable {
    package enum Kind: String, Sendable {
        case added, removed, renamed, changed, unchanged, mapped
    }

    package var kind: Kind
    package var source: String?
    package var destination: String?
    /// The number of the entity's objects in the store, without those of subentities.
    package var rows: Int?
    /// The way in which the entity's table is migrated.
    package var path: MigrationPlan.TablePath?
    package var properties: [PropertyForecast] = []
}
