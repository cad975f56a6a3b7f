// Copies a store into a schema beside it for a trial migration. Other programs continue to read and write the store:
// the copy is of one snapshot, in which the caller also reads the store to compare the two. If a rehearsal is killed,
// the next one drops its schema. Called by the migrator of PostgreSQL stores.
import Foundation
import GraphEngine
import GraphModel
import GraphSQL

/// A rehearsal of a migration of the store at an address.
package struct SchemaRehearsal {
    let address: DatabaseAddress
    /// The schema of the copy.
    package let otherSchema: String
    /// Called with each new connection, for example to let it stop when the work is cancelled.
    package var prepare: (PostgreSQLConnection) -> Void = { _ in }

    /// Prepares a rehearsal; `run` connects to the server.
    ///
    /// - Parameter address: The store.
    package init(_ address: DatabaseAddress) {
        self.address = address
        otherSchema = ModelNaming().limited("_rehearsal_\(address.schema)")
    }

    /// Copies the store, calls `body`, and drops the copy, also if `body` throws.
    ///
    /// - Parameter body: Called with the name of the exported snapshot that was copied.
    /// - Throws: The errors of `body`; `EngineError` of the kind `missing` without a store, `busy` during another
    ///   rehearsal, `readOnly` if the user may not create a schema, `cannotOpen` over tables of other programs.
    package func run(_ body: (_ snapshot: String) throws -> Void) throws {
        try EngineError.mappingPostgreSQL {
            let dialect = PostgreSQLDialect(schema: address.schema)
            // The snapshot exists as long as this transaction.
            let holder = try PostgreSQLConnection(address)
            defer { holder.close() }
            prepare(holder)
            try holder.execute("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            try holder.execute("SET LOCAL idle_in_transaction_session_timeout = 0")
            try requireAlone(holder)
            guard let state = try PostgreSQLEngine.readState(holder, dialect) else {
                throw EngineError(
                    .missing,
                    "there is no store in the schema of the address",
                    remedy: "Check schema= in the address."
                )
            }
            guard state.tables == nil else {
                throw EngineError(
                    .cannotOpen,
                    "The store is over the tables of other programs, which are not copied for a rehearsal.",
                    remedy: "Look at the plan instead: a migration changes the views alone."
                )
            }
            try requirePermission(holder)
            guard let snapshot = try holder.execute("SELECT pg_export_snapshot()").string(0, 0) else {
                throw EngineError(
                    .cannotOpen,
                    "The server exports no snapshot of the store.",
                    remedy: "Look at the plan."
                )
            }
            let tables = try SchemaReplacement.tables(holder, OwnTables(dialect))
            let copy = SchemaCopy(
                address,
                to: otherSchema,
                comment: "A rehearsal of a migration by ManagedGraph; it may be dropped.",
                prepare: prepare
            )
            try copy.make(tables, of: snapshot)
            do {
                try body(snapshot)
            } catch {
                // The rehearsal's own error is the one to report. The next rehearsal drops a schema that stays.
                try? copy.drop()
                throw error
            }
            try copy.drop()
        }
    }

    /// Requires that no other rehearsal of the store is running; later ones are refused until the transaction ends.
    private func requireAlone(_ holder: PostgreSQLConnection) throws {
        let result = try holder.execute(
            SQLStatement("SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0))", [.text(otherSchema)])
        )
        guard try result.boolean(0, 0) == true else {
            throw EngineError(
                .busy,
                "Another rehearsal of this store is running.",
                remedy: "Wait for its end."
            )
        }
    }

    private func requirePermission(_ holder: PostgreSQLConnection) throws {
        let result = try holder.execute(
            "SELECT has_database_privilege(current_database(), 'CREATE'), quote_ident(current_database()), "
                + "quote_ident(current_user)"
        )
        guard try result.boolean(0, 0) != true else { return }
        let (database, user) = (try result.string(1, 0) ?? "", try result.string(2, 0) ?? "")
        throw EngineError(
            .readOnly,
            "A rehearsal copies the store into a schema beside it, which the user \(user) may not create.",
            remedy: "Let the owner of the database run GRANT CREATE ON DATABASE \(database) TO \(user), or look at the "
                + "plan instead."
        )
    }
}
