// A store in Apple's SQLite layout. Called by the coordinator under its lock; it exchanges values with it. Opening is
// here; reading and writing are in SQLiteStore+Reading.swift and SQLiteStore+Writing.swift.
import Foundation
import GraphModel
import GraphSQL
import GraphSQLite

/// A SQLite store, on disk or in memory.
final class SQLiteStore: NSPersistentStore, RowStore {
    let isInMemory: Bool
    let storeType: String
    /// The store whose rows this one keeps in memory; its objects' identifiers name that store.
    weak var face: NSPersistentStore?
    private(set) var connection: Connection?
    private(set) var schema = StoreSchema()
    private(set) var translator: FetchTranslator?
    private(set) var model: CompiledModel?
    private var layoutByNumber: [Int64: Int] = [:]
    private var numberByLayout: [Int: Int64] = [:]
    /// What is selected of each tree's rows, by tree.
    var treeColumns: [[PlanColumn]] = []
    /// Texts that are made once.
    var texts = StatementTexts()
    var writers: [Int: RowWriter] = [:]
    /// Metadata as last read from or written to the file.
    var savedMetadata = StoreMetadata()
    /// What the transaction of a save has written of it; nil where nothing.
    var writtenMetadata: StoreMetadata?
    var turnDepth = 0
    var turnBegan: ContinuousClock.Instant?
    var isSaving = false
    /// Set once another connection was seen to have written to the file.
    var mayBeWrittenByOthers = false
    /// SQLite's mark of the file's content after the last save.
    var dataVersion: UInt32?
    /// The connection of a query generation, while a context reads that is pinned to it.
    var pinned: Connection?
    /// The connections of generations that are in use.
    var generations: [WeakGeneration] = []
    /// Whether the file's changes go into a log.
    var hasLog = false
    /// Below so many bytes it is of no use to try to empty the log.
    var triedLogSize = 0
    /// The store whose content this one takes when it is opened.
    private var source: SQLiteStore?
    /// What the store itself has set in the save at work.
    var derivedValues: [DerivedValue] = []
    /// Derived attributes that this store computes at the end of a save.
    var derivedPaths: [DerivedPath] = []
    /// Rows of the save at work that such attributes depend on.
    var dependents: Set<DependentRow> = []
    /// What the save at work puts into the history; nil where none is tracked.
    var history: HistoryLog?
    /// Trees whose greatest key has been compared with what `Z_PRIMARYKEY` counts, by their number.
    var treesWithKnownKeys: Set<Int> = []
    /// Tells of changes of the file; nil unless the store's options ask for it.
    var watch: RemoteChangeWatch?
    /// The file as it is read where nothing may be made beside it.
    var still: StillFile?
    /// Files of large values; nil in memory.
    private(set) var files: ExternalFiles?
    /// Set by tests, as no other way makes a commit fail after its transaction went well.
    var failsNextCommit = false
    /// Saves committed so far.
    var transactions = 0
    var rowsWritten = 0

    init(
        persistentStoreCoordinator coordinator: NSPersistentStoreCoordinator?,
        configurationName: String?,
        at url: URL,
        options: [AnyHashable: Any]?,
        isInMemory: Bool,
        type: String
    ) {
        self.isInMemory = isInMemory
        storeType = type
        super.init(
            persistentStoreCoordinator: coordinator,
            configurationName: configurationName,
            at: url,
            options: options
        )
    }

    required init(
        persistentStoreCoordinator coordinator: NSPersistentStoreCoordinator?,
        configurationName: String?,
        at url: URL,
        options: [AnyHashable: Any]?
    ) {
        isInMemory = false
        storeType = NSSQLiteStoreType
        super.init(
            persistentStoreCoordinator: coordinator,
            configurationName: configurationName,
            at: url,
            options: options
        )
    }

    override var type: String { storeType }

    override func failNextCommit() { failsNextCommit = true }

