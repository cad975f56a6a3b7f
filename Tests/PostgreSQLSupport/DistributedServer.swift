// A server that stands for a distributed database: transactions are SERIALIZABLE, functions that such databases lack are
// withheld from the program's user, and the server logs every statement, so that the lint sees all of them.
import CPostgreSQL
import Foundation
import Synchronization

/// A server for stores of the distributed profile.
package final class DistributedServer: Sendable {
    package let server: PostgreSQLServer
    /// The user of the program, without the rights of a superuser.
    package static let user = "app"
    /// The statements that were read from the log so far; guards them.
    private let log = Mutex<(offset: UInt64, rest: Data)>((0, Data()))
    private static let sharedServer = Mutex<DistributedServer?>(nil)
    private static let marks = Atomic<Int>(0)

    /// The server that the tests of this process share, started by the first one.
    package static func shared() throws -> DistributedServer {
        try sharedServer.withLock { server in
            if let server { return server }
            let newServer = try DistributedServer()
            server = newServer
            return newServer
        }
    }

    private init() throws {
        server = try PostgreSQLServer(settings: [
            "default_transaction_isolation": "serializable", "log_statement": "all", "logging_collector": "on",
            "log_destination": "jsonlog", "log_directory": "statements", "log_filename": "statements.log",
            "log_rotation_age": "0", "log_rotation_size": "0", "max_pred_locks_per_transaction": "256",
        ])
        try server.execute(
            """
            CREATE ROLE \(Self.user) LOGIN; GRANT CREATE ON DATABASE postgres TO \(Self.user);
            DO $$ DECLARE f regprocedure; BEGIN
            FOR f IN SELECT oid::regprocedure FROM pg_proc WHERE pronamespace = 'pg_catalog'::regnamespace
            AND (proname IN ('nextval', 'setval', 'currval', 'lastval', 'pg_notify', 'pg_xact_status', 'pg_terminate_backend',
            'pg_export_snapshot') OR proname ~ '^(txid_|pg_current_xact|pg_snapshot_|pg_current_snapshot|pg_advisory_|pg_try_advisory_)')
            LOOP EXECUTE 'REVOKE EXECUTE ON FUNCTION ' || f || ' FROM PUBLIC'; END LOOP; END $$;
            """
        )
    }

    /// The address of an empty schema for a store of the distributed profile.
    package func address(schema: String, _ parameters: String...) -> String {
        server.address("postgres", "schema=\(schema)&user=\(Self.user)")
            + parameters.map { "&\($0)" }.joined()
    }

    /// A name that no schema of this process has; the store creates it.
    package static func newSchema() -> String { "d\(getpid())_\(marks.add(1, ordering: .relaxed).oldValue)" }

    /// The statements of the program's user since the last call, and before it.
    ///
    /// - Throws: `PostgreSQLServerError` if the log does not show them in time.
    package func statements() throws -> [String] {
        // The log is written by a process of its own.
        let mark = "mark \(Self.marks.add(1, ordering: .relaxed).oldValue) of \(getpid())"
        try server.execute("SELECT '\(mark)'")
        let file = server.folder.appending(path: "statements/statements.json")
        return try log.withLock { log in
            var statements: [String] = []
            for _ in 0..<2_000 {
                let handle = try FileHandle(forReadingFrom: file)
                defer { try? handle.close() }
                try handle.seek(toOffset: log.offset)
                let data = try handle.readToEnd() ?? Data()
                log.offset += UInt64(data.count)
                log.rest += data
                var isComplete = false
                var start = log.rest.startIndex
                while let end = log.rest[start...].firstIndex(of: 10) {
                    let line = log.rest[start..<end]
                    start = end + 1
                    guard let entry = try JSONSerialization.jsonObject(with: line) as? [String: Any],
                        let message = entry["message"] as? String
                    else { continue }
                    if message.contains(mark) { isComplete = true }
                    guard entry["user"] as? String == Self.user, let text = Self.statement(message) else { continue }
                    statements.append(text)
                }
                log.rest = Data(log.rest[start...])
                if isComplete { return statements }
                usleep(5_000)
            }
            throw PostgreSQLServerError("the server's log does not show \(mark)")
        }
    }

    /// The statement in a message of the log; nil for other messages.
    private static func statement(_ message: String) -> String? {
        if message.hasPrefix("statement: ") { return String(message.dropFirst("statement: ".count)) }
        guard message.hasPrefix("execute "), let colon = message.range(of: ": ") else { return nil }
        return String(message[colon.upperBound...])
    }
}
