// The types of stores that the tests of the graph run with.
import Foundation
import ManagedGraph
import PostgreSQLSupport
import Testing

/// The type of the store under test.
enum StoreType: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case sqlite = "SQLite"
    case dictionary = "Dictionary"
    case postgreSQL = "PostgreSQL"

    /// PostgreSQL only where it is installed; the setup script installs it.
    static let allCases: [StoreType] =
        [.sqlite, .dictionary] + (PostgreSQLServer.isInstalled ? [.postgreSQL] : [])

    var testDescription: String { rawValue }
}
