// The forecast of a lightweight migration of a store in a database, as values. Made by the engine's migration from the
// schema, read by the forecasts of the command and the studio.

/// The expected effects of a lightweight migration in a database.
package struct DatabaseForecast: Sendable {
    /// Rows that prevent the migration.
    package struct Failure: Sendable {
        package var entity: String
        package var property: String?
        package var reason: String
        package var count: Int
        /// The entity that the rows have in the source, and the first keys.
        package var source: String?
        package var keys: [Int64] = []

        package init(entity: String, property: String?, reason: String, count: Int) {
            self.entity = entity
            self.property = property
            self.reason = reason
            self.count = count
        }
    }

    /// The numbers of failing rows of which keys are listed.
    package static let exampleCount = 5

    package var plan: MigrationPlan
    /// All statements that change tables, in the order in which they run.
    package var statements: [String] = []
    package var failures: [Failure] = []
    /// The reasons why the migration would be refused for any rows.
    package var obstacles: [String] = []

    package init(_ plan: MigrationPlan) { self.plan = plan }

    /// The reason why values prevent a migration that adds a uniqueness constraint.
    ///
    /// - Parameter count: The number of values that occur more than once.
    /// - Returns: The reason, in words.
    package static func duplicates(_ count: Int) -> String {
        "\(count) value\(count == 1 ? " is" : "s are") there several times, which the new uniqueness constraint forbids"
    }
}
