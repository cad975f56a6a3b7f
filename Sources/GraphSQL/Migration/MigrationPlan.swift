// A lightweight migration as values: the statements that turn one version's tables into another's, and the numbers
// that must be equal before and after. Made by MigrationPlanner, run by StoreMigration, and printed on request.
import GraphEngine
import GraphModel

/// The statements of a migration and the checks around them.
package struct MigrationPlan: Sendable {
    /// The way in which a table is migrated.
    package enum TablePath: Sendable, Hashable {
        /// The rows stay as they are.
        case untouched
        /// Columns are added or renamed, rows updated.
        case inPlace
        /// The rows are copied into a new table.
        case rewritten
        /// The table is new and empty.
        case created
    }

    /// The counts that must be equal before and after.
    package struct Check: Sendable {
        package var entity: String
        package var property: String?
        package var before: String
        package var after: String
    }

    /// Rows that the new model's rules forbid.
    package struct Refusal: Sendable {
        package var entity: String
        package var property: String?
        /// Selects their keys as `K`, in the source's tables, before anything is done.
        package var keys: String
        package var reason: String
        /// Counts them.
        package var count: String { "SELECT COUNT(*) FROM (\(keys)) AS _x" }
        /// Counts them, and selects the least key.
        package var countAndExample: String { "SELECT COUNT(*), MIN(K) FROM (\(keys)) AS _x" }
    }

    /// The changes in the history of an entity's objects.
    package struct HistoryChange: Sendable, Hashable {
        /// The entity's number in the source.
        package var number: Int64
        /// The destination's numbers of properties by the source's; nil if they are the same.
        package var properties: [Int: Int]?
        /// The same of the attributes whose values are kept when an object is deleted.
        package var tombstones: [Int: Int]?
    }

    /// The leftovers of a deferred migration in the file: nothing reads them, and nothing is lost when they are
    /// removed.
    package enum Leftover: Sendable, Hashable {
        case table(String)
        case column(table: String, name: String)
    }

    /// By the destination's table.
    package var paths: [String: TablePath] = [:]
    /// The statements in their order, for one transaction.
    ///
    /// Indexes and triggers come after them, so that they are the destination's.
    package var statements: [SQLStatement] = []
    package var checks: [Check] = []
    package var refusals: [Refusal] = []
    /// The deferred removals; empty unless the plan was made to defer.
    package var leftovers: [Leftover] = []
    /// Entity numbers of the source by those of the destination.
    package var numbers: [Int64: Int64] = [:]
    /// Numbers of the source's entities that are gone.
    package var removedNumbers: [Int64] = []
    package var history: [HistoryChange] = []
    /// For each destination table the source's table that its keys come from.
    package var feeds: [String: String] = [:]
    /// The names that columns of an altered table get, by the source's table; those that are dropped are left out.
    package var keptColumns: [String: [String: String]] = [:]
    /// Join tables that stay as they are.
    package var keptJoins: Set<String> = []
    /// The tables as they are, with the file's own numbers and names.
    package var source = StoreSchema(dialect: .sqlite)
    /// The tables as they are to be.
    package var destination = StoreSchema(dialect: .sqlite)
    /// Columns in which large values change their form, as `table.column`: files may be left over.
    package var convertsFiles = false

    /// Whether rows were copied, so that the whole file is looked at before it is trusted.
    package var copiesRows: Bool { paths.values.contains(.rewritten) }

    /// The SQL function that returns the value of a column of large values.
    package static let plainValueFunction = "ManagedGraphPlainValue"

    /// The SQL function that gives the Float nearest to a number.
    package static let nearestFloatFunction = "ManagedGraphNearestFloat"
}
