// Migrates the store at a location when it is added with a model that it does not fit. Called by stores before they
// open their file or schema, which is the old store until one commit, or one rename, makes it the new one.
import Foundation
import GraphEngine
import GraphModel
import GraphModelFiles
import GraphSQL
import GraphSQLite

/// One migration of one store.
package struct StoreMigrator {
    var url: URL
    /// The model that the store is to have, whole and as far as the store holds it.
    let destination: NSManagedObjectModel
    let part: Model
    /// The entries about the model for the file's metadata.
    let fresh: StoreMetadata
    var infersMapping: Bool
    /// Does the work on a store in a database; nil for a file.
    package var database: (any DatabaseMigrator)?
    /// Milliseconds to wait for other users of the store.
    let busyTimeout: Int32
    /// Whether removals are deferred to `finishDeferredLightweightMigration()`.
    var defers = false
    /// Models that the source may be of, besides those that the program has.
    var extraModels: [Model] = []
    /// Called with the progress, from 0 to 1; an error that it throws ends the migration, and the store is unchanged.
    package var progress: (Double) throws -> Void = { _ in }
    /// Gets the manager that has run a mapping model, which still has the associations of all objects.
    package var noteManager: ((NSMigrationManager) -> Void)?
    /// Called while statements run; if it returns false, the migration ends and the store is unchanged.
    package var isWanted: (() -> Bool)?

    package init(
        url: URL,
        destination: NSManagedObjectModel,
        part: Model,
        fresh: StoreMetadata,
        infersMapping: Bool,
        busyTimeout: Int32
    ) {
        self.url = url
        self.destination = destination
        self.part = part
        self.fresh = fresh
        self.infersMapping = infersMapping
        self.busyTimeout = busyTimeout
    }

    /// Migrates the store.
    ///
    /// - Parameter metadata: The metadata that do not fit.
    /// - Throws: 134130 without a source model, 134140 without a mapping model, 134190 if none can be inferred, 134110
    ///   if the migration fails. The store is then as it was.
    func migrate(_ metadata: StoreMetadata) throws {
        let source = try sourceModel(metadata)
        if let mapping = try mapping(from: source) { return try migrate(mapping, from: source) }
        guard infersMapping else { throw CoreDataError.missingMappingModel(url) }
        try migrateInPlace(try Self.infer(from: source, to: part), from: source, progress: progress)
    }

    /// The mapping model in a file or of the program.
    private func mapping(from source: Model) throws -> NSMappingModel? {
        do {
            return try NSMappingModel.find(from: source, to: part, origin: destination.origin)
        } catch {
            throw CoreDataError.migrationFailed(url, error)
        }
    }

    private static func infer(from source: Model, to destination: Model) throws -> ModelMapping {
        do {
            return try MappingInference.infer(from: source, to: destination)
        } catch {
            throw CoreDataError.notInferred(error)
        }
    }

    /// The lightweight migration of the store.
    ///
    /// - Returns: The store's model, and the mapping from it.
    /// - Throws: 134130 without a source model, 134190 if no mapping can be inferred.
    package func lightweight() throws -> (source: Model, mapping: ModelMapping) {
        let source = try sourceModel(try metadata())
        return (source, try Self.infer(from: source, to: part))
    }

    private func sourceModel(_ metadata: StoreMetadata) throws -> Model {
        let models = SourceModels(origin: destination.origin, first: extraModels)
        var searched = 0
        if let model = models.model(of: metadata.values, searched: &searched) { return model }
        // No version that the program has: the store contains its own model.
        do {
            if let model = try ownModel(metadata) { return model }
        } catch let error as NSError where error.code == NSSQLiteErrorCode {
            throw error
        } catch {
            Diagnosis.log.debug("The model in \(url.lastPathComponent) cannot be used: \(error)")
        }
        var values = metadata.values
        values[NSStoreUUIDKey] = metadata.uuid
        throw CoreDataError.missingSourceModel(url, metadata: values, searched: searched)
    }

    /// The model that the store contains; nil if it contains none, or another one than its metadata describe.
    private func ownModel(_ metadata: StoreMetadata) throws -> Model? {
        guard let database else { return try StoreModelCache.model(at: url) }
        guard let data = try database.model(at: url) else { return nil }
        let model = try ModelFile.readModel(cache: data, file: url.lastPathComponent)
        return model.versionHashes() == metadata.versionHashes ? model : nil
    }

    /// The type of the store.
    var storeType: String { database?.storeType ?? NSSQLiteStoreType }

    /// The store's metadata as they are now; an error if they cannot be read.
    func metadata() throws -> StoreMetadata {
        if let database { return try CoreDataError.mapping(url) { try database.metadata(at: url) } }
        let state = StoreFile.inspect(url.path)
        if let error = state.error(path: url.path) { throw CoreDataError.storeFile(error, url: url) }
        guard case .store(let metadata) = state else {
            throw CoreDataError.cannotOpen(url, reason: "the file does not exist", remedy: "Check the path.")
        }
        return metadata
    }

    // MARK: In SQL

    /// Runs an inferred mapping in one transaction of the store's own file or database.
    package func migrateInPlace(
        _ mapping: ModelMapping,
        from source: Model,
        progress: (Double) throws -> Void = { _ in }
    ) throws {
        do {
            if let database {
                return try database.migrate(
                    mapping,
                    from: source,
                    to: part,
                    fresh: fresh,
                    at: url,
                    progress: progress
                )
            }
            try withExclusiveStore(of: source.versionHashes()) { connection, metadata in
                try Self.run(
                    mapping,
                    from: source,
                    to: part,
                    fresh: fresh,
                    metadata,
                    url: url,
                    connection,
                    defers: defers,
                    progress: progress
                )
                try connection.commit()
            }
        } catch {
            throw CoreDataError.migrationFailed(url, error)
        }
        Self.removeUnnamedFiles(of: url, from: source, to: part)
    }

    /// Runs an inferred mapping on an open store, in a transaction that the caller commits.
    static func run(
        _ mapping: ModelMapping,
        from source: Model,
        to destination: Model,
        fresh: StoreMetadata,
        _ storeMetadata: StoreMetadata,
        url: URL,
        _ connection: Connection,
        defers: Bool = false,
        progress: (Double) throws -> Void = { _ in }
    ) throws {
        let plan = MigrationPlanner.plan(
            mapping,
            from: source,
            to: destination,
            file: try StoreMigration.file(connection),
            defers: defers
        )
        var metadata = storeMetadata
        metadata.takeModel(of: fresh)
        try registerFunctions(connection, url)
        try StoreMigration(
            plan: plan,
            from: source,
            to: destination,
            metadata: metadata,
            modelCache: StoreModelCache.data(of: destination)
        )
        .run(connection, progress: progress)
    }

    /// The functions that the statements of a migration call.
    private static func registerFunctions(_ connection: Connection, _ url: URL) throws {
        try connection.registerFunction(StoreSchema.timeFunction, argumentCount: 0, deterministic: false) { _ in
            .real(Date().timeIntervalSinceReferenceDate)
        }
        try connection.registerFunction(StoreSchema.derivingFunction, argumentCount: 2) { arguments in
            guard case .text(let name) = arguments[0], case .text(let operand) = arguments[1] else { return .null }
            return Derivation.call(name, operand).map(SQLValue.text) ?? .null
        }
        try connection.registerFunction(MigrationPlan.nearestFloatFunction, argumentCount: 1) { arguments in
            switch arguments[0] {
            case .integer(let number): .real(Double(Float(number)))
            case .real(let number): .real(Double(Float(number)))
            case .null, .text, .blob, .typed: arguments[0]
            }
        }
        let files = ExternalFiles(store: url)
        try connection.registerFunction(
            MigrationPlan.plainValueFunction,
            argumentCount: 1,
            isDirectOnly: true
        ) { arguments in
            guard case .blob(let stored) = arguments[0] else { return arguments[0] }
            guard let name = LargeValue.name(in: stored) else { return .blob(LargeValue.inlineData(in: stored)) }
            guard let data = try files.contents(name) else {
                throw MigrationFailure(
                    .sourceStore,
                    reason: "the file \(name) of a large value is missing beside the store"
                )
            }
            return .blob(data)
        }
    }

    /// Files of large values are of no use to a store without such attributes.
    private static func removeUnnamedFiles(of url: URL, from source: Model, to destination: Model) {
        guard source.storesFiles, !destination.storesFiles else { return }
        ExternalFiles.removeFolder(of: url)
    }

    // MARK: Alone with the file

    /// Runs `body` in a transaction while the store is not open elsewhere; it is rolled back if `body` throws.
    ///
    /// Nothing is done if another process has migrated the store in the meantime.
    func withExclusiveStore(
        of hashes: [String: Data]? = nil,
        _ body: (Connection, StoreMetadata) throws -> Void
    ) throws {
        let connection = try Connection(path: url.path, mode: .readWrite, busyTimeout: busyTimeout)
        defer { connection.close() }
        if let isWanted { connection.interruptsUnless(isWanted) }
        // Before the first access: a log is then read without its shared index, which keeps all others out.
        try connection.execute("PRAGMA locking_mode = EXCLUSIVE; PRAGMA synchronous = FULL")
        try connection.begin(.exclusive)
        do {
            let metadata = try StoreFile.readMetadata(connection)
            let isExpected =
                hashes.map { $0 == metadata.versionHashes } ?? (metadata.versionHashes != fresh.versionHashes)
            if isExpected { try body(connection, metadata) }
            if connection.isInTransaction { try connection.rollback() }
        } catch {
            connection.interruptsUnless(nil)
            try? connection.rollback()
            throw error
        }
    }
}

extension Model {
    /// Whether values of an attribute may be in external files.
    var storesFiles: Bool {
        entities.contains { $0.attributes.contains(where: \.allowsExternalBinaryDataStorage) }
    }
}
