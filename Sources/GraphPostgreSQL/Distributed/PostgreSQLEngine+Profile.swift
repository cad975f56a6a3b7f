// The profile of a store: which features of a server it uses, and whether this server and this address have them. Called
// while a store is opened or created.
import GraphEngine
import GraphModel
import GraphSQL

extension PostgreSQLEngine {
    /// Throws if the address asks for another profile than the store's, or for a parameter that the profile excludes.
    func checkProfile() throws {
        let address = configuration.address
        if let requested = address.profile, requested != profile {
            throw EngineError(
                .cannotOpen,
                "The store in the schema \(address.schema) of \(address) has the profile \(profile.rawValue), and the "
                    + "program asks for \(requested.rawValue).",
                remedy:
                    "Leave the profile out, or copy the store into another schema with it (managedgraph store copy)."
            )
        }
        guard profile == .distributed, let parameter = address.parameterBeyondDistributedProfile else { return }
        throw EngineError(
            .cannotOpen,
            "The distributed profile does not have \(parameter).",
            remedy: "Leave \(parameter) out of the address, or use the standard profile on a PostgreSQL server."
        )
    }

    /// Throws if the server lacks features of the store's profile.
    func requireCapabilities(_ facts: ServerFacts) throws {
        guard profile == .standard else { return }
        let missing = ServerCapabilities.requiredByStandardProfile.subtracting(facts.capabilities)
        guard !missing.isEmpty else { return }
        throw EngineError(
            .cannotOpen,
            "This \(facts.vendor.rawValue) server does not have, or does not permit to this user: \(missing.description).",
            remedy: "Create the store with profile=distributed, which does without them, or use a PostgreSQL server."
        )
    }

    /// The statements that create the tables of entities and pairs.
    ///
    /// Tables that exist already stay: an administrator can make them before, spread over servers.
    func tableStatements(_ schema: StoreSchema, _ connection: PostgreSQLConnection) throws -> [String] {
        var statements = TableStatements(
            model: configuration.contract.model,
            schema: schema,
            hasForeignKeys: profile == .standard,
            distribution: distribution
        )
        guard let distribution else { return statements.all }
        let existingTables = try connection.execute(
            SQLStatement(
                "SELECT c.relname::text FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n "
                    + "ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relkind IN ('r', 'p', 'f')",
                [.text(configuration.address.schema)]
            )
        )
        statements.present = Set(try (0..<existingTables.count).compactMap { try existingTables.string(0, $0) })
        guard connection.facts.vendor == .citus else { return statements.all }
        return statements.all + distribution.citusStatements(schema.dialect)
    }

    /// Closes old numbers of saves, so that readers see newer saves; a later call retries after a failure.
    func closeOldNumbers() {
        guard !configuration.isReadOnly else { return }
        do {
            try requirePool().withConnection { try numbers.closeOldNumbers($0) }
        } catch {
            log(.debug, "The numbers of ended saves could not be closed: \(error)")
        }
    }

    /// Throws for a store of the distributed profile: not all of its databases change tables inside transactions, so that a
    /// migration that fails could not be undone.
    static func refuseMigration(of state: StoredState?) throws {
        guard state?.profile == .distributed else { return }
        throw MigrationFailure(
            .sourceStore,
            reason: "a store of the distributed profile is not migrated in its place. Copy it into a SQLite file "
                + "(managedgraph store copy), migrate the file, and copy that into another schema with profile=distributed"
        )
    }
}
