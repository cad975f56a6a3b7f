// A store in the tables of a PostgreSQL schema. This file opens stores; reading is in PostgreSQLReader, writing in
// PostgreSQLWriter. Sessions lease connections of a bounded pool for the time they talk to the server.
import Foundation
import GraphArchives
import GraphEngine
import GraphModel
import GraphPredicates
import GraphSQL
import Synchronization

/// Keeps rows in a PostgreSQL database.
package final class PostgreSQLEngine: HistoryEngine, CountingEngine, CommitFailingEngine, @unchecked Sendable {
    // Unchecked: state set on opening is then read-only, under the host's synchronization; the rest has its own locks.

    package let configuration: PostgreSQLConfiguration
    /// Finds the store's host, which outlives the open engine.
    package var findHost: @Sendable () -> (any PostgreSQLHost)? = { nil }
    package var host: (any PostgreSQLHost)? { findHost() }
    package var storeIndex: Int32 = -1
    /// The store's UUID.
    package private(set) var identifier = ""
    /// The connections of the open store; nil if it is closed.
    private let pool = Mutex<PostgreSQLPool?>(nil)
    /// Whether another store has taken the place of this one, which is only read by those that have found it before.
    private let isRetired = Atomic<Bool>(false)
    /// The standbys that are read; nil without any, or if the store is closed.
    private let standbys = Mutex<Standbys?>(nil)
    /// The model in the store's tables; nil before the store is opened for the first time.
    private var tables: TableMap?
    /// The identity of the store that a new one replaces.
    private var takenIdentity: StoreMetadata?
    /// Whether this engine has created the schema of its store.
    package private(set) var hasMadeSchema = false
    /// Keys that this process has reserved.
    let keys = KeyBlocks()
    let counters = PostgreSQLCounters()
    let rowsWritten = Atomic<Int>(0)
    /// Makes the next commit fail; for tests of saves over several stores.
    package var failsNextCommit = false
    let transactions = Atomic<Int>(0)
    /// Whether a save was committed whose notification of others has failed.
    let hasUnannouncedSaves = Atomic<Bool>(false)
    /// The number of migrations of the store when it was opened.
    private(set) var generation: Int64 = 0
    /// The metadata as last read from or written to the database.
    package internal(set) var savedMetadata = StoreMetadata()
    let own: OwnTables
    /// The attributes that the store computes.
    private(set) var derivations: [StoredDerivation] = []
    /// The rules of the model that are check constraints.
    private(set) var rules: [RowRule] = []
    /// The features of the server that the store uses; set when it is opened.
    private(set) var profile = StoreProfile.standard
    /// The columns by which rows are distributed; nil in stores of the standard profile.
    private(set) var distribution: DistributionPlan?
    /// The references that saves must keep, because no foreign key does.
    private(set) var references: [TableReference] = []
    /// The numbers of saves of a distributed store.
    let numbers: SaveNumbers
    /// Watches the history for transactions of others; nil unless the configuration asks for it.
    private let watch = Mutex<HistoryWatch?>(nil)
    let dialect: PostgreSQLDialect
    /// The tables of other programs that have the rows; nil if the store's own tables have them.
    private(set) var existing: ExistingTables?

    /// Creates an engine for a store at an address, without connecting.
    package init(_ configuration: PostgreSQLConfiguration) {
        self.configuration = configuration
        dialect = PostgreSQLDialect(schema: configuration.address.schema)
        own = OwnTables(dialect)
        numbers = SaveNumbers(own)
    }

    // MARK: Opening

    /// Opens or creates the store for the model of its configuration.
    ///
    /// Throws `EngineError`, and errors thrown by the host for a store of another version.
    package func open(_ model: ModelLayout) throws {
        isRetired.store(false, ordering: .releasing)
        try mapErrors {
            let contract = configuration.contract
            let pool = makePool(configuration.address)
            do {
                let schema = try pool.withConnection { connection in
                    if let state = try admitted(connection) {
                        try adopt(state, connection)
                    } else if configuration.isReadOnly {
                        throw missing
                    } else {
                        try create(connection, model)
                    }
                    try requireCapabilities(connection.facts)
                    let schema = try numbered(makeSchema([:]), connection)
                    try takeProfile(schema)
                    let translator = FetchTranslator(schema: schema, capacity: 1)
                    rules =
                        existing == nil
                        ? RowRule.all(
                            of: contract.model,
                            in: schema,
                            translator,
                            knowsFreeing: profile == .standard
                        ) : []
                    // The rows of another store may break rules.
                    if takenIdentity == nil { try applyRules(connection) }
                    return schema
                }
                let standbys = Standbys(configuration.address.readers, makePool)
                if let standbys,
                    let position = try pool.withConnection({ try $0.execute(Standbys.writtenPosition).integer(0, 0) })
                {
                    // The tables may have been made or migrated just now.
                    standbys.require(position)
                }
                let map = try makeMap(model, schema)
                derivations = try StoredDerivation.all(of: map)
                tables = map
                self.pool.withLock { $0 = pool }
                self.standbys.withLock { $0 = standbys }
                if configuration.watchesChanges {
                    let watch = HistoryWatch(self)
                    self.watch.withLock { $0 = watch }
                    watch.start()
                }
            } catch {
                pool.close()
                throw error
            }
        }
    }

    private func makeMap(_ model: ModelLayout, _ schema: StoreSchema) throws -> TableMap {
        let contract = configuration.contract
        return try TableMap(model, schema, checker: contract.checker, isUnstored: contract.isUnstored)
    }

    /// The connections to an address; `prepare` is called with each new one.
    private func makePool(
        _ address: DatabaseAddress,
        _ prepare: @escaping @Sendable (PostgreSQLConnection) throws -> Void = { _ in }
    ) -> PostgreSQLPool {
        let (monitor, observe) = (configuration.monitor, configuration.observe)
        return PostgreSQLPool(address, counters: counters) { connection in
            connection.monitor = monitor
            connection.observer = observe
            try prepare(connection)
        }
    }

    /// The store in the schema, migrated if its host has done so; nil if the schema holds none.
    ///
    /// Throws `EngineError` if another program has made it while this one was about to make its own, for the rows of
    /// another store.
    private func admitted(_ connection: PostgreSQLConnection) throws -> StoredState? {
        guard let state = try Self.readState(connection, dialect) else { return nil }
        if takenIdentity != nil { throw occupied }
        if !configuration.isReadOnly, state.version < OwnTables.version {
            let statements = PostgreSQLFunctions(dialect).statements + own.upgradeStatements
            _ = try connection.pipeline(statements.map { SQLStatement($0) }, prepares: false)
        }
        guard try host?.admit(state.metadata) == true else { return state }
        return try Self.readState(connection, dialect)
    }

    /// The metadata of the store in the schema; nil if the schema holds none.
    static func readStore(_ connection: PostgreSQLConnection, _ dialect: PostgreSQLDialect) throws -> StoreMetadata? {
        try readState(connection, dialect)?.metadata
    }

    /// The row of the store in the schema; nil if the schema holds none.
    static func readState(_ connection: PostgreSQLConnection, _ dialect: PostgreSQLDialect) throws -> StoredState? {
        let own = OwnTables(dialect)
        let exists = try connection.execute(SQLStatement("SELECT to_regclass($1) IS NOT NULL", [.text(own.store)]))
        guard try exists.boolean(0, 0) == true else { return nil }
        // Tables of version 1 lack the column.
        let result = try connection.execute(
            "SELECT uuid, metadata, version, COALESCE((to_jsonb(s) ->> 'generation')::bigint, 0), model, "
                + "to_jsonb(s) ->> 'tables', to_jsonb(s) ->> 'profile' FROM \(own.store) AS s"
        )
        guard result.count == 1, let uuid = try result.string(0, 0), let data = result.data(1, 0) else { return nil }
        let profile = try result.string(6, 0).map(StoreProfile.init) ?? .standard
        guard let version = try result.integer(2, 0), version <= OwnTables.version, let profile else {
            throw EngineError(
                .incompatibleSchema,
                "The store at \(connection.address) was made by a later version of ManagedGraph.",
                remedy: "Use that version, or a later one."
            )
        }
        let values = try StoredList.read(data, "metadata", of: "_store")
        return StoredState(
            metadata: StoreMetadata(uuid: uuid, values: values),
            version: version,
            generation: try result.integer(3, 0) ?? 0,
            model: result.data(4, 0),
            tables: try result.string(5, 0),
            profile: profile
        )
    }

    private func adopt(_ state: StoredState, _ connection: PostgreSQLConnection) throws {
        let metadata = state.metadata
        try host?.check(metadata)
        if let requested = configuration.address.tables, requested != state.tables {
            throw EngineError(
                .cannotOpen,
                "The store in the schema \(configuration.address.schema) of \(configuration.address) has its rows in "
                    + (state.tables.map { "the tables of the schema \($0)" } ?? "tables of its own")
                    + ", and the address says tables=\(requested).",
                remedy: "Leave tables= out, or choose another schema= for a new store."
            )
        }
        profile = state.profile
        try checkProfile()
        existing = try state.tables.map { try ExistingTables($0, connection) }
        generation = state.generation
        savedMetadata = metadata
        identifier = metadata.uuid
        host?.adopt(metadata)
    }

    /// Creates the tables in one transaction; of several processes, one creates them.
    private func create(_ connection: PostgreSQLConnection, _ model: ModelLayout) throws {
        profile = configuration.address.profile ?? .standard
        try checkProfile()
        try requireCapabilities(connection.facts)
        existing = try configuration.address.tables.map { try ExistingTables($0, connection) }
        let tables = existing
        let schema = makeSchema([:])
        try takeProfile(schema)
        // Nothing is left of a store that could not be opened.
        if tables == nil { _ = try StoredDerivation.all(of: try makeMap(model, schema)) }
        var metadata = takenIdentity ?? configuration.contract.metadata
        metadata.values[StoreMetadata.Key.storeType] = Self.storeType
        let name = dialect.identifier(configuration.address.schema)
        // An existing schema can be used without the right to create schemas.
        let exists = try connection.execute(SQLStatement("SELECT to_regnamespace($1) IS NOT NULL", [.text(name)]))
        let isNew = try exists.boolean(0, 0) != true
        var batch = [SQLStatement("BEGIN ISOLATION LEVEL READ COMMITTED")]
        if isNew { batch.append(SQLStatement("CREATE SCHEMA IF NOT EXISTS \(name)")) }
        batch += try creation(of: schema, connection)
        batch += [try insertion(of: metadata), SQLStatement("COMMIT")]
        do {
            _ = try connection.pipeline(batch, prepares: false)
            hasMadeSchema = isNew
            try adopt(
                StoredState(
                    metadata: metadata,
                    version: OwnTables.version,
                    tables: tables?.schema,
                    profile: profile
                ),
                connection
            )
        } catch let error as PostgreSQLError where Self.isCreationByOther(error) {
            if connection.isInTransaction { try connection.execute("ROLLBACK") }
            guard let state = try admitted(connection) else { throw error }
            try adopt(state, connection)
        } catch {
            if connection.isInTransaction { _ = try? connection.execute("ROLLBACK") }
            throw error
        }
    }

    /// The statements that create the store's own tables, its functions, and the tables or views of the entities.
    private func creation(of schema: StoreSchema, _ connection: PostgreSQLConnection) throws -> [SQLStatement] {
        let functions = profile == .standard ? PostgreSQLFunctions(dialect).statements : []
        let tables =
            try existing?.checkedViews(schema, configuration.contract.model) ?? tableStatements(schema, connection)
        let texts = own.createStatements + functions + tables
        let numbers = profile == .distributed ? own.numberStatements(schema) : []
        return texts.map { SQLStatement($0) } + own.entityStatements(schema) + own.tableStatements(schema) + numbers
    }

    /// The statement that adds the row of the store itself.
    private func insertion(of metadata: StoreMetadata) throws -> SQLStatement {
        let data = try PropertyListSerialization.data(fromPropertyList: metadata.values, format: .binary, options: 0)
        return SQLStatement(
            "INSERT INTO \(own.store) (id, version, uuid, metadata, model, tables, profile) "
                + "VALUES (1, $1, $2, $3, $4, $5, $6)",
            [
                .integer(OwnTables.version), .text(metadata.uuid), .blob(data),
                configuration.contract.modelCache().map(SQLValue.blob) ?? .null,
                existing.map { .text($0.schema) } ?? .null,
                profile == .standard ? .null : .text(profile.rawValue),
            ]
        )
    }

    /// Opens a new store with the identity of another one, whose rows it will get.
    ///
    /// Throws `EngineError` of the kind `cannotOpen` if the schema has a store already.
    package func create(_ model: ModelLayout, identifier: String, userMetadata: [String: Any]) throws {
        if try Self.metadata(at: configuration.address) != nil { throw occupied }
        guard configuration.address.tables == nil else {
            throw EngineError(
                .cannotOpen,
                "Rows of another store cannot be moved into the tables of other programs.",
                remedy: "Leave tables= out of the address, or save objects into a store that has it."
            )
        }
        var metadata = configuration.contract.metadata
        metadata.uuid = identifier
        metadata.values.merge(userMetadata) { own, _ in own }
        takenIdentity = metadata
        defer { takenIdentity = nil }
        try open(model)
    }

    private var occupied: EngineError {
        EngineError(
            .cannotOpen,
            "The schema \(configuration.address.schema) of \(configuration.address) has a store already.",
            remedy: "Choose another schema=, or destroy the store there first."
        )
    }

    /// The store type in metadata.
    package static let storeType = "PostgreSQL"

    /// Whether the error means that another process has created the schema or its first table meanwhile.
    private static func isCreationByOther(_ error: PostgreSQLError) -> Bool {
        ["42P06", "42P07", "42710", "42723"].contains(error.state)
            || (error.state == "23505" && error.constraint?.hasPrefix("pg_") == true)
    }

    /// The schema with the entities' numbers of an existing store, whose history is continued if it was restored.
    private func numbered(_ schema: StoreSchema, _ connection: PostgreSQLConnection) throws -> StoreSchema {
        // The check of the history is a part of this statement, so that it costs no round trip.
        let checksHistory = profile == .standard && !configuration.isReadOnly
        let check = checksHistory ? ", \(isHistoryAhead)" : ""
        let result = try connection.execute("SELECT name, number\(check) FROM \(own.entity)")
        if checksHistory, result.count > 0, try result.boolean(2, 0) == true { try continueHistory(connection) }
        var numbers: [String: Int64] = [:]
        for row in 0..<result.count { numbers[try result.string(0, row) ?? ""] = try result.integer(1, row) }
        guard schema.entities.contains(where: { (numbers[$0.key] ?? $0.value.number) != $0.value.number }) else {
            return schema
        }
        return makeSchema(numbers)
    }

    /// The places of the model; `numbers` are those of the entities in the store.
    func makeSchema(_ numbers: [String: Int64]) -> StoreSchema {
        let dialect = PostgreSQLDialect(
            schema: dialect.schema,
            hasFunctions: profile == .standard,
            collatesTexts: existing != nil
        )
        return StoreSchema(model: configuration.contract.model, numbers: numbers, dialect: dialect)
    }

    /// Takes the parts of the schema that the store's profile needs.
    private func takeProfile(_ schema: StoreSchema) throws {
        guard profile == .distributed else { return }
        let model = configuration.contract.model
        let plan = try DistributionPlan(model, schema)
        distribution = plan
        references = TableStatements(model: model, schema: schema, hasForeignKeys: false, distribution: plan).references
    }

    // MARK: Places of rows

    /// The table that an entity's rows are written to.
    func written(_ entity: EntitySchema) throws -> WrittenTable {
        let schema = try requireMap().schema
        guard let existing else { return WrittenTable(entity, schema.dialect) }
        return WrittenTable(entity, in: existing, schema, configuration.contract.model)
    }

    /// The name under which a table's rows are written.
    func written(_ table: String, _ dialect: any SQLDialect) -> String {
        existing?.dialect.table(table) ?? dialect.table(table)
    }

    private var missing: EngineError {
        EngineError(
            .missing,
            "The schema \(configuration.address.schema) of \(configuration.address) contains no store.",
            remedy: "Check schema= in the address, or open the store for writing once to create its tables."
        )
    }

    package func close() {
        endOwnWork()
        let former = pool.withLock { pool in
            defer { pool = nil }
            return pool
        }
        former?.close()
    }

    package func retire() {
        isRetired.store(true, ordering: .releasing)
        endOwnWork()
        pool.withLock { $0 }?.retire()
    }

    /// Ends all but the reads and writes of others.
    private func endOwnWork() {
        let watching = watch.withLock { watch in
            defer { watch = nil }
            return watch
        }
        watching?.stop()
        if profile == .distributed, let pool = pool.withLock({ $0 }) {
            // Others delete them otherwise, as soon as they are old.
            try? pool.withConnection { try numbers.removeEnded($0) }
        }
        let readers = standbys.withLock { standbys in
            defer { standbys = nil }
            return standbys
        }
        readers?.close()
    }

    // MARK: Sessions

    /// The connections of the open store.
    func requirePool() throws -> PostgreSQLPool {
        guard let pool = pool.withLock({ $0 }) else { throw closed }
        return pool
    }

    /// Returns a connection to the pool; closes it if the store has been closed in the meantime.
    func giveBack(_ connection: PostgreSQLConnection) {
        if let pool = pool.withLock({ $0 }) { pool.giveBack(connection) } else { connection.close() }
    }

    /// The model in the tables of the open store.
    func requireMap() throws -> TableMap {
        guard let tables else { throw closed }
        return tables
    }

    package func lease(holdsSnapshot: Bool) throws -> any ReadSession {
        _ = try requirePool()
        // Another server has no snapshot of the primary's.
        guard configuration.snapshot == nil else { return PostgreSQLReader(self, holdsSnapshot: true) }
        return PostgreSQLReader(self, holdsSnapshot: holdsSnapshot, standbys: standbys.withLock(\.self))
    }

    /// The statements that make a new transaction read the snapshot of the configuration.
    var snapshotStatements: [SQLStatement] {
        guard let snapshot = configuration.snapshot else { return [] }
        return [SQLStatement("SET TRANSACTION SNAPSHOT \(dialect.literal(.text(snapshot)))")]
    }

    /// A session that reads from the primary, outside of snapshots.
    func primaryReader() -> PostgreSQLReader { PostgreSQLReader(self, holdsSnapshot: false) }

    /// Whether reads may go to standbys.
    var readsStandbys: Bool { standbys.withLock { $0 != nil } }

    /// Makes later reads see the log of the primary up to a position.
    func require(_ position: Int64?) {
        guard let position else { return }
        standbys.withLock { $0 }?.require(position)
    }

    package func giveBack(_ session: any ReadSession) {
        guard let reader = session as? PostgreSQLReader, !(reader is PostgreSQLWriter) else { return }
        reader.renew()
    }

    package func beginSave(_ origin: SaveOrigin) throws -> any WriteSession {
        if isRetired.load(ordering: .acquiring) { throw closed }
        _ = try requirePool()
        return PostgreSQLWriter(self, origin)
    }

    /// Called after a commit: the watch need not wait for its next look.
    func didCommit() { watch.withLock { $0 }?.wake() }

    package var counts: EngineCounts {
        var result = EngineCounts()
        result.statements = counters.statements
        result.rowsRead = counters.rows
        result.rowsWritten = rowsWritten.load(ordering: .relaxed)
        result.transactions = transactions.load(ordering: .relaxed)
        return result
    }

    /// The number of times that the store has waited for the server.
    package var roundTrips: Int { counters.roundTrips }

    // MARK: Entities

    package func split(_ fetch: StoreFetch) throws -> SplitStoreFetch { try requireMap().split(fetch, for: host) }
    package func entityIndex(number: Int64) -> Int? { tables?.entityIndex(number: number) }
    package func entityNumber(_ layout: EntityLayout) -> Int64 { tables?.entityNumber(layout) ?? 0 }
    package func hasJoinTable(_ layout: EntityLayout, _ slot: Int) -> Bool { tables?.manyToMany(layout, slot) != nil }
    package func hasOwnerColumn(_ layout: EntityLayout, _ slot: Int) -> Bool {
        tables?.ownerColumn(layout, slot) != nil
    }

    // MARK: Errors

    /// Maps the driver's errors to engine errors.
    func mapErrors<R>(_ body: () throws -> R) throws -> R {
        do {
            return try body()
        } catch let error as PostgreSQLError {
            // A table or column is gone: if the store has been migrated in the meantime, report that.
            if error.kind == .missingObject, hasOtherVersion {
                throw EngineError.otherVersion(reason: error.description)
            }
            throw mapped(error)
        }
    }

    /// Whether the store has been migrated since it was opened; asked after a failure.
    private var hasOtherVersion: Bool {
        guard tables != nil, let connection = try? PostgreSQLConnection(configuration.address) else { return false }
        defer { connection.close() }
        guard let state = try? Self.readState(connection, dialect) else { return false }
        return state.generation != generation
    }

    var closed: EngineError { EngineError(.closed, "it was removed", remedy: "Add it to the coordinator again.") }

    /// Writes to the host's log.
    func log(_ severity: LogSeverity, _ message: @autoclosure () -> String) { host?.log(severity, message()) }
}
