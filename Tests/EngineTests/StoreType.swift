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
    case distributed = "PostgreSQL, distributed"

    /// PostgreSQL only if it is installed; the setup script installs it.
    static let allCases: [StoreType] =
        [.sqlite, .dictionary] + (PostgreSQLServer.isInstalled ? [.postgreSQL, .distributed] : [])

    /// The types without a history unless the store's options request one.
    static var withoutHistory: [StoreType] { allCases.filter { !$0.isPostgreSQL } }

    /// A text with a character that not every database can store.
    var unusualText: String { isPostgreSQL ? "ä\u{1}🐢" : "ä\u{0}🐢" }

    var isPostgreSQL: Bool { self == .postgreSQL || self == .distributed }

    /// The store type of coordinators.
    var registeredType: String { isPostgreSQL ? StoreType.postgreSQL.rawValue : rawValue }

    var testDescription: String { rawValue }
}
