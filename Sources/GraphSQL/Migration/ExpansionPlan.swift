// Two versions of a model over one set of tables, as values: the columns and tables that the old version's schema gets,
// the views that show them as the new version's, and the statements that make the tables the new version's alone. Made
// by MigrationPlanner, run by the engine of a database.
import GraphModel

/// A new version beside an old one.
package struct ExpansionPlan: Sendable {
    /// A column that the new version has and the old one lacks.
    package struct Column: Sendable {
        /// The table's name in the old version's schema.
        package var table: String
        /// The name until the old version is removed, and the one in the new version.
        package var name: String
        package var finalName: String
        package var type: String
        /// The value in rows of the old version, as a literal.
        package var value: String?
        /// The old version's column of the same values in another type.
        package var pair: Pair?
    }

    /// A column in two types.
    package struct Pair: Sendable {
        package var column: String
        /// The new value by the old one, and the old value by the new one.
        package var forward: @Sendable (String) -> String
        package var backward: @Sendable (String) -> String
    }

    /// A table of the new version over one of the schema.
    package struct View: Sendable {
        package var name: String
        package var table: String
        /// The view's column names with those of the table.
        package var columns: [(name: String, column: String)]
    }

    /// Columns that the new version adds.
    package var added: [Column] = []
    /// The tables that the new version adds, by the names that they have until the old version is removed.
    package var tables: [(table: TableSchema, finalName: String)] = []
    package var joinTables: [(table: JoinTableSchema, finalName: String)] = []
    package var views: [View] = []
    /// The values that rows of the new version have in columns that it lacks, or that have become required.
    package var values: [(table: String, column: String, value: String)] = []
    /// The columns whose missing values become the value, in either version.
    package var required: [(table: String, column: String, value: String)] = []
    /// Tables that get the names of the new version when the old one is removed; join tables have no sequence of keys.
    package var renames: [(table: String, name: String, hasSequence: Bool)] = []
    /// The statements that leave the new version alone.
    package var contraction: [SQLStatement] = []
    /// The migration of which the indexes and references remain to be done.
    package var migration = MigrationPlan()
    /// Changes that cannot be seen from both versions: entity, property, reason.
    package var obstacles: [MappingProblems.Problem] = []

    /// The beginning of names that are there until the old version is removed.
    package static let prefix = "_next_"
}