    override class func metadataForPersistentStore(with url: URL) throws -> [String: Any] { try readMetadata(at: url) }
    override class func setMetadata(_ metadata: [String: Any]?, forPersistentStoreAt url: URL) throws {
        try writeMetadata(metadata, at: url)
    }
    override class func replace(at url: URL, withStoreAt source: URL, then release: () throws -> Void) throws {
        try copyFile(from: source, to: url, then: release)
    }
    override class func destroy(
        at url: URL,
        options: [AnyHashable: Any]?,
        then release: () throws -> Void
    ) throws {
        try removeFiles(
            at: url,
            isForced: StoreOptions.flag(options, NSPersistentStoreForceDestroyOption) == true,
            busyTimeout: busyTimeout(options),
            then: release
        )
    }

    var path: String { url?.path ?? "" }

    /// Whether the store has what SQLite stores have beyond those in memory, such as a history: also one at `/dev/null`.
    var isOfDatabaseKind: Bool { !isInMemory || storeType == NSSQLiteStoreType }

    // MARK: Opening

    func open(_ model: CompiledModel) throws {
        self.model = model
        let schemaModel = try configuredModel(model)
        schema = StoreSchema(model: face == nil ? schemaModel : schemaModel.withoutConstraints)
        let metadata = StoreMetadata(of: schemaModel)
        try mapErrors {
            try prepareDerivations(model)
            if isInMemory {
                try openInMemory(metadata)
            } else {
                try openFile(metadata)
            }
            try prepare(model)
        }
    }

    /// The model that a new store holds.
    private func freshModelCache() throws -> Data? {
        try model.flatMap { StoreModelCache.data(of: try configuredModel($0)) }
    }

    /// The part of the model that this store holds.
    private func configuredModel(_ model: CompiledModel) throws -> Model {
        model.schema(configuration: configurationName)
    }

    /// Copies the content to where another store is to be opened; one in memory takes it when it opens.
    func copy(to other: SQLiteStore) throws {
        try mapErrors {
            endReadTransaction()
            guard !other.isInMemory, let target = other.url else { return }
            if let url, !isInMemory { try ExternalFiles.copyFolder(from: url, to: target) }
            try target.makeFolderOfStore()
            try StoreFile.copy(try requireConnection(), to: target.path, replaces: false)
            // Files of a save that came between.
            if let url, !isInMemory { try ExternalFiles.copyFolder(from: url, to: target) }
        }
    }

    /// Opens the store with another one's content.
    func open(_ model: CompiledModel, filledFrom other: SQLiteStore) throws {
        source = other
        defer { source = nil }
        try open(model)
        if isInMemory, !other.isInMemory {
            // Files of large values stay where they are.
            files = other.files.map(ExternalFiles.init(borrowedFrom:))
        }
    }

    /// Goes on at another place; false, and where it was, if there is no such store.
    func reopen(at place: URL, _ model: CompiledModel) -> Bool {
        let former = url
        close()
        for candidate in [place, former] {
            url = candidate
            if (try? open(model)) != nil { return candidate == place }
        }
        return false
    }

    private func openInMemory(_ fresh: StoreMetadata) throws {
        var metadata = fresh
        metadata.values[StoreMetadata.Key.storeType] = storeType
        if let name = url?.sharedMemoryName { return try openShared(name, metadata) }
        let connection = try StoreFile.open(at: ":memory:")
        if let source {
            try StoreFile.copy(try source.requireConnection(), into: connection)
            metadata = try StoreFile.readMetadata(connection)
        } else {
            try StoreFile.fill(connection, schema: schema, metadata: metadata)
        }
        self.connection = connection
        adopt(metadata)
    }

    /// Opens the store in memory that all coordinators of the process share under a name; the first one makes it, and it is
    /// gone with the last.
    private func openShared(_ name: String, _ fresh: StoreMetadata) throws {
        let connection = try Connection(path: name, mode: .sharedMemory, busyTimeout: busyTimeout)
        var metadata = fresh
        try connection.transaction(.exclusive) {
            if let source {
                try StoreFile.copy(try source.requireConnection(), into: connection)
                metadata = try StoreFile.readMetadata(connection)
            } else if try connection.rows("SELECT 1 FROM sqlite_master WHERE name = 'Z_METADATA'").isEmpty {
                try StoreFile.fill(connection, schema: schema, metadata: metadata)
            } else {
                metadata = try StoreFile.readMetadata(connection)
                try checkCompatibility(metadata, with: fresh)
            }
        }
        self.connection = connection
        adopt(metadata)
    }

