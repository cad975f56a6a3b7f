// The coordinator-facing side of a SQLite store: options, metadata and its place in a coordinator. An engine
// (GraphSQLite/Engine) keeps the rows. Created by the coordinator for the types "SQLite" and "InMemory".
import Foundation
import GraphEngine
import GraphModel
import GraphSQL
import GraphSQLite

/// A SQLite store, on disk or in memory.
package final class SQLiteStore: NSPersistentStore, EngineStore {
    package let isInMemory: Bool
    let storeType: String
    /// Created when the store is first opened, and reused when the store is closed and reopened.
    private(set) var sqlite: SQLiteEngine?
    /// Records statements while the coordinator's activity is observed.
    private(set) lazy var monitor = makeMonitor()

    private init(
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
    package var engine: (any StoreEngine)? { sqlite }
    package var capabilities: (any StoreEngine)? { sqlite }
    override var engineStore: (any EngineStore)? { self }

    package override func failNextCommit() { sqlite?.writer?.failsNextCommit = true }

    override class var place: Place? { .fileOrMemory }

    override class func make(_ addition: Addition) -> NSPersistentStore {
        SQLiteStore(
            persistentStoreCoordinator: addition.coordinator,
            configurationName: addition.configurationName,
            at: addition.url,
            options: addition.options,
            isInMemory: addition.type == NSInMemoryStoreType || addition.url.isDevNull,
            type: addition.type
        )
    }

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
            busyTimeout: StoreOptions.busyTimeout(options),
            then: release
        )
    }

    // MARK: Opening

    package func open(_ model: CompiledModel) throws {
        try observed(.opening) { try mapErrors { try engine(for: model).open(model.stored) } }
    }

    /// Opens the store and fills it with another store's content.
    func open(_ model: CompiledModel, filledFrom source: SQLiteEngine) throws {
        try observed(.opening) { try mapErrors { try engine(for: model).open(model.stored, filledFrom: source) } }
    }

    /// Copies another engine's rows to this store's location before this store is opened.
    func takeCopy(of source: SQLiteEngine, _ model: CompiledModel) throws {
        try mapErrors {
            if !isInMemory { try url?.makeFolderOfStore() }
            try observed(.opening) { try source.copy(to: engine(for: model)) }
        }
    }

    /// Reopens the store at `place`; returns false and reopens the previous place if there is no such store.
    func reopen(at place: URL, _ model: CompiledModel) -> Bool {
        let former = url
        close()
        for candidate in [place, former] {
            url = candidate
            sqlite?.move(to: candidate)
            if (try? open(model)) != nil { return candidate == place }
        }
        return false
    }

    private func engine(for model: CompiledModel) -> SQLiteEngine {
        if let sqlite { return sqlite }
        let newEngine = SQLiteEngine(configuration(model), at: url)
        newEngine.findHost = { [handle] in handle.object(as: SQLiteStore.self) }
        newEngine.storeIndex = index
        sqlite = newEngine
        return newEngine
    }

    /// Builds the engine's configuration from the store's options.
    private func configuration(_ model: CompiledModel) -> SQLiteConfiguration {
        var result = SQLiteConfiguration(.init(model, configurationName))
        result.isInMemory = isInMemory
        result.sharedName = isInMemory ? url?.sharedMemoryName : nil
        result.isReadOnly = isReadOnly
        result.permissions = StoreOptions.permissions(options)
        result.storeType = storeType
        result.busyTimeout = StoreOptions.busyTimeout(options)
        result.pragmas = StoreOptions.pragmas(options)
        result.readerPragmas = StoreOptions.readerPragmas(options)
        result.readers = StoreOptions.poolSize(options)
        result.locksExclusively = StoreOptions.locksExclusively(options)
        result.vacuums = StoreOptions.flag(options, NSSQLiteManualVacuumOption) == true
        result.analyzes = StoreOptions.flag(options, NSSQLiteAnalyzeOption) == true
        result.givenStill = options?[StoreOptions.snapshotFile] as? ImmutableSnapshotFile
        result.monitor = monitor
        result.observe = SQLDebug.observer(of: isInMemory ? "in memory" : url?.lastPathComponent ?? "")
        // A SQLite store at /dev/null has features that in-memory stores lack.
        if !isInMemory || storeType == NSSQLiteStoreType {
            result.tracksHistory = StoreOptions.flag(options, NSPersistentHistoryTrackingKey)
            result.watchesChanges =
                StoreOptions.flag(options, NSPersistentStoreRemoteChangeNotificationPostOptionKey) == true
        }
        return result
    }
}
