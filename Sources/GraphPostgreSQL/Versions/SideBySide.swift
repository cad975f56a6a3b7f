// The place of a store's second version, and the stage of its creation. The row of the table _store contains both, in
// columns that are added with the first second version.
import Foundation
import GraphEngine
import GraphSQL

/// The second version of a store.
package struct SideBySide: Sendable {
    /// The stage that it has reached.
    package enum Stage: String, Sendable {
        /// Rows of the old version are still to be filled.
        case expanding
        /// Programs of both versions work.
        case expanded
        /// The old version is removed; programs that have the views open continue.
        case contracted
    }

    package var stage: Stage
    /// The schema of the views.
    package var schema: String
    package var metadata: StoreMetadata

    /// The columns of the row.
    static let columns = [
        "next_stage text", "next_schema text", "next_metadata bytea", "next_model bytea",
        "next_generation bigint NOT NULL DEFAULT 0",
    ]

    /// The second version of a store that is not contracted; nil if there is none.
    static func state(_ connection: PostgreSQLConnection, _ own: OwnTables) throws -> SideBySide? {
        guard let version = try last(connection, own), version.stage != .contracted else { return nil }
        return version
    }

    /// The last second version that a store has had; nil if it has had none.
    static func last(_ connection: PostgreSQLConnection, _ own: OwnTables) throws -> SideBySide? {
        let result = try connection.execute(
            "SELECT j ->> 'next_stage', j ->> 'next_schema', decode(substr(j ->> 'next_metadata', 3), 'hex'), uuid "
                + "FROM (SELECT to_jsonb(s) AS j, uuid FROM \(own.store) AS s) AS _x"
        )
        guard result.count == 1, let stage = try result.string(0, 0).flatMap(Stage.init),
            let schema = try result.string(1, 0), let data = result.data(2, 0), let uuid = try result.string(3, 0)
        else { return nil }
        let values = try StoredList.read(data, "second version's metadata", of: "_store")
        return SideBySide(stage: stage, schema: schema, metadata: StoreMetadata(uuid: uuid, values: values))
    }

    /// Removes the views that the last second version has left, for a change of the tables beneath them; the tables'
    /// sequences give all keys from then on.
    ///
    /// - Throws: `MigrationFailure` if the store has two versions.
    static func end(_ connection: PostgreSQLConnection, _ own: OwnTables, _ dialect: PostgreSQLDialect) throws {
        let statements = try endStatements(connection, own, dialect)
        if let schema = try last(connection, own)?.schema {
            for sequence in try sequences(connection, dialect, PostgreSQLDialect(schema: schema)) {
                try sequence.takeOver(connection)
            }
        }
        for statement in statements { try connection.execute(statement) }
    }

    /// The sequences of a contracted store that have one of the same name beside the views.
    private static func sequences(
        _ connection: PostgreSQLConnection,
        _ dialect: PostgreSQLDialect,
        _ views: PostgreSQLDialect
    ) throws -> [KeySequence] {
        let result = try connection.execute(
            SQLStatement(
                "SELECT c.relname::text FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace "
                    + "WHERE c.relkind = 'S' AND n.nspname IN ($1, $2) GROUP BY 1 HAVING count(*) = 2 ORDER BY 1",
                [.text(dialect.schema ?? connection.address.schema), .text(views.schema ?? "")]
            )
        )
        return try (0..<result.count)
            .map { row in
                let name = try result.string(0, row) ?? ""
                return KeySequence(dialect.table(name), others: [views.table(name)])
            }
    }

    /// The statements of `end`.
    ///
    /// - Throws: `MigrationFailure` if the store has two versions.
    static func endStatements(
        _ connection: PostgreSQLConnection,
        _ own: OwnTables,
        _ dialect: PostgreSQLDialect
    ) throws -> [String] {
        guard let last = try last(connection, own) else { return [] }
        guard last.stage == .contracted else {
            throw MigrationFailure(
                .sourceStore,
                reason: "two versions of the store stand side by side. Remove the old one (contract), or go back, first"
            )
        }
        return ["DROP SCHEMA IF EXISTS \(dialect.identifier(last.schema)) CASCADE"]
    }

    /// The address of the views for a program of the second version; the store's own if it has none for it.
    ///
    /// - Parameters:
    ///   - address: The store.
    ///   - hashes: The version hashes of the program's model.
    /// - Returns: The address with the schema to open.
    /// - Throws: `PostgreSQLError`.
    package static func address(_ address: DatabaseAddress, for hashes: [String: Data]) throws -> DatabaseAddress {
        let connection = try PostgreSQLConnection(address)
        defer { connection.close() }
        let dialect = PostgreSQLDialect(schema: address.schema)
        guard let metadata = try PostgreSQLEngine.readStore(connection, dialect), metadata.versionHashes != hashes,
            let state = try state(connection, OwnTables(dialect)), state.stage == .expanded,
            state.metadata.versionHashes == hashes
        else { return address }
        return address.withSchema(state.schema)
    }
}
