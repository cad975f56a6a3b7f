// A schema of its own for each test, on the server that the tests of a process share.
import Foundation
import GraphPostgreSQL
import GraphSQL
import PostgreSQLSupport
import Synchronization
import Testing

/// A connection of a test, with a schema for its tables.
struct TestDatabase {
    let server: PostgreSQLServer
    let schema: String
    let connection: PostgreSQLConnection

    init(_ parameters: String...) throws {
        server = try PostgreSQLServer.shared()
        schema = try server.makeSchema()
        let query = (["schema=\(schema)"] + parameters).joined(separator: "&")
        connection = try PostgreSQLConnection(DatabaseAddress(server.address("postgres", query)))
    }

    /// A table's name with its schema.
    func table(_ name: String) -> String { "\(schema).\(name)" }
}

extension Trait where Self == ConditionTrait {
    /// Skips tests on machines without PostgreSQL.
    static var server: Self {
        .enabled(if: PostgreSQLServer.isInstalled, Comment(rawValue: PostgreSQLPrograms.absence))
    }
    /// Skips tests on machines without PgBouncer.
    static var pooler: Self { .enabled(if: PgBouncer.isInstalled, "PgBouncer is not installed") }
}

/// Runs `body` while another thread cancels the connection's statements; a request that the server receives before the
/// statement has no effect.
func cancelled(_ connection: PostgreSQLConnection, _ body: () throws -> Void) rethrows {
    final class Flag: Sendable {
        let isSet = Atomic<Bool>(false)
    }
    let ended = DispatchSemaphore(value: 0)
    let over = Flag()
    let canceller = connection.canceller
    Thread.detachNewThread {
        while !over.isSet.load(ordering: .relaxed) {
            canceller.cancel()
            usleep(20_000)
        }
        ended.signal()
    }
    defer {
        over.isSet.store(true, ordering: .relaxed)
        ended.wait()
    }
    try body()
}

/// The error that `body` throws; nil if it throws none.
func postgreSQLError(_ body: () throws -> Void) -> PostgreSQLError? {
    do {
        try body()
        return nil
    } catch { return error as? PostgreSQLError }
}
