// The forecast of a migration, made before anything is written. Created by MigrationForecaster, printed by the command
// `migrate --plan`; values only.
import GraphModel
import GraphSQL
import ManagedGraph

/// The expected effects of migrating one store.
package struct MigrationForecast: Sendable {
    /// One step.
    package struct Step: Sendable {
        package var from: String
        package var to: String
        /// The mapping model's file; nil for an inferred step, which is done in SQL.
        package var mapping: String?
        package var entities: [EntityForecast] = []
        /// The statements, if the step is done in SQL.
        package var statements: [String] = []
        /// Objects that do not fit the new version; determined for the first step only.
        package var failures: [RowFailure] = []
        /// The reasons why this program cannot do the step.
        package var obstacles: [String] = []
        /// Whether rows were counted, which is possible for the first step only.
        package var countsRows = false
    }

    package var store: String
    /// Apple's name of the store type.
    package var type: String
    /// The version of the store.
    package var from: String
    /// Whether the version's model is found only in the store itself.
    package var isOwnVersion: Bool
    package var to: String
    package var configuration: String?
    /// The steps in order; empty if the store already has the version.
    package var steps: [Step] = []
    /// The reasons why there is no route; empty if there is one.
    package var impasse: [MappingProblems.Problem] = []

    /// Whether no obstacle is known.
    package var isPossible: Bool {
        impasse.isEmpty && !steps.contains { !$0.obstacles.isEmpty || $0.failures.contains(where: \.prevents) }
    }
    package var isUpToDate: Bool { impasse.isEmpty && steps.isEmpty }
}
