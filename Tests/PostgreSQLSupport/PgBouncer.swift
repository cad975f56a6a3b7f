// PgBouncer in transaction mode before a server of the tests: each transaction may run on another connection. Ends with
// the server's folder.
import Foundation

/// A pooler of the tests' own.
package final class PgBouncer: Sendable {
    package let port: Int
    private let folder: URL
    private let root: ServerFolder
    /// The server must run as long as its pooler.
    private let server: PostgreSQLServer

    /// Whether a pooler can be started on this machine.
    package static var isInstalled: Bool { path != nil && PostgreSQLServer.isInstalled }

    private static let path = ["/usr/sbin/pgbouncer", "/usr/bin/pgbouncer", "/usr/local/bin/pgbouncer"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    init(
        _ server: PostgreSQLServer,
        in root: ServerFolder,
        number: Int,
        size: Int,
        _ settings: [String: String]
    ) throws {
        guard let path = Self.path else {
            throw PostgreSQLServerError("PgBouncer is not installed; Scripts/setup.sh database installs it")
        }
        self.server = server
        self.root = root
        folder = root.url.appending(path: "pooler\(number)", directoryHint: .isDirectory)
        port = try PostgreSQLPrograms.freePort()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        try PostgreSQLPrograms.hand(folder)
        let all = [
            "listen_addr": "127.0.0.1", "listen_port": "\(port)", "unix_socket_dir": folder.path, "auth_type": "any",
            "pool_mode": "transaction", "default_pool_size": "\(size)", "max_client_conn": "500",
            "logfile": folder.appending(path: "pgbouncer.log").path,
            "pidfile": folder.appending(path: "pgbouncer.pid").path,
            "admin_users": PostgreSQLServer.user,
        ].merging(settings) { $1 }
        let text = """
            [databases]
            * = host=127.0.0.1 port=\(server.port) user=\(PostgreSQLServer.user)

            [pgbouncer]
            \(all.sorted { $0.key < $1.key }.map { "\($0) = \($1)" }.joined(separator: "\n"))

            """
        let file = folder.appending(path: "pgbouncer.ini")
        try text.write(to: file, atomically: false, encoding: .utf8)
        try PostgreSQLPrograms.hand(file)
        try PostgreSQLPrograms.run([path, "-d", "-q", file.path])
        // The command ends before the pooler listens.
        for _ in 0..<1_000 {
            if PostgreSQLPrograms.isListening(at: port) { return }
            usleep(5_000)
        }
        throw PostgreSQLServerError("PgBouncer does not listen: \(log)")
    }

    deinit { stop() }

    /// Stops the pooler; its clients lose their connections.
    package func stop() {
        let file = folder.appending(path: "pgbouncer.pid")
        guard let text = try? String(contentsOf: file, encoding: .utf8),
            let process = Int32(text.trimmingCharacters(in: .whitespacesAndNewlines))
        else { return }
        kill(process, SIGTERM)
        for _ in 0..<500 where kill(process, 0) == 0 { usleep(2_000) }
        try? FileManager.default.removeItem(at: file)
    }

    /// The address of a database behind the pooler.
    ///
    /// - Parameters:
    ///   - database: The database's name.
    ///   - parameters: Parameters such as `schema=shop`.
    /// - Returns: A URI.
    package func address(_ database: String = "postgres", _ parameters: String...) -> String {
        PostgreSQLServer.address(port: port, database, parameters, password: nil)
    }

    /// The pooler's log so far.
    package var log: String {
        (try? String(contentsOf: folder.appending(path: "pgbouncer.log"), encoding: .utf8)) ?? ""
    }
}
