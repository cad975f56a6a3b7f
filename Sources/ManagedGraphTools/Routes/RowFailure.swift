// The objects that do not fit the new version of a model, in a forecast.
import GraphModel
import GraphSQL
import ManagedGraph

/// Objects that do not fit the new version.
package struct RowFailure: Sendable {
    package var entity: String
    package var property: String?
    package var reason: String
    package var count: Int
    /// URIs of the first ones.
    package var examples: [String] = []
    /// Whether the migration fails; otherwise the objects are migrated and fail validation at their next save.
    package var prevents: Bool
}