    private func openFile(_ fresh: StoreMetadata) throws {
        var found = StoreFile.inspect(path)
        switch found {
        case .vacant where !isReadOnly:
            do {
                try StoreFile.fill(
                    at: path,
                    schema: schema,
                    metadata: fresh,
                    modelCache: freshModelCache(),
                    busyTimeout: busyTimeout
                )
            } catch let error as StoreFileError where error.kind == .exists {
                // Another process was first; its store is opened like any other.
            }
            found = StoreFile.inspect(path)
        case .missing:
            if isReadOnly {
                throw CoreDataError.cannotOpen(
                    url,
                    reason: "there is no such file, and the store is to be opened for reading only",
                    remedy: "Check the path, or leave out NSReadOnlyPersistentStoreOption to make a new store.",
                    code: NSFileReadNoSuchFileCode
                )
            }
            try url?.makeFolderOfStore()
            do {
                try StoreFile.create(at: path, schema: schema, metadata: fresh, modelCache: freshModelCache())
            } catch let error as StoreFileError where error.kind == .exists {
                // Another process was first; its store is opened like any other.
            }
            found = StoreFile.inspect(path)
        case .vacant, .empty, .store, .foreign, .damaged: break
        }
        if let error = found.error(path: path) { throw error }
        guard case .store(var metadata) = found else { return }
        if try migrate(metadata, fresh) {
            found = StoreFile.inspect(path)
            if let error = found.error(path: path) { throw error }
            if case .store(let migrated) = found { metadata = migrated }
        }
        try checkCompatibility(metadata, with: fresh)
        still = try stillFile()
        connection =
            try still?.connection()
            ?? StoreFile.open(
                at: path,
                isReadOnly: isReadOnly,
                busyTimeout: busyTimeout,
                pragmas: StoreOptions.pragmas(options)
            )
        adopt(metadata)
        if let url { files = ExternalFiles(store: url) }
        if !isReadOnly {
            // What comes out of memory has none yet.
            if source?.isInMemory == true, let connection {
                try StoreFile.writeModelCache(freshModelCache(), connection)
            }
            try removeLeftoverFiles()
            if StoreOptions.flag(options, NSSQLiteManualVacuumOption) == true { try connection?.execute("VACUUM") }
            if StoreOptions.flag(options, NSSQLiteAnalyzeOption) == true { try connection?.execute("ANALYZE") }
            dataVersion = connection?.dataVersion
        }
    }

    /// Migrates a file of another version where the options say so; returns whether it did.
    private func migrate(_ metadata: StoreMetadata, _ fresh: StoreMetadata) throws -> Bool {
        let staged = options?[NSPersistentStoreStagedMigrationManagerOptionKey] as? NSStagedMigrationManager
        guard let url, let model, !isReadOnly, metadata.versionHashes != fresh.versionHashes,
            StoreOptions.flag(options, NSMigratePersistentStoresAutomaticallyOption) ?? (staged != nil),
            StoreOptions.flag(options, NSIgnorePersistentStoreVersioningOption) != true
        else { return false }
        // A child of the current progress of the thread, if it has one.
        let progress = Progress(totalUnitCount: 1_000)
        var migrator = StoreMigrator(
            url: url,
            destination: model.model,
            part: try configuredModel(model),
            fresh: fresh,
            infersMapping: StoreOptions.flag(options, NSInferMappingModelAutomaticallyOption) == true,
            busyTimeout: busyTimeout
        )
        migrator.defers = StoreOptions.flag(options, NSPersistentStoreDeferredLightweightMigrationOptionKey) == true
        migrator.progress = { done in
            progress.completedUnitCount = Int64(done * 1_000)
            if progress.isCancelled { throw CoreDataError.migrationCancelled(url) }
        }
        if let staged {
            let stages = StagedMigration(
                manager: staged,
                final: migrator,
                configuration: configurationName,
                options: options
            )
            try stages.run(metadata)
        } else {
            try migrator.migrate(metadata)
        }
        return true
    }

