// What a migration would do, before anything is written. Made by MigrationForecaster, printed by the command `migrate --plan`;
// values only.
import GraphModel
import GraphSQL
import ManagedGraph

/// What a migration of one store would do.
package struct MigrationForecast: Sendable {
    /// One step.
    package struct Step: Sendable {
        package var from: String
        package var to: String
        /// The mapping model's file; nil for a step that is inferred and done in SQL.
        package var mapping: String?
        package var entities: [EntityForecast] = []
        /// The statements, where the step is done in SQL.
        package var statements: [String] = []
        /// Objects that do not fit the new version; known for the first step.
        package var failures: [RowFailure] = []
        /// What keeps this program from doing the step.
        package var obstacles: [String] = []
        /// Whether rows were counted: what the store holds is known for the first step only.
        package var countsRows = false
    }

    package var store: String
    /// Apple's name of the kind of store.
    package var type: String
    /// The version of the store.
    package var from: String
    /// Whether only the store itself knows its version.
    package var isOwnVersion: Bool
    package var to: String
    package var configuration: String?
    /// In their order; none where the store has the version already.
    package var steps: [Step] = []
    /// Why there is no way; empty where there is one.
    package var impasse: [MappingProblems.Problem] = []

    /// Whether nothing known stands in the way.
    package var isPossible: Bool {
        impasse.isEmpty && !steps.contains { !$0.obstacles.isEmpty || $0.failures.contains(where: \.prevents) }
    }
    package var isUpToDate: Bool { impasse.isEmpty && steps.isEmpty }
}

/// What becomes of an entity.
package struct EntityForecast: Sendable {
    package enum Kind: String, Sendable {
        case added, removed, renamed, changed, unchanged, mapped
    }

    package var kind: Kind
    package var source: String?
    package var destination: String?
    /// The objects of it in the store, those of entities below it not counted.
    package var rows: Int?
    /// What happens to its table.
    package var path: MigrationPlan.TablePath?
    package var properties: [PropertyForecast] = []
}

/// What becomes of a property.
package struct PropertyForecast: Sendable {
    package enum Kind: String, Sendable {
        case added, dropped, renamed, retyped, defaulted, changed, mapped
    }

    package var kind: Kind
    /// The property's name in the new version; in the old one where it is dropped.
    package var name: String
    /// What it was called before, where that is something else.
    package var source: String?
    /// What changes, in words.
    package var detail: String
    /// How many objects that concerns: with a value that is dropped, or that gets a default value.
    package var rows: Int?
}

/// Objects that do not fit the new version.
package struct RowFailure: Sendable {
    package var entity: String
    package var property: String?
    package var reason: String
    package var count: Int
    /// URIs of the first ones.
    package var examples: [String] = []
    /// Whether the migration is refused; else the objects are kept, and refused when they are saved next.
    package var prevents: Bool
}
