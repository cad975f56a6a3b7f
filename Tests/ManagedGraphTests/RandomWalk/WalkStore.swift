// The stores that random walks of contexts use: one in memory, a SQLite file, or a schema of a PostgreSQL database.
import Foundation
import ManagedGraph
import ManagedGraphPostgreSQL
import PostgreSQLSupport
import Testing

/// The place of a walk's store, which is removed with it.
final class WalkStore {
    /// The type of a walk's store.
    enum Kind: String, CaseIterable, Sendable, CustomTestStringConvertible {
        case memory = "in memory"
        case sqlite = "SQLite"
        case postgreSQL = "PostgreSQL"
        case distributed = "PostgreSQL, distributed"

        /// PostgreSQL only if it is installed; the setup script installs it.
        static let installed = allCases.filter { !$0.isPostgreSQL || PostgreSQLServer.isInstalled }

        var isPostgreSQL: Bool { self == .postgreSQL || self == .distributed }

        var testDescription: String { rawValue }

        var type: NSPersistentStore.StoreType {
            switch self {
            case .memory: .inMemory
            case .sqlite: .sqlite
            case .postgreSQL, .distributed: .postgreSQL
            }
        }

        /// The number of walks: fewer on stores whose steps wait for a disk or a server.
        func count(_ all: Int) -> Int { self == .memory ? all : max(1, all / 5) }
    }

    let kind: Kind
    let url: URL
    private var schema: String?

    init(_ kind: Kind) throws {
        self.kind = kind
        guard kind.isPostgreSQL else {
            url = FileManager.default.temporaryDirectory.appending(path: "walk-\(UUID().uuidString).sqlite")
            return
        }
        let server = try PostgreSQLServer.shared()
        let schema = try server.makeSchema()
        self.schema = schema
        let profile = kind == .distributed ? "&profile=distributed" : ""
        url = try #require(URL(string: server.address("postgres", "schema=\(schema)", "pool=8") + profile))
    }

    deinit {
        if let schema {
            _ = try? PostgreSQLServer.shared().execute(
                "SET client_min_messages = warning; DROP SCHEMA \(schema) CASCADE"
            )
        } else {
            for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(at: URL(filePath: url.path + end)) }
        }
    }
}
