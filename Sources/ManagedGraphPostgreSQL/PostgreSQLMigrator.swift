// Migrates PostgreSQL stores for the coordinator's migration, by GraphPostgreSQL/Migration.
import Foundation
import GraphEngine
import GraphModel
import GraphPostgreSQL
import GraphSQL
import ManagedGraph

/// Migrates stores in schemas of PostgreSQL databases.
struct PostgreSQLMigrator: DatabaseMigrator {
    var monitor: StatementMonitor?
    var observe: (@Sendable (StatementEvent) -> Void)?
    var isWanted: (() -> Bool)?

    var storeType: String { NSPostgreSQLStoreType }

    private func prepare(_ connection: PostgreSQLConnection) {
        if let monitor { connection.monitor = monitor }
        connection.observer = observe
        connection.isWanted = isWanted
    }

    func metadata(at url: URL) throws -> StoreMetadata { try state(at: url).metadata }

    func metadata(ifAt url: URL) throws -> StoreMetadata? {
        try PostgreSQLEngine.metadata(at: try PostgreSQLStore.address(url))
    }

    func model(at url: URL) throws -> Data? { try state(at: url).model }

    private func state(at url: URL) throws -> StoredState {
        if let state = try PostgreSQLEngine.state(at: try PostgreSQLStore.address(url)) { return state }
        throw EngineError(
            .missing,
            "there is no store in the schema of the address",
            remedy: "Check schema= in the address."
        )
    }

    func migrate(
        _ mapping: ModelMapping,
        from source: Model,
        to destination: Model,
        fresh: StoreMetadata,
        at url: URL,
        progress: (Double) throws -> Void
    ) throws {
        var migration = SchemaMigration(
            try PostgreSQLStore.address(url),
            mapping,
            from: source,
            to: destination,
            fresh: fresh,
            model: StoreModelCache.data(of: destination)
        )
        migration.prepare = prepare
        try migration.run(progress: progress)
    }

    func replace(at url: URL, of hashes: [String: Data], isCopy: Bool, _ body: (URL) throws -> Void) throws {
        var replacement = SchemaReplacement(try PostgreSQLStore.address(url))
        replacement.prepare = prepare
        let otherURL = try Self.url(url, withSchema: replacement.otherSchema)
        try replacement.run(of: hashes, isCopy: isCopy) { try body(otherURL) }
    }

    private static func url(_ url: URL, withSchema schema: String) throws -> URL {
        guard let otherURL = URL(string: DatabaseAddress.text(url.absoluteString, withSchema: schema)) else {
            throw EngineError(.cannotOpen, "the address cannot be written with another schema")
        }
        return otherURL
    }

    // MARK: Without a change

    func forecast(
        _ mapping: ModelMapping,
        from source: Model,
        to destination: Model,
        at url: URL,
        isLater: Bool
    ) throws -> DatabaseForecast {
        var migration = SchemaMigration(
            try PostgreSQLStore.address(url),
            mapping,
            from: source,
            to: destination,
            fresh: StoreMetadata(of: destination),
            model: nil
        )
        migration.prepare = prepare
        return isLater ? migration.forecastLater() : try migration.forecast()
    }

    func rehearse(at url: URL, _ body: (_ copy: URL, _ snapshot: String) throws -> Void) throws {
        var rehearsal = SchemaRehearsal(try PostgreSQLStore.address(url))
        rehearsal.prepare = prepare
        let copy = try Self.url(url, withSchema: rehearsal.otherSchema)
        try rehearsal.run { try body(copy, $0) }
    }
}
