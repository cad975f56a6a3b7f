// A real server for tests: a cluster in a temporary folder, on a free port of 127.0.0.1 and a socket in its folder. It
// ends with the process of the tests, even if that crashes.
import CPostgreSQL
import Foundation
import Synchronization

/// A PostgreSQL server of the tests' own.
package final class PostgreSQLServer: @unchecked Sendable {
    // Unchecked: all properties are constant but the counter of names, which is atomic.

    /// The authentication of clients at the network port; clients at the socket are trusted.
    package enum Authentication: Sendable {
        case trust
        /// With `password`.
        case scram
    }

    /// The ways of stopping a server.
    package enum StopMode: String, Sendable {
        /// Ends connections and writes everything.
        case fast
        /// Ends immediately; the next start recovers.
        case immediate
    }

    package static let user = "postgres"
    /// The user's password for servers with `.scram`.
    package static let password = "s3cret/word"

    /// The cluster's folder.
    package let folder: URL
    package let port: Int
    /// The folder of the socket.
    package let socketFolder: URL
    private let root: ServerFolder
    private static let nextName = Atomic<Int>(1)

    /// Whether a server can be started on this machine.
    package static var isInstalled: Bool { PostgreSQLPrograms.folder != nil }

    /// The server that the tests of this process share, started by the first one.
    package static func shared() throws -> PostgreSQLServer {
        try sharedServer.withLock { server in
            if let server { return server }
            let newServer = try PostgreSQLServer()
            server = newServer
            return newServer
        }
    }

    /// Guards the making of the shared server; others wait for it.
    private static let sharedServer = Mutex<PostgreSQLServer?>(nil)

    // MARK: Making

    /// Makes a cluster and starts its server.
    ///
    /// - Parameters:
    ///   - authentication: How clients at the network port are identified.
    ///   - isDurable: Whether commits reach the disk; only tests of a machine's failure need it. A server that is
    ///     killed loses no commit without it.
    ///   - maximumConnections: The number of connections that the server accepts.
    ///   - settings: More settings of the server, such as `default_transaction_isolation`.
    ///   - owner: The process with which the server ends.
    /// - Throws: `PostgreSQLServerError` if the server cannot be started.
    package convenience init(
        authentication: Authentication = .trust,
        isDurable: Bool = false,
        maximumConnections: Int = 64,
        settings: [String: String] = [:],
        endingWith owner: Int32 = getpid()
    ) throws {
        let root = try ServerFolder(of: owner)
        let cluster = root.url.appending(path: "primary", directoryHint: .isDirectory)
        try ClusterTemplate.copy(to: cluster)
        var all = [
            "listen_addresses": "127.0.0.1", "max_connections": "\(maximumConnections)", "shared_buffers": "32MB",
            "wal_level": "replica", "max_wal_senders": "8", "hot_standby": "on", "log_line_prefix": "%m [%p] ",
            "unix_socket_permissions": "0777", "timezone": "UTC", "wal_keep_size": "64MB",
        ]
        if !isDurable { all.merge(["fsync": "off", "full_page_writes": "off"]) { $1 } }
        let method = authentication == .scram ? "scram-sha-256" : "trust"
        let access = """
            local all all trust
            local replication all trust
            host all all 127.0.0.1/32 \(method)
            host replication all 127.0.0.1/32 trust

            """
        try access.write(to: cluster.appending(path: "pg_hba.conf"), atomically: false, encoding: .utf8)
        try self.init(cluster, in: root, settings: all.merging(settings) { $1 })
        if authentication == .scram {
            try execute("ALTER USER \(Self.user) PASSWORD '\(Self.password)'")
        }
    }

    /// Starts the server of a cluster on a free port.
    private init(_ cluster: URL, in root: ServerFolder, settings: [String: String]) throws {
        self.root = root
        folder = cluster
        socketFolder = root.url
        for attempt in 1... {
            let port = try PostgreSQLPrograms.freePort()
            let lines = settings.merging([
                "port": "\(port)", "unix_socket_directories": root.url.path,
            ]) { $1 }
            let text = lines.sorted { $0.key < $1.key }.map { "\($0) = '\($1)'\n" }.joined()
            let file = cluster.appending(path: "tests.conf")
            try text.write(to: file, atomically: false, encoding: .utf8)
            try PostgreSQLPrograms.hand(file)
            do {
                try Self.start(cluster)
                self.port = port
                return
            } catch let error as PostgreSQLServerError {
                // Another process can have taken the port.
                if attempt == 5 { throw error }
            }
        }
        throw PostgreSQLServerError("the server could not be started")
    }

    deinit { try? stop(.immediate) }

    // MARK: Starting and stopping

    private static func start(_ cluster: URL) throws {
        let log = cluster.appending(path: "server.log")
        do {
            try PostgreSQLPrograms.run([
                PostgreSQLPrograms.path("pg_ctl"), "-D", cluster.path, "-l", log.path, "-w", "-s", "-t", "60", "start",
            ])
        } catch {
            let text = (try? String(contentsOf: log, encoding: .utf8)) ?? ""
            throw PostgreSQLServerError("\(error)\n\(text.suffix(2_000))")
        }
    }

    /// Starts the server again on the same port.
    ///
    /// - Throws: `PostgreSQLServerError` with the end of the server's log.
    package func start() throws { try Self.start(folder) }

    /// Stops the server, and waits for its end.
    ///
    /// - Throws: `PostgreSQLServerError` if it does not run.
    package func stop(_ mode: StopMode = .fast) throws {
        try PostgreSQLPrograms.run([
            PostgreSQLPrograms.path("pg_ctl"), "-D", folder.path, "-w", "-s", "-m", mode.rawValue, "stop",
        ])
    }

    /// Kills all processes of the server at once, as a failure of the machine does, and waits for their end.
    package func kill() {
        guard let main = processIdentifier else { return }
        let processes = Self.children(of: main) + [main]
        // First the one that would start others.
        for process in processes.reversed() { Foundation.kill(process, SIGKILL) }
        while processes.contains(where: { Self.isRunning($0) }) { usleep(2_000) }
        // The next server would take a process that has ended, but whose parent has not asked for its status, for this one.
        for file in [folder.appending(path: "postmaster.pid"), socketFolder.appending(path: ".s.PGSQL.\(port).lock")] {
            try? FileManager.default.removeItem(at: file)
        }
    }

    /// Kills the server and starts it again, which recovers.
    ///
    /// - Throws: `PostgreSQLServerError` if it does not start.
    package func killAndRestart() throws {
        kill()
        try start()
    }

    /// The identifier of the server's main process; nil if it does not run.
    package var processIdentifier: Int32? {
        guard let text = try? String(contentsOf: folder.appending(path: "postmaster.pid"), encoding: .utf8),
            let process = text.split(separator: "\n").first.flatMap({ Int32($0) }), Self.isRunning(process)
        else { return nil }
        return process
    }

    /// Whether a process has not ended.
    package static func isRunning(_ process: Int32) -> Bool {
        guard let fields = statistics(process) else { return false }
        return fields.state != "Z"
    }

    private static func children(of parent: Int32) -> [Int32] {
        ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap { Int32($0) }
            .filter { statistics($0)?.parent == parent }
    }

    /// State and parent of a process, which follow its name in parentheses.
    private static func statistics(_ process: Int32) -> (state: Substring, parent: Int32)? {
        guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
            let end = text.lastIndex(of: ")")
        else { return nil }
        let fields = text[text.index(after: end)...].split(separator: " ")
        guard fields.count > 1, let parent = Int32(fields[1]) else { return nil }
        return (fields[0], parent)
    }

    /// The server's log so far.
    package var log: String {
        (try? String(contentsOf: folder.appending(path: "server.log"), encoding: .utf8)) ?? ""
    }

    // MARK: Databases

    /// The address of a database, at the network port.
    ///
    /// - Parameters:
    ///   - database: The database's name.
    ///   - parameters: Parameters such as `schema=shop` or `pool=4`.
    ///   - password: The password of the user, percent-encoded here.
    /// - Returns: A URI.
    package func address(_ database: String = "postgres", _ parameters: String..., password: String? = nil) -> String {
        Self.address(port: port, database, parameters, password: password)
    }

    static func address(port: Int, _ database: String, _ parameters: [String], password: String?) -> String {
        let secret = password?.addingPercentEncoding(withAllowedCharacters: .alphanumerics).map { ":\($0)" } ?? ""
        let query = parameters.isEmpty ? "" : "?" + parameters.joined(separator: "&")
        return "postgresql://\(user)\(secret)@127.0.0.1:\(port)/\(database)\(query)"
    }

    /// Creates an empty database, in UTF-8.
    ///
    /// - Returns: Its name, which no other database of this process has.
    /// - Throws: `PostgreSQLServerError`.
    package func makeDatabase() throws -> String {
        let name = Self.newName("d")
        try execute("CREATE DATABASE \(name) TEMPLATE template0 ENCODING 'UTF8'")
        return name
    }

    /// Creates an empty schema in a database.
    ///
    /// - Returns: Its name, which no other schema of this process has.
    /// - Throws: `PostgreSQLServerError`.
    package func makeSchema(in database: String = "postgres") throws -> String {
        let name = Self.newName("s")
        try execute("CREATE SCHEMA \(name)", in: database)
        return name
    }

    private static func newName(_ prefix: String) -> String {
        "\(prefix)\(getpid())_\(nextName.add(1, ordering: .relaxed).oldValue)"
    }

    /// Runs SQL as the superuser, on a connection of its own.
    ///
    /// - Parameters:
    ///   - sql: Any number of statements.
    ///   - database: The database.
    /// - Returns: The rows of the last statement as text; NULL is nil.
    /// - Throws: `PostgreSQLServerError` with the server's message.
    @discardableResult
    package func execute(_ sql: String, in database: String = "postgres") throws -> [[String?]] {
        let text = "host='\(socketFolder.path)' port=\(port) user=\(Self.user) dbname='\(database)' connect_timeout=10"
        let connection = PQconnectdb(text)
        defer { PQfinish(connection) }
        guard PQstatus(connection) == CONNECTION_OK else { throw PostgreSQLServerError(Self.message(connection)) }
        let result = PQexec(connection, sql)
        defer { PQclear(result) }
        guard PQresultStatus(result) == PGRES_TUPLES_OK || PQresultStatus(result) == PGRES_COMMAND_OK else {
            throw PostgreSQLServerError("\(sql): \(Self.message(connection))")
        }
        return (0..<PQntuples(result)).map { row in
            (0..<PQnfields(result)).map { column in
                PQgetisnull(result, row, column) == 1
                    ? nil : PQgetvalue(result, row, column).map { String(cString: $0) }
            }
        }
    }

    /// Dumps a database, and restores it into the database of the same name on another server.
    ///
    /// - Parameters:
    ///   - other: The other server, whose database has none of the same tables.
    ///   - database: The database.
    /// - Throws: `PostgreSQLServerError` with the output of `pg_dump` or `psql`.
    package func dump(into other: PostgreSQLServer, _ database: String = "postgres") throws {
        let number = Self.nextName.add(1, ordering: .relaxed).oldValue
        let file = socketFolder.appending(path: "dump\(number).sql").path
        try PostgreSQLPrograms.run([
            PostgreSQLPrograms.path("pg_dump"), "-h", socketFolder.path, "-p", "\(port)", "-U", Self.user, "-f", file,
            database,
        ])
        try PostgreSQLPrograms.run([
            PostgreSQLPrograms.path("psql"), "-X", "-q", "-v", "ON_ERROR_STOP=1", "-h", other.socketFolder.path, "-p",
            "\(other.port)", "-U", Self.user, "-d", database, "-f", file,
        ])
    }

    private static func message(_ connection: OpaquePointer?) -> String {
        PQerrorMessage(connection).map { String(cString: $0) } ?? "no memory for a connection"
    }

    // MARK: Standbys

    /// Makes a hot standby of this server, and starts it.
    ///
    /// - Parameter settings: Settings that differ from this server's, such as `recovery_min_apply_delay`.
    /// - Returns: The standby, which reads and follows this server.
    /// - Throws: `PostgreSQLServerError` if it cannot be made.
    package func makeStandby(settings: [String: String] = [:]) throws -> PostgreSQLServer {
        let cluster = root.url.appending(
            path: "standby\(Self.nextName.add(1, ordering: .relaxed).oldValue)",
            directoryHint: .isDirectory
        )
        try PostgreSQLPrograms.run([
            PostgreSQLPrograms.path("pg_basebackup"), "-D", cluster.path, "-h", socketFolder.path, "-p", "\(port)",
            "-U", Self.user, "-R", "-X", "stream", "-c", "fast", "--no-sync",
        ])
        try? FileManager.default.removeItem(at: cluster.appending(path: "server.log"))
        let inherited = try String(contentsOf: folder.appending(path: "tests.conf"), encoding: .utf8)
            .split(separator: "\n").reduce(into: [String: String]()) { settings, line in
                let parts = line.split(separator: " = ", maxSplits: 1)
                if parts.count == 2 { settings[String(parts[0])] = String(parts[1].dropFirst().dropLast()) }
            }
        return try PostgreSQLServer(cluster, in: root, settings: inherited.merging(settings) { $1 })
    }

    /// Copies the cluster of this server, which is stopped.
    ///
    /// - Returns: The copy, for `replaceFolder`.
    /// - Throws: `PostgreSQLServerError`.
    package func copyFolder() throws -> URL {
        let number = Self.nextName.add(1, ordering: .relaxed).oldValue
        let copy = root.url.appending(path: "copy\(number)", directoryHint: .isDirectory)
        try PostgreSQLPrograms.run(["cp", "-a", folder.path, copy.path])
        return copy
    }

    /// Puts a copy in the place of this server's cluster; the server is stopped.
    ///
    /// - Parameter copy: A copy by `copyFolder`, which is moved.
    /// - Throws: `PostgreSQLServerError`.
    package func replaceFolder(by copy: URL) throws {
        try PostgreSQLPrograms.run(["rm", "-rf", folder.path])
        try PostgreSQLPrograms.run(["mv", copy.path, folder.path])
    }

    /// Makes this standby a primary, and waits until it accepts writes.
    ///
    /// - Throws: `PostgreSQLServerError` if it is not a standby.
    package func promote() throws {
        try PostgreSQLPrograms.run([
            PostgreSQLPrograms.path("pg_ctl"), "-D", folder.path, "-w", "-s", "promote",
        ])
    }

    /// Waits until a standby has replayed everything that this server has written.
    ///
    /// - Throws: `PostgreSQLServerError` if it has not within ten seconds.
    package func waitForReplay(by standby: PostgreSQLServer) throws {
        let position = try execute("SELECT pg_current_wal_lsn()")[0][0] ?? ""
        for _ in 0..<1_000 {
            let row = try standby.execute("SELECT pg_last_wal_replay_lsn() >= '\(position)'::pg_lsn")[0]
            if row[0] == "t" { return }
            usleep(10_000)
        }
        throw PostgreSQLServerError("the standby did not reach \(position)")
    }

    /// Starts a pooler before this server.
    ///
    /// - Parameters:
    ///   - size: The number of connections to the server for each database.
    ///   - settings: More settings of the pooler.
    /// - Returns: The pooler.
    /// - Throws: `PostgreSQLServerError` if it is not installed, or cannot be started.
    package func makePooler(size: Int = 4, settings: [String: String] = [:]) throws -> PgBouncer {
        try PgBouncer(self, in: root, number: Self.nextName.add(1, ordering: .relaxed).oldValue, size: size, settings)
    }
}
