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

    /// PostgreSQL only if it is installed; the setup script installs it.
    static let allCases: [StoreType] =
        [.sqlite, .dictionary] + (PostgreSQLServer.isInstalled ? [.postgreSQL] : [])

    /// Those without a history unless a store asks for one.
    static var withoutHistory: [StoreType] { allCases.filter { $0 != .postgreSQL } }

    /// A text with a character that not every database can store.
    var unusualText: String { self == .postgreSQL ? "ä\u{1}🐢" : "ä\u{0}🐢" }

    var testDescription: String { rawValue }
}