    /// Compares the version hashes in the file with the model's.
    private func checkCompatibility(_ metadata: StoreMetadata, with fresh: StoreMetadata) throws {
        if StoreOptions.flag(options, NSIgnorePersistentStoreVersioningOption) == true { return }
        guard let reason = VersionDifference.sentence(found: metadata.versionHashes, wanted: fresh.versionHashes) else {
            return
        }
        var values = metadata.values
        values[NSStoreUUIDKey] = metadata.uuid
        throw CoreDataError.incompatibleVersionHash(
            metadata: values,
            reason: reason,
            url: url
        )
    }

    private func prepare(_ model: CompiledModel) throws {
        guard let connection else { return }
        try prepareFunctions(connection)
        try registerTriggerFunctions(connection)
        try readNumbers(model, connection)
        try prepareHistory()
        hasLog = try connection.hasLog()
        if isOfDatabaseKind, let url,
            StoreOptions.flag(options, NSPersistentStoreRemoteChangeNotificationPostOptionKey) == true
        {
            watch = try RemoteChangeWatch(
                try connectionForWatch(),
                url: url,
                storeUUID: identifier ?? "",
                coordinator: persistentStoreCoordinator
            )
        }
    }

    /// A further connection that sees what others write; nil where the store is in memory and this one's alone.
    private func connectionForWatch() throws -> Connection? {
        guard isInMemory else { return try Connection(path: path, mode: .readOnly) }
        return try url?.sharedMemoryName.map { try Connection(path: $0, mode: .sharedMemory) }
    }

    func prepareFunctions(_ connection: Connection) throws {
        SQLDebug.observe(connection, store: isInMemory ? "in memory" : url?.lastPathComponent ?? "")
        for function in SQLFunctions.all {
            try connection.registerFunction(
                function.name,
                argumentCount: Int32(function.argumentCount),
                deterministic: function.isDeterministic,
                function.body
            )
        }
        for collation in SQLCollations.all {
            let compare = collation.compare
            try connection.registerCollation(collation.name) { left, right in
                compare(String(decoding: left, as: UTF8.self), String(decoding: right, as: UTF8.self))
            }
        }
    }

    private func readNumbers(_ model: CompiledModel, _ connection: Connection) throws {
        try fitSchema(model, connection)
        for layout in model.layouts {
            guard let entity = schema.entities[layout.name] else { continue }
            layoutByNumber[entity.number] = layout.index
            numberByLayout[layout.index] = entity.number
        }
        texts = StatementTexts()
        treeColumns = try model.trees.map { try selectColumns($0) }
        translator = FetchTranslator(
            schema: schema,
            checker: model.checker,
            isUnstored: { entity, property in
                model.byName[entity]?.slot(named: property) != nil || model.byName[entity]?.computed[property] != nil
            },
            isTooDeep: { Connection.isTooDeep($0) }
        )
    }

    /// Takes the file's own numbers and names: a store of another framework version, or a migrated one, may have others.
    private func fitSchema(_ model: CompiledModel, _ connection: Connection) throws {
        if isInMemory, source == nil { return }
        let numbers = try StoreFile.entityNumbers(connection)
        if schema.entities.contains(where: { (numbers[$0.key] ?? $0.value.number) != $0.value.number }) {
            schema = StoreSchema(model: try configuredModel(model), numbers: numbers)
            guard Set(schema.entities.values.map(\.number)).count == schema.entities.count else {
                throw CoreDataError.make(
                    NSPersistentStoreIncompatibleSchemaError,
                    "The store numbers its entities so that two of the model's have the same number.",
                    remedy: "Restore the table Z_PRIMARYKEY from a copy of the store; the file was not changed."
                )
            }
        }
        let tables = try StoreFile.tables(connection)
        schema = schema.fitted(to: tables)
        let missing = schema.missing(in: tables).map(\.reason)
        guard missing.isEmpty else {
            throw CoreDataError.make(
                NSPersistentStoreIncompatibleSchemaError,
                "The store's tables are not those of the model. " + missing.prefix(5).joined(separator: " "),
                reason: missing.joined(separator: " "),
                remedy: Self.namingRemedy
            )
        }
        try prepareDerivations(model)
    }

