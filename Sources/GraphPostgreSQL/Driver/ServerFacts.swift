// The facts about a server and the path to it that statements depend on. Probed by each connection when it opens.

/// A server as a connection found it.
package struct ServerFacts: Hashable, Sendable {
    /// The products that speak the protocol.
    package enum Vendor: String, Sendable, CaseIterable {
        case postgreSQL = "PostgreSQL"
        case citus = "Citus"
        case cockroachDB = "CockroachDB"
        case yugabyteDB = "YugabyteDB"
    }

    package var vendor: Vendor
    /// The version of PostgreSQL that the server has or is compatible with, such as 150018 for 15.18.
    package var version: Int
    /// The server's own text about its version.
    package var versionText: String
    /// Whether the server is a standby, which only reads.
    package var isStandby: Bool
    /// Whether a pooler is between the program and the server.
    ///
    /// A pooler may run each transaction in another session, so prepared statements cannot be used.
    package var isPooled: Bool
    /// The identifier of the server's process that ran the probe.
    package var backend: Int
    package var capabilities: ServerCapabilities

    /// The statement that asks for the facts.
    ///
    /// - Parameter isCockroachDB: Whether the server has announced itself as CockroachDB, which lacks part of the catalog.
    /// - Returns: The statement.
    static func probe(isCockroachDB: Bool) -> String {
        if isCockroachDB { return "SELECT version(), 0::int8, false, 0::int8, false, ''::text" }
        let names = ServerCapabilities.serverFunctions.map { "'\($0.name)'" }.joined(separator: ", ")
        return """
            SELECT version(), current_setting('server_version_num')::int8, pg_is_in_recovery(), pg_backend_pid()::int8, \
            EXISTS (SELECT 1 FROM pg_catalog.pg_extension WHERE extname = 'citus'), \
            array_to_string(ARRAY(SELECT DISTINCT p.proname::text FROM pg_catalog.pg_proc AS p \
            WHERE p.proname IN (\(names)) AND p.pronamespace = 'pg_catalog'::regnamespace \
            AND has_function_privilege(p.oid, 'EXECUTE')), ' ')
            """
    }

    /// The facts until the probe has run; statements are sent unnamed.
    static let unprobed = ServerFacts(
        vendor: .postgreSQL,
        version: 0,
        versionText: "",
        isStandby: false,
        isPooled: true,
        backend: 0,
        capabilities: []
    )
}

extension ServerFacts {
    /// Reads the probe's result.
    init(_ result: PostgreSQLResult, announcedBackend: Int) throws {
        let versionText = try result.string(0, 0) ?? ""
        let backend = Int(try result.integer(3, 0) ?? 0)
        let vendor = Self.vendor(versionText, hasCitus: try result.boolean(4, 0) == true)
        let functions = Set((try result.string(5, 0) ?? "").split(separator: " ").map(String.init))
        let documented = ServerCapabilities.documented(of: vendor)
        self.init(
            vendor: vendor,
            version: Int(try result.integer(1, 0) ?? 0),
            versionText: versionText,
            isStandby: try result.boolean(2, 0) ?? false,
            isPooled: backend != announcedBackend,
            backend: backend,
            capabilities: documented.limited(to: functions)
        )
    }

    /// The product, by its own text about its version.
    static func vendor(_ versionText: String, hasCitus: Bool) -> Vendor {
        if versionText.hasPrefix("CockroachDB") { return .cockroachDB }
        if versionText.contains("-YB-") || versionText.contains("YugabyteDB") { return .yugabyteDB }
        return hasCitus ? .citus : .postgreSQL
    }
}
