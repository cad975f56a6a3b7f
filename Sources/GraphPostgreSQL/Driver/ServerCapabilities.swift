// The features in which the databases that speak PostgreSQL's protocol differ. Probed by each connection when it opens; a
// store of the standard profile requires some of them.

/// Features of a server.
package struct ServerCapabilities: OptionSet, Hashable, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// Transactions have numbers in the order of their snapshots, which other transactions can compare.
    package static let transactionNumbers = Self(rawValue: 1 << 0)
    /// Sequences whose numbers ascend for all clients.
    package static let sequences = Self(rawValue: 1 << 1)
    /// Foreign keys that are checked at the end of the transaction.
    package static let deferrableKeys = Self(rawValue: 1 << 2)
    /// `LISTEN` and `NOTIFY` reach all clients.
    package static let notifications = Self(rawValue: 1 << 3)
    /// Advisory locks that all clients share.
    package static let advisoryLocks = Self(rawValue: 1 << 4)
    /// `LOCK TABLE`.
    package static let tableLocks = Self(rawValue: 1 << 5)
    /// Functions in PL/pgSQL that can be used in every statement.
    package static let functions = Self(rawValue: 1 << 6)
    /// Tables are created and changed inside transactions.
    package static let transactionalTables = Self(rawValue: 1 << 7)
    /// `COPY … FROM STDIN (FORMAT binary)`.
    package static let binaryCopy = Self(rawValue: 1 << 8)
    /// A transaction reads one snapshot of all rows, wherever they are.
    package static let globalSnapshots = Self(rawValue: 1 << 9)
    /// `pg_terminate_backend` for the user's own sessions.
    package static let sessionEnding = Self(rawValue: 1 << 10)

    /// All features, with the names that messages and pages have for them.
    package static let names: [(capability: ServerCapabilities, name: String)] = [
        (.transactionNumbers, "ordered transaction numbers"), (.sequences, "ordered sequences"),
        (.deferrableKeys, "deferrable foreign keys"), (.notifications, "notifications"),
        (.advisoryLocks, "advisory locks"), (.tableLocks, "table locks"), (.functions, "PL/pgSQL functions"),
        (.transactionalTables, "transactional DDL"), (.binaryCopy, "binary COPY"),
        (.globalSnapshots, "snapshots of all rows"), (.sessionEnding, "ending of other sessions"),
    ]

    /// The features that a store of the standard profile cannot do without.
    package static let requiredByStandardProfile: Self = [
        .transactionNumbers, .sequences, .deferrableKeys, .tableLocks, .functions, .transactionalTables,
        .globalSnapshots,
    ]

    /// The features of a product, as its documentation has them; functions that a server lacks are taken away by the probe.
    package static func documented(of vendor: ServerFacts.Vendor) -> Self {
        switch vendor {
        case .postgreSQL: Self(names.map(\.capability))
        // Its coordinator is a PostgreSQL server; features for rows on other nodes are missing.
        case .citus: [.advisoryLocks, .notifications, .functions, .transactionalTables, .binaryCopy, .sessionEnding]
        case .cockroachDB: [.globalSnapshots, .binaryCopy]
        case .yugabyteDB: [.globalSnapshots, .functions, .binaryCopy, .sessionEnding]
        }
    }

    /// Functions of the server without which a feature is missing.
    static let serverFunctions: [(name: String, capability: ServerCapabilities)] = [
        ("pg_current_xact_id", .transactionNumbers), ("pg_snapshot_xip", .transactionNumbers),
        ("pg_xact_status", .transactionNumbers), ("nextval", .sequences), ("setval", .sequences),
        ("pg_notify", .notifications), ("pg_advisory_xact_lock", .advisoryLocks),
        ("pg_terminate_backend", .sessionEnding),
    ]

    /// The features without those whose functions are missing, or not permitted to the user.
    ///
    /// - Parameter present: The names of the functions that the user can call.
    /// - Returns: The features that are left.
    func limited(to present: Set<String>) -> Self {
        Self.serverFunctions.reduce(self) { present.contains($1.name) ? $0 : $0.subtracting($1.capability) }
    }

    /// The names of the features, for a message.
    package var description: String {
        Self.names.filter { contains($0.capability) }.map(\.name).joined(separator: ", ")
    }
}
