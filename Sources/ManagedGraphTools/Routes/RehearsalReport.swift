// The outcome of a rehearsed migration, by entity.
import Foundation
import GraphModel
import GraphSQLite
import ManagedGraph

/// The findings of a rehearsed migration.
package struct RehearsalReport: Sendable {
    /// The outcome for the objects of one entity.
    package struct Entity: Sendable {
        /// Nil if the entity is new.
        package var source: String?
        /// Nil if the entity was removed.
        package var destination: String?
        package var before: Int
        package var after: Int
        /// The number of objects that differ, including those that are gone.
        package var changed: Int
        /// The number of objects without a counterpart: the entity was removed, or a mapping model leaves them out.
        package var gone = 0
    }

    package var from: String
    package var to: String
    package var steps: [(from: String, to: String, mapping: String?)] = []
    package var entities: [Entity] = []
    /// Unexpected effects: lost objects, and values changed without a reason in the models.
    package var problems: [String] = []
    /// Objects that violate rules of the new version.
    package var broken: [String] = []
}
