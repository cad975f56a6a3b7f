// The kinds of migrations that the tests kill or fail.
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
