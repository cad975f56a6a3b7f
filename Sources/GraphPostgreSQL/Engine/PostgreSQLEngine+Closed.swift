// Work on stores that are not open: their metadata, and their removal.
import Foundation
import GraphEngine
import GraphModel
import GraphSQL

extension PostgreSQLEngine {
    /// The metadata of the store at an address; nil if there is none.
    package static func metadata(at address: DatabaseAddress) throws -> StoreMetadata? {
        try state(at: address)?.metadata
    }

    /// The metadata and the model of the store at an address; nil if there is none.
    package static func state(at address: DatabaseAddress) throws -> StoredState? {
        try EngineError.mappingPostgreSQL {
            let connection = try PostgreSQLConnection(address)
            defer { connection.close() }
            return try readState(connection, PostgreSQLDialect(schema: address.schema))
        }
    }

    /// Replaces the user's metadata of the store at an address.
    package static func setMetadata(_ values: [String: Any], at address: DatabaseAddress) throws {
        try EngineError.mappingPostgreSQL {
            let connection = try PostgreSQLConnection(address)
            defer { connection.close() }
            let dialect = PostgreSQLDialect(schema: address.schema)
            guard try readStore(connection, dialect) != nil else { throw missing(address) }
            // Other writers of metadata, and migrations, wait for the lock on the row.
            let store = OwnTables(dialect).store
            try connection.execute("BEGIN ISOLATION LEVEL READ COMMITTED")
            try connection.execute("SELECT 1 FROM \(store) FOR UPDATE")
            guard let metadata = try readStore(connection, dialect) else { throw missing(address) }
            let values = metadata.withUserValues(values).values
            let data = try PropertyListSerialization.data(fromPropertyList: values, format: .binary, options: 0)
            try connection.execute(SQLStatement("UPDATE \(store) SET metadata = $1", [.blob(data)]))
            try connection.execute("COMMIT")
        }
    }

    private static func missing(_ address: DatabaseAddress) -> EngineError {
        EngineError(.missing, "there is no store at \(address)", remedy: "Check schema= in the address.")
    }

    /// Removes the tables and functions of the store at an address; other objects of the schema stay unless they depend
    /// on them.
    ///
    /// - Parameters:
    ///   - address: The store.
    ///   - removesSchema: Whether the schema is removed, too, unless it contains something else.
    /// - Throws: Errors of the connection and of the database.
    package static func destroy(at address: DatabaseAddress, removesSchema: Bool = false) throws {
        try EngineError.mappingPostgreSQL {
            let connection = try PostgreSQLConnection(address)
            defer { connection.close() }
            let dialect = PostgreSQLDialect(schema: address.schema)
            guard let state = try readState(connection, dialect) else { return }
            let kind = state.tables == nil ? "TABLE" : "VIEW"
            let own = OwnTables(dialect)
            let tables = try connection.execute("SELECT name FROM \(own.table)")
            var statements = ["BEGIN ISOLATION LEVEL READ COMMITTED"]
            for row in 0..<tables.count {
                statements.append("DROP \(kind) IF EXISTS \(dialect.table(try tables.string(0, row) ?? "")) CASCADE")
            }
            for table in [own.table, own.change, own.transaction, own.entity, own.store] {
                statements.append("DROP TABLE \(table) CASCADE")
            }
            if state.profile == .distributed {
                statements += [own.counter, own.pending].map { "DROP TABLE IF EXISTS \($0) CASCADE" }
            }
            let functions = try connection.execute(
                SQLStatement(
                    "SELECT p.oid::regprocedure::text FROM pg_proc AS p JOIN pg_namespace AS n ON n.oid = p.pronamespace "
                        + "WHERE n.nspname = $1 AND p.proname = ANY($2) AND p.prokind = 'f'",
                    [.text(address.schema), .typed(.list(PostgreSQLFunctions.names.map(SQLValue.text), .text))]
                )
            )
            for row in 0..<functions.count {
                statements.append("DROP FUNCTION \(try functions.string(0, row) ?? "") CASCADE")
            }
            if let otherSchema = try SideBySide.last(connection, own)?.schema {
                statements.append("DROP SCHEMA IF EXISTS \(dialect.identifier(otherSchema)) CASCADE")
            }
            statements.append("COMMIT")
            _ = try connection.pipeline(statements.map { SQLStatement($0) }, prepares: false)
            // Refused if others have put something into it.
            if removesSchema { _ = try? connection.execute("DROP SCHEMA \(dialect.identifier(address.schema))") }
        }
    }
}
