// The versions and stores of the tests that kill or fail migrations, and the invariants of such a store: it has one
// version, and nothing is missing. Beside `KillVersions`.
import Foundation
import GraphSQLite
import ManagedGraph
import Testing

/// A kind of migration.
enum KillWay: String, CaseIterable {
    case inPlace, mappingModel, staged, deferred

    /// The argument for MigrationProgram.
    var argument: String {
        switch self {
        case .inPlace, .mappingModel: "plain"
        case .staged, .deferred: rawValue
        }
    }
}
