// A store in Apple's SQLite layout: one writer, and a pool of readers if the file has a log. This file opens stores;
// reading is in SQLiteReader.swift, writing in SQLiteWriter.swift. State set when the store is opened does not change
// until it is closed.
import Foundation
import GraphArchives
import GraphEngine
import GraphModel
import GraphPredicates
import GraphSQL
import Synchronization

/// Keeps rows in an SQLite database, on disk or in memory.
package final class SQLiteEngine: GenerationEngine, HistoryEngine, CountingEngine, @unchecked Sendable {
    // Unchecked: state set on opening is then read-only, under the host's synchronization; the rest has its own locks.

    package private(set) var configuration: SQLiteConfiguration
    /// Finds the store's host, which outlives the open engine.
    package var findHost: @Sendable () -> (any SQLiteHost)? = { nil }
    package var host: (any SQLiteHost)? { findHost() }
    private let handle = Handle()
    @exclusivity(unchecked) package var storeIndex: Int32 = -1
    /// The store's UUID, from the file or from the store whose rows these are.
    package var identifier = ""
    /// The store's URL; nil in memory.
    package private(set) var url: URL?
    /// Whether another store has taken the place of this one, which is only read by those that have found it before.
    let isRetired = Atomic<Bool>(false)
    /// Guards the connections of the open store.
    private let opened = Mutex(UnsafeTransfer<Connections?>(nil))
    @exclusivity(unchecked) package private(set) var schema = StoreSchema()
    @exclusivity(unchecked) package private(set) var model: ModelLayout?
    /// The model in the file's tables; nil before the store is opened for the first time.
    @exclusivity(unchecked) private var map: TableMap?
    /// Metadata as last read from or written to the file.
    package var savedMetadata = StoreMetadata()
    /// The connections of generations that are in use.
    let generations = Mutex(UnsafeTransfer<[WeakGeneration]>([]))
    /// Whether the file uses a write-ahead log.
    private(set) var hasLog = false
    /// The log size in bytes below which emptying the log is not attempted.
    let triedLogSize = Atomic<Int>(0)
    /// The identity of the store's open file.
    private(set) var file: FileIdentity?
    /// Readers that hold a snapshot.
    let snapshots = Atomic<Int>(0)
    /// The store whose content this one copies when it is opened.
    private var source: SQLiteEngine?
    /// Derived attributes computed by this store at the end of a save.
    var derivedPaths: [DerivedPath] = []
    /// Watches the file for changes; nil unless the configuration asks for it.
    var watch: ChangeWatch?
    /// The snapshot from which the store is read if no files may be created beside it.
    package var still: ImmutableSnapshotFile?
    /// Files of large values; nil in memory.
    package private(set) var files: ExternalFiles?
    /// The connections of a store that is open.
    struct Connections {
        let writer: SQLiteWriter
        /// Nil if the store has a single connection.
        let pool: ReaderPool?
    }

    /// Creates an engine for a store at a location, without opening the store.
    package init(_ configuration: SQLiteConfiguration, at url: URL?) {
        self.configuration = configuration
        self.url = url
        handle.set(self)
    }

    deinit { handle.clear() }

    var path: String { url?.path ?? "" }
    package var isInMemory: Bool { configuration.isInMemory }
    package var isReadOnly: Bool { configuration.isReadOnly }

    /// Writes to the host's log.
    func log(_ severity: LogSeverity, _ message: @autoclosure () -> String) { host?.log(severity, message()) }

    // MARK: Opening

    /// Opens or creates the store for the model of its configuration.
    ///
    /// Throws `EngineError`, and errors thrown by the host for a store of another version.
    package func open(_ model: ModelLayout) throws {
        self.model = model
        isRetired.store(false, ordering: .releasing)
        try mapErrors {
            try use(configuration.contract, for: model)
            let fresh = configuration.contract.metadata
            try prepare(model, try isInMemory ? openInMemory(fresh) : openFile(fresh, model))
        }
    }

    /// Builds the schema of the content that the store is to have.
    private func use(_ contract: StoreContract, for model: ModelLayout) throws {
        configuration.contract = contract
        schema = StoreSchema(model: configuration.hasConstraints ? contract.model : contract.model.withoutConstraints)
        try prepareDerivations(model)
    }

    /// Opens the store with another one's content.
    package func open(_ model: ModelLayout, filledFrom sourceEngine: SQLiteEngine) throws {
        source = sourceEngine
        defer { source = nil }
        try open(model)
        // The other store's files may be removed before this one is closed.
        if isInMemory, let files = sourceEngine.files { try replaceReferences(to: files) }
    }

    /// Copies the content to the location of another, unopened store; an in-memory store copies it when it opens.
    ///
    /// The target's folder must exist.
    package func copy(to destination: SQLiteEngine) throws {
        try mapErrors {
            guard !destination.isInMemory, let target = destination.url else { return }
            let permissions = destination.configuration.permissions
            if let url, !isInMemory { try ExternalFiles.copyFolder(from: url, to: target, permissions) }
            try requireWriter().read {
                try StoreFile.copy($0, to: target.path, replaces: false, permissions: permissions)
            }
            guard let url, !isInMemory else { return }
            do {
                // Copy the files of a save that happened meanwhile.
                try ExternalFiles.copyFolder(from: url, to: target, permissions)
            } catch {
                // A copy without some of its large values must not stay, nor keep the next attempt from the place.
                for suffix in ["", "-wal", "-shm", "-journal"] { unlink(target.path + suffix) }
                throw error
            }
        }
    }

    /// Sets the location used the next time the store is opened.
    package func move(to place: URL?) { url = place }

    private func openInMemory(_ fresh: StoreMetadata) throws -> Connection {
        var metadata = fresh
        metadata.values[StoreMetadata.Key.storeType] = configuration.storeType
        if let name = configuration.sharedName { return try openShared(name, metadata) }
        let connection = try StoreFile.open(at: ":memory:")
        if let source {
            try source.requireWriter().read { try StoreFile.copy($0, into: connection) }
            metadata = try StoreFile.readMetadata(connection)
        } else {
            try StoreFile.fill(connection, schema: schema, metadata: metadata)
        }
        adopt(metadata)
        return connection
    }

    /// Opens the in-memory store that all coordinators of the process share by name; the first one creates it, and it
    /// is freed with the last.
    private func openShared(_ name: String, _ fresh: StoreMetadata) throws -> Connection {
        let connection = try Connection(path: name, mode: .sharedMemory, busyTimeout: configuration.busyTimeout)
        var metadata = fresh
        if let source {
            try source.requireWriter().read { try StoreFile.copy($0, toSharedMemory: name) }
            metadata = try StoreFile.readMetadata(connection)
            adopt(metadata)
            return connection
        }
        try connection.transaction(.exclusive) {
            if try connection.rows("SELECT 1 FROM sqlite_master WHERE name = 'Z_METADATA'").isEmpty {
                try StoreFile.fill(connection, schema: schema, metadata: metadata)
            } else {
                metadata = try StoreFile.readMetadata(connection)
                try host?.check(metadata)
            }
        }
        adopt(metadata)
        return connection
    }

    private func openFile(_ fresh: StoreMetadata, _ model: ModelLayout) throws -> Connection {
        var state = StoreFile.inspect(path)
        if try makeStore(fresh, insteadOf: state) { state = StoreFile.inspect(path) }
        var metadata = try self.metadata(of: state)
        if let contract = host?.contract(of: metadata) { try use(contract, for: model) }
        if try host?.admit(metadata) == .migrated { metadata = try self.metadata(of: StoreFile.inspect(path)) }
        try host?.check(metadata)
        if !isReadOnly { try restrictFiles() }
        still = try configuration.snapshotFile(path)
        let connection =
            try still?.connection()
            ?? StoreFile.open(
                at: path,
                isReadOnly: isReadOnly,
                busyTimeout: configuration.busyTimeout,
                pragmas: configuration.pragmas
            )
        adopt(metadata)
        if let url {
            files = ExternalFiles(store: url, configuration.permissions) { [handle] in
                handle.object(as: SQLiteEngine.self)?.log(.warning, $0)
            }
        }
        if !isReadOnly { try tidy(connection) }
        return connection
    }

    /// Makes the store if there is no file or an empty one; returns whether the file has to be inspected again.
    private func makeStore(_ fresh: StoreMetadata, insteadOf state: StoreFileState) throws -> Bool {
        do {
            switch state {
            case .empty where !isReadOnly, .vacant where !isReadOnly:
                try StoreFile.fill(
                    at: path,
                    schema: schema,
                    metadata: fresh,
                    modelCache: configuration.contract.modelCache(),
                    busyTimeout: configuration.busyTimeout
                )
            case .missing where isReadOnly:
                throw EngineError(
                    .missing,
                    "the file does not exist, and the store is opened for reading only",
                    remedy: "Check the path, or leave out NSReadOnlyPersistentStoreOption to make a new store."
                )
            case .missing:
                try host?.makeFolder()
                try StoreFile.create(
                    at: path,
                    schema: schema,
                    metadata: fresh,
                    modelCache: configuration.contract.modelCache(),
                    permissions: configuration.permissions
                )
            case .vacant, .empty, .store, .foreign, .damaged: return false
            }
        } catch let error as StoreFileError where error.kind == .exists {
            // Another process created the store first; open it like any other.
        }
        return true
    }

    /// The metadata of a file that is a store.
    private func metadata(of state: StoreFileState) throws -> StoreMetadata {
        if let error = state.error(path: path) { throw error }
        guard case .store(let metadata) = state else { throw closed }
        return metadata
    }

    /// Completes and cleans up an opened store.
    private func tidy(_ connection: Connection) throws {
        // Content copied from an in-memory store has no model cache.
        if source?.isInMemory == true {
            try StoreFile.writeModelCache(configuration.contract.modelCache(), connection)
        }
        try removeLeftoverFiles(connection)
        FilePlacement.removeAbandonedDrafts(of: path)
        if configuration.vacuums { try connection.execute("VACUUM") }
        if configuration.analyzes { try connection.execute("ANALYZE") }
    }

    /// Takes the permissions of others from files that are there.
    private func restrictFiles() throws {
        let permissions = configuration.permissions
        do {
            for suffix in ["", "-wal", "-shm", "-journal"] { try permissions.apply(to: path + suffix) }
            if let url { try permissions.apply(to: ExternalFiles.support(of: url).path) }
        } catch {
            throw EngineError(
                .file,
                "the permissions of its files cannot be changed: \(error.systemReason)",
                remedy: "Let the files belong to this user, or leave out NSPersistentStoreFileProtectionKey."
            )
        }
    }

    private func prepare(_ model: ModelLayout, _ connection: Connection) throws {
        file = FileIdentity(path)
        let writer = SQLiteWriter(self, connection)
        try prepareFunctions(connection)
        try writer.registerTriggerFunctions()
        try readNumbers(model, connection)
        try prepareHistory(writer)
        if !isReadOnly {
            try limitForeignTriggers(connection)
            writer.noteContent()
        }
        hasLog = try !isInMemory && connection.hasLog()
        let hasReaders = hasGenerations && !configuration.locksExclusively
        let pool = hasReaders ? ReaderPool(limit: configuration.readers) : nil
        opened.withLock { $0 = UnsafeTransfer(Connections(writer: writer, pool: pool)) }
        if configuration.watchesChanges {
            let watch = try ChangeWatch(try connectionForWatch()) { [findHost] in findHost()?.storeDidChange($0) }
            self.watch = watch
            if let file, !isInMemory { WatchedFiles.add(watch, of: file) }
        }
    }

    /// Opens another connection that sees committed changes; nil if the store is a private in-memory one.
    private func connectionForWatch() throws -> Connection? {
        let connection =
            try isInMemory
            ? configuration.sharedName.map { try Connection(path: $0, mode: .sharedMemory) }
            : Connection(path: path, mode: .readOnly)
        // It polls the file; no operation of a program causes its statements.
        connection?.attach(nil)
        return connection
    }

    func prepareFunctions(_ connection: Connection) throws {
        configuration.observe?(connection)
        if let monitor = configuration.monitor { connection.attach(monitor) }
        for function in SQLFunctions.all {
            try connection.registerFunction(
                function.name,
                argumentCount: Int32(function.argumentCount),
                deterministic: function.isDeterministic,
                // Triggers and views of a foreign file call none that may take long.
                isDirectOnly: function.prepare != nil,
                prepare: function.prepare,
                function.body
            )
        }
        try connection.registerSum()
        for collation in SQLCollations.all {
            try connection.registerCollation(collation.name, collation.compare)
        }
    }

    private func readNumbers(_ model: ModelLayout, _ connection: Connection) throws {
        try fitSchema(model, connection)
        map = try TableMap(
            model,
            schema,
            checker: configuration.contract.checker,
            isUnstored: configuration.contract.isUnstored,
            isTooDeep: { Connection.isTooDeep($0) }
        )
    }

    /// Adopts the file's numbers and names, which differ in stores of other framework versions and migrated stores.
    private func fitSchema(_ model: ModelLayout, _ connection: Connection) throws {
        if isInMemory, source == nil { return }
        let numbers = try StoreFile.entityNumbers(connection)
        if schema.entities.contains(where: { (numbers[$0.key] ?? $0.value.number) != $0.value.number }) {
            schema = StoreSchema(model: configuration.contract.model, numbers: numbers)
            guard Set(schema.entities.values.map(\.number)).count == schema.entities.count else {
                throw EngineError(
                    .incompatibleSchema,
                    "The store numbers its entities so that two of the model's have the same number.",
                    remedy: "Restore the table Z_PRIMARYKEY from a copy of the store; the file was not changed."
                )
            }
        }
        if try !StoreFile.hasTables(of: schema, connection) { try fitTables(connection) }
        try prepareDerivations(model)
    }

    /// Adopts the names of the file's tables and columns.
    private func fitTables(_ connection: Connection) throws {
        let tables = try StoreFile.tables(connection)
        schema = schema.fitted(to: tables)
        let missing = schema.missing(in: tables).map(\.reason)
        guard missing.isEmpty else {
            throw EngineError(
                .incompatibleSchema,
                "The store's tables are not those of the model. " + missing.prefix(5).joined(separator: " "),
                reason: missing.joined(separator: " "),
                remedy: Self.namingRemedy
            )
        }
    }

    /// Limits the work of each statement if the file has triggers that are not the model's.
    private func limitForeignTriggers(_ connection: Connection) throws {
        let expectedTriggers = Set(schema.triggers)
        let foreign = try connection.rows("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").filter {
            guard case .text(let sql) = $0[1] else { return true }
            return !expectedTriggers.contains(sql)
        }
        guard !foreign.isEmpty else { return }
        let names = foreign.prefix(3).compactMap { if case .text(let name) = $0[0] { name } else { nil } }
        log(
            .debug,
            "The file has triggers that are not the model's (\(names.joined(separator: ", "))\(foreign.count > 3 ? ", …" : "")). "
                + "They run with each change, and a statement that they make too long fails."
        )
        connection.limitRuns()
    }

    /// The version hashes match here, so the file more likely follows other naming rules than is damaged.
    private static let namingRemedy =
        "The file was not changed, and may be sound: its version hashes are the model's. If other programs still open "
        + "it, the tables were named by a rule that this version does not support: report the file's table definitions "
        + "(sqlite3 FILE .schema). Only if nothing opens it, restore it from a copy."

    package func close() {
        let former = opened.withLock { opened in
            defer { opened = UnsafeTransfer(nil) }
            return opened.value
        }
        // A running save triggers the watch, and the watch's observers may need the writer.
        let watching = former?.writer.lock.withLock { () -> ChangeWatch? in
            defer { watch = nil }
            return watch
        }
        watching?.stop()
        closeGenerations()
        former?.pool?.close()
        former?.writer.close()
        files?.removeWaiting()
        still = nil
    }

    package func retire() {
        isRetired.store(true, ordering: .releasing)
        // A store in memory is read through the connection that writes it, which is closed with the last reader.
        if isInMemory, configuration.sharedName == nil { return }
        close()
    }

    // MARK: Metadata

    /// The metadata presented to users: with the store's type and its UUID.
    package var metadata: [String: Any] {
        var values = savedMetadata.values
        values[StoreMetadata.Key.storeType] = configuration.storeType
        values[StoreMetadata.Key.storeUUID] = savedMetadata.uuid
        return values
    }

    private func adopt(_ metadata: StoreMetadata) {
        savedMetadata = metadata
        identifier = metadata.uuid
        host?.adopt(metadata)
    }

    // MARK: Sessions

    /// Nil if the store is not open.
    var connections: Connections? { opened.withLock { $0.value } }

    /// The writer; nil if the store is not open.
    package var writer: SQLiteWriter? { connections?.writer }

    /// The pool of readers; nil if the store has a single connection.
    var pool: ReaderPool? { connections?.pool }

    // MARK: Entities

    package func entityIndex(number: Int64) -> Int? { map?.entityIndex(number: number) }
    package func entityNumber(_ layout: EntityLayout) -> Int64 { map?.entityNumber(layout) ?? 0 }
    package func manyToMany(_ layout: EntityLayout, _ slot: Int) -> ManyToMany? { map?.manyToMany(layout, slot) }
    /// Whether a to-many relationship has a join table.
    package func hasJoinTable(_ layout: EntityLayout, _ slot: Int) -> Bool { manyToMany(layout, slot) != nil }
    package func hasOwnerColumn(_ layout: EntityLayout, _ slot: Int) -> Bool { ownerColumn(layout, slot) != nil }
    package func ownerColumn(_ layout: EntityLayout, _ slot: Int) -> ToManyInverse? { map?.ownerColumn(layout, slot) }
    /// The translator of fetches; nil before the store is opened for the first time.
    var translator: FetchTranslator? { map?.translator }
    /// The columns selected from a tree's rows.
    func columns(of tree: TreeLayout) -> [PlanColumn] { map?.treeColumns[tree.index] ?? [] }

    /// The model in the tables of a store that is open.
    func requireMap() throws -> TableMap {
        guard let map else { throw SQLiteError(code: 21, message: "the store is closed") }
        return map
    }

    // MARK: Errors

    /// Maps the driver's errors to engine errors.
    func mapErrors<R>(_ body: () throws -> R) throws -> R { try EngineError.mapping(body) }

    var closed: EngineError { EngineError(.closed, "it was removed", remedy: "Add it to the coordinator again.") }
}

extension Model {
    /// The model for a store type without uniqueness constraints: as with Apple's, only SQLite files have them.
    fileprivate var withoutConstraints: Model {
        var model = self
        for index in model.entities.indices { model.entities[index].uniquenessConstraints = [] }
        return model
    }
}