    /// The version hashes agree here, so that the file is more likely written by other rules than damaged.
    private static let namingRemedy =
        "The file was not changed, and may be sound: its version hashes are the model's. If other programs still open it, the "
        + "tables were named by a rule that this version does not know: report the file's table definitions "
        + "(sqlite3 FILE .schema). Only if nothing opens it, restore it from a copy."

    private func selectColumns(_ tree: TreeLayout) throws -> [PlanColumn] {
        guard schema.entities[tree.rootName] != nil else { return [] }
        var columns: [PlanColumn] = [.primaryKey, .version]
        if tree.isInTree { columns.append(.entityNumber) }
        for column in tree.columns {
            guard let property = schema.entities[column.entityName]?.properties[column.propertyName] else {
                guard leadsOutside(column) else { throw missingColumn(column) }
                columns.append(.absent)
                continue
            }
            switch property {
            case .attribute(let attribute):
                columns.append(.stored(attribute.column))
            case .toOne(let toOne):
                if let name = column.isEntityNumber ? toOne.entityColumn : toOne.column {
                    columns.append(.stored(name))
                } else {
                    guard leadsOutside(column) else { throw missingColumn(column) }
                    columns.append(.absent)
                }
            case .toManyInverse, .manyToMany:
                throw missingColumn(column)
            }
        }
        return columns
    }

    /// Whether a column belongs to a relationship to an entity that this store's configuration leaves out.
    private func leadsOutside(_ column: TreeLayout.Column) -> Bool {
        guard let layout = model?.byName[column.entityName], let slot = layout.slot(named: column.propertyName),
            let relationship = layout.slots[slot].property as? NSRelationshipDescription
        else { return false }
        return schema.entities[relationship.destinationEntity?.name ?? ""] == nil
    }

    private func missingColumn(_ column: TreeLayout.Column) -> NSError {
        CoreDataError.make(
            NSPersistentStoreIncompatibleSchemaError,
            "The store has no column for \(column.entityName).\(column.propertyName).",
            remedy: "Check that the property's type can be stored in this version."
        )
    }

    func close() {
        writers = [:]
        history = nil
        watch?.stop()
        watch = nil
        closeGenerations()
        files?.removeWaiting()
        if connection?.isInTransaction == true { try? connection?.rollback() }
        connection?.close()
        connection = nil
        still = nil
    }

    func requireConnection() throws -> Connection {
        if let connection { return connection }
        throw CoreDataError.cannotOpen(url, reason: "it was removed", remedy: "Add it to the coordinator again.")
    }

    // MARK: Entities

    func entityIndex(number: Int64) -> Int? { layoutByNumber[number] }
    func entityNumber(_ layout: ObjectLayout) -> Int64 { numberByLayout[layout.index] ?? 0 }

    // MARK: Errors

    /// Turns the driver's errors into Apple's.
    func mapErrors<R>(_ body: () throws -> R) throws -> R { try Self.mapErrors(url, body) }

    /// The same for a store that is not open.
    static func mapErrors<R>(_ url: URL?, _ body: () throws -> R) throws -> R {
        do {
            return try body()
        } catch let error as SQLiteError {
            throw CoreDataError.sqlite(error, url: url)
        } catch let error as StoreFileError {
            throw CoreDataError.storeFile(error, url: url)
        } catch let error as TranslationError {
            throw CoreDataError.translation(error)
        }
    }
}

extension Model {
    /// The model for a store whose kind knows no uniqueness constraints: only SQLite files have them, as Apple's do.
    fileprivate var withoutConstraints: Model {
        var model = self
        for index in model.entities.indices { model.entities[index].uniquenessConstraints = [] }
        return model
    }
}

extension StoreMetadata {
    /// What the metadata of any store say of a model.
    static func values(of model: CompiledModel, configuration: String?) -> [String: Any] {
        StoreMetadata(of: model.schema(configuration: configuration)).values
    }
}

extension CompiledModel {
    /// The part of the model that a configuration has; all of it for none.
    func schema(configuration: String?) -> Model { model.part(configuration) }
}

extension NSManagedObjectModel {
    /// The part of the model that a store of a configuration holds; all of it for none.
    final func part(_ configuration: String?) -> Model {
        let whole = schema
        guard let entities = entities(forConfigurationName: configuration) else { return whole }
        return whole.part(listing: entities.compactMap(\.name))
    }
}
