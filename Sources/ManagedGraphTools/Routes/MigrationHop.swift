// One step of a route between two versions, and the means of doing it.
import Foundation
import GraphModel
import GraphModelFiles
import ManagedGraph

/// One step of a route.
package struct MigrationHop: Sendable {
    /// The means of doing a step.
    package enum Means: Sendable {
        /// In SQL, by an inferred mapping.
        case inferred(ModelMapping)
        /// Object by object, by a mapping model.
        case mapping(NamedMapping)
    }

    package var source: MigrationVersion
    package var destination: MigrationVersion
    package var means: Means
}
