// A store in Apple's SQLite layout: one writer, and a pool of readers where the file has a log. Opening is here; reading is in
// SQLiteReader.swift, writing in SQLiteWriter.swift. What is set when the store is opened stays the same until it is closed.
import Foundation
import GraphArchives
import GraphModel
import GraphSQL
import GraphSQLite
import Synchronization

/// A SQLite store, on disk or in memory.
package final class SQLiteStore: NSPersistentStore, RowStore {
    let isInMemory: Bool
    let storeType: String
    /// The store whose rows this one keeps in memory; its objects' identifiers name that store.
    weak var face: NSPersistentStore?
    /// Guards the connections of the open store.
    private let opened = Mutex(UnsafeTransfer<Connections?>(nil))
    package private(set) var schema = StoreSchema()
    private(set) var translator: FetchTranslator?
    private(set) var model: CompiledModel?
    private var layoutByNumber: [Int64: Int] = [:]
    private var numberByLayout: [Int: Int64] = [:]
    /// What is selected of each tree's rows, by tree.
    var treeColumns: [[PlanColumn]] = []
    /// Metadata as last read from or written to the file.
    var savedMetadata = StoreMetadata()
    /// The connections of generations that are in use.
    let generations = Mutex(UnsafeTransfer<[WeakGeneration]>([]))
    /// Whether the file's changes go into a log.
    private(set) var hasLog = false
    /// Below so many bytes it is of no use to try to empty the log.
    let triedLogSize = Atomic<Int>(0)
    /// Writes the statements of the store's connections to the log; nil where that is off.
    private var observe: (@Sendable (Connection) -> Void)?
    /// Which file the store has open.
    private(set) var file: FileIdentity?
    /// Readers that hold a snapshot.
    let snapshots = Atomic<Int>(0)
    /// The store whose content this one takes when it is opened.
    private var source: SQLiteStore?
    /// Derived attributes that this store computes at the end of a save.
    var derivedPaths: [DerivedPath] = []
    /// Tells of changes of the file; nil unless the store's options ask for it.
    var watch: RemoteChangeWatch?
    /// The file as it is read where nothing may be made beside it.
    package var still: StillFile?
    /// Files of large values; nil in memory.
    private(set) var files: ExternalFiles?
    /// The connections of a store that is open.
    struct Connections {
        let writer: SQLiteWriter
        /// Nil where the store has one connection for all.
        let pool: ReaderPool?
    }

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

    package override var type: String { storeType }

    package override func failNextCommit() { writer?.failsNextCommit = true }

    package override class func metadataForPersistentStore(with url: URL) throws -> [String: Any] {
        try readMetadata(at: url)
    }
    package override class func setMetadata(_ metadata: [String: Any]?, forPersistentStoreAt url: URL) throws {
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
            try prepare(model, try isInMemory ? openInMemory(metadata) : openFile(metadata))
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
            guard !other.isInMemory, let target = other.url else { return }
            if let url, !isInMemory { try ExternalFiles.copyFolder(from: url, to: target) }
            try target.makeFolderOfStore()
            try requireWriter().read { try StoreFile.copy($0, to: target.path, replaces: false) }
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

    private func openInMemory(_ fresh: StoreMetadata) throws -> Connection {
        var metadata = fresh
        metadata.values[StoreMetadata.Key.storeType] = storeType
        if let name = url?.sharedMemoryName { return try openShared(name, metadata) }
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

    /// Opens the store in memory that all coordinators of the process share under a name; the first one makes it, and it is
    /// gone with the last.
    private func openShared(_ name: String, _ fresh: StoreMetadata) throws -> Connection {
        let connection = try Connection(path: name, mode: .sharedMemory, busyTimeout: busyTimeout)
        var metadata = fresh
        try connection.transaction(.exclusive) {
            if let source {
                try source.requireWriter().read { try StoreFile.copy($0, into: connection) }
                metadata = try StoreFile.readMetadata(connection)
            } else if try connection.rows("SELECT 1 FROM sqlite_master WHERE name = 'Z_METADATA'").isEmpty {
                try StoreFile.fill(connection, schema: schema, metadata: metadata)
            } else {
                metadata = try StoreFile.readMetadata(connection)
                try checkCompatibility(metadata, with: fresh)
            }
        }
        adopt(metadata)
        return connection
    }

    private func openFile(_ fresh: StoreMetadata) throws -> Connection {
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
        guard case .store(var metadata) = found else {
            throw CoreDataError.cannotOpen(url, reason: "it was removed", remedy: "Add it to the coordinator again.")
        }
        if try NSMigrationManager.migrateIfAsked(self, metadata, fresh) {
            found = StoreFile.inspect(path)
            if let error = found.error(path: path) { throw error }
            if case .store(let migrated) = found { metadata = migrated }
        }
        try checkCompatibility(metadata, with: fresh)
        still = try stillFile()
        let connection =
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
            if source?.isInMemory == true { try StoreFile.writeModelCache(freshModelCache(), connection) }
            try removeLeftoverFiles(connection)
            if StoreOptions.flag(options, NSSQLiteManualVacuumOption) == true { try connection.execute("VACUUM") }
            if StoreOptions.flag(options, NSSQLiteAnalyzeOption) == true { try connection.execute("ANALYZE") }
        }
        return connection
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

    private func prepare(_ model: CompiledModel, _ connection: Connection) throws {
        observe = SQLDebug.observer(of: isInMemory ? "in memory" : url?.lastPathComponent ?? "")
        file = FileIdentity(path)
        let writer = SQLiteWriter(self, connection)
        try prepareFunctions(connection)
        try writer.registerTriggerFunctions()
        try readNumbers(model, connection)
        try prepareHistory(writer)
        if !isReadOnly { writer.noteContent() }
        hasLog = try !isInMemory && connection.hasLog()
        let hasReaders = hasGenerations && !StoreOptions.locksExclusively(options)
        let pool = hasReaders ? ReaderPool(limit: StoreOptions.poolSize(options)) : nil
        opened.withLock { $0 = UnsafeTransfer(Connections(writer: writer, pool: pool)) }
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
        observe?(connection)
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
        let former = opened.withLock { opened in
            defer { opened = UnsafeTransfer(nil) }
            return opened.value
        }
        // A save at work wakes the watch; what observers of the watch do may need the writer.
        let watching = former?.writer.lock.withLock { () -> RemoteChangeWatch? in
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

    // MARK: Sessions

    /// Nil where the store is not open.
    var connections: Connections? { opened.withLock { $0.value } }

    /// The one that writes; nil where the store is not open.
    var writer: SQLiteWriter? { connections?.writer }

    /// The connections that read beside it; nil where there is one for all.
    var pool: ReaderPool? { connections?.pool }

    // MARK: Entities

    package func entityIndex(number: Int64) -> Int? { layoutByNumber[number] }
    func entityNumber(_ layout: ObjectLayout) -> Int64 { numberByLayout[layout.index] ?? 0 }

    func manyToMany(_ layout: ObjectLayout, _ slot: Int) -> ManyToMany? {
        guard case .manyToMany(let join) = schema.entities[layout.name]?.properties[layout.slots[slot].name] else {
            return nil
        }
        return join
    }

    /// Whether a to-many relationship has a table of its own.
    func hasJoinTable(_ layout: ObjectLayout, _ slot: Int) -> Bool { manyToMany(layout, slot) != nil }

    func hasOwnerColumn(_ layout: ObjectLayout, _ slot: Int) -> Bool { ownerColumn(layout, slot) != nil }

    func ownerColumn(_ layout: ObjectLayout, _ slot: Int) -> ToManyInverse? {
        guard case .toManyInverse(let inverse) = schema.entities[layout.name]?.properties[layout.slots[slot].name],
            inverse.inverse.isEmpty
        else { return nil }
        return inverse
    }

    // MARK: Errors

    /// Turns the driver's errors into Apple's.
    func mapErrors<R>(_ body: () throws -> R) throws -> R { try Self.mapErrors(url, body) }

    /// The same for a store that is not open.
    package static func mapErrors<R>(_ url: URL?, _ body: () throws -> R) throws -> R {
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
