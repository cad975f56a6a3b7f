// The engines that must pass the suite.
import Foundation
import GraphEngine
import GraphSQLite
import PostgreSQLSupport
import Testing

@testable import ManagedGraph

/// The engine under test.
enum EngineKind: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case sqliteFile = "SQLite file"
    case sqliteMemory = "SQLite in memory"
    case dictionary = "dictionaries"
    case postgreSQL = "PostgreSQL"
    case distributed = "PostgreSQL, distributed"

    /// PostgreSQL only if it is installed; the setup script installs it.
    static let allCases: [EngineKind] =
        [.sqliteFile, .sqliteMemory, .dictionary] + (PostgreSQLServer.isInstalled ? [.postgreSQL, .distributed] : [])

    var isPostgreSQL: Bool { self == .postgreSQL || self == .distributed }

    var testDescription: String { rawValue }

    /// Whether readers have separate connections beside the writer.
    var readsBesideWriter: Bool { self != .sqliteMemory }

    /// Whether a transaction waits for the one before; if not, they run concurrently and versions reveal conflicts.
    static var oneByOne: [EngineKind] { allCases.filter { !$0.isPostgreSQL } }

    /// A text with a character that not every database can store.
    var unusualText: String { isPostgreSQL ? "ä\u{1}b 🐢" : "ä\u{0}b 🐢" }

    static var concurrent: [EngineKind] { allCases.filter(\.readsBesideWriter) }
}
