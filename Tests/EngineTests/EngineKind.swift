// The engines that have to pass the suite.
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

    /// PostgreSQL only where it is installed; the setup script installs it.
    static let allCases: [EngineKind] =
        [.sqliteFile, .sqliteMemory, .dictionary] + (PostgreSQLServer.isInstalled ? [.postgreSQL] : [])

    var testDescription: String { rawValue }

    /// Whether readers have separate connections beside the writer.
    var readsBesideWriter: Bool { self != .sqliteMemory }

    static var concurrent: [EngineKind] { allCases.filter(\.readsBesideWriter) }
}
