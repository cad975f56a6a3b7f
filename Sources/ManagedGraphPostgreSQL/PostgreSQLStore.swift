// The coordinator-facing side of a PostgreSQL store: address, options, metadata. An engine (GraphPostgreSQL/Engine) keeps
// the rows. Created by the coordinator for the type "PostgreSQL".
import Foundation
import GraphEngine
import GraphPostgreSQL
import GraphSQL
import ManagedGraph

/// A store in a schema of a PostgreSQL database.
final class PostgreSQLStore: NSPersistentStore, MigratableDatabaseStore {
    /// Created when the store is first opened.
    private var postgreSQL: PostgreSQLEngine?
    /// Records statements while the coordinator's activity is observed.
    private lazy var monitor = makeMonitor()

    override var type: String { NSPostgreSQLStoreType }
    var engine: (any StoreEngine)? { postgreSQL }
    var capabilities: (any StoreEngine)? { postgreSQL }

    func open(_ model: CompiledModel) throws {
        try observed(.opening, monitor) {
            try CoreDataError.mapping(url) { try engine(for: model).open(model.stored) }
        }
    }

    func create(_ model: CompiledModel, identifier: String, userMetadata: [String: Any]) throws {
        try CoreDataError.mapping(url) {
            try engine(for: model).create(model.stored, identifier: identifier, userMetadata: userMetadata)
        }
    }

    func discard() {
        close()
        do {
            try PostgreSQLEngine.destroy(
                at: try Self.address(url),
                removesSchema: postgreSQL?.hasMadeSchema == true
            )
        } catch {
            log(.error, "The tables of a store that could not be filled are left at \(url?.host ?? ""): \(error)")
        }
    }

    private func engine(for model: CompiledModel) throws -> PostgreSQLEngine {
        if let postgreSQL { return postgreSQL }
        let contract = StoreContract(model, configurationName)
        var address = try profiled(try Self.address(url))
        let usesViews = try Self.usesViews(address)
        if usesViews {
            address = try EngineError.mappingPostgreSQL {
                try SideBySide.address(address, for: contract.metadata.versionHashes)
            }
        }
        var result = PostgreSQLConfiguration(address, contract)
        result.isReadOnly = isReadOnly
        result.watchesChanges = flag(NSPersistentStoreRemoteChangeNotificationPostOptionKey) == true
        result.copiesRows = !usesViews
        result.snapshot = options?[StoreOptions.exportedSnapshot] as? String
        result.monitor = monitor
        result.observe = SQLDebug.eventObserver(of: url?.lastPathComponent ?? "")
        let engine = PostgreSQLEngine(result)
        engine.findHost = { [handle] in handle.object(as: PostgreSQLStore.self) }
        engine.storeIndex = index
        postgreSQL = engine
        return engine
    }

    /// The address with the profile of the store's options.
    private func profiled(_ address: DatabaseAddress) throws -> DatabaseAddress {
        guard let value = options?[NSPostgreSQLProfileOption] else { return address }
        let profile = (value as? PostgreSQLProfile) ?? PostgreSQLProfile(rawValue: "\(value)")
        guard let profile = profile.flatMap({ StoreProfile(rawValue: $0.rawValue) }),
            address.profile == nil || address.profile == profile
        else {
            throw EngineError(
                .cannotOpen,
                "the option NSPostgreSQLProfileOption is \(value)"
                    + (address.profile.map { ", and the address has profile=\($0.rawValue)" } ?? ""),
                remedy: "Use the same PostgreSQLProfile in both, or leave one out."
            )
        }
        return address.withProfile(profile)
    }

    /// Whether the program's version may be a second one beside that of the store.
    private static func usesViews(_ address: DatabaseAddress) throws -> Bool {
        guard let value = address.parameters["versions"] else { return false }
        guard value == "views" else {
            throw EngineError(
                .cannotOpen,
                "the address has versions=\(value)",
                remedy: "Write versions=views, or leave it out."
            )
        }
        return true
    }

    /// The address in a URL.
    static func address(_ url: URL?) throws -> DatabaseAddress {
        try EngineError.mappingPostgreSQL { try DatabaseAddress(url?.absoluteString ?? "") }
    }

    // MARK: Stores that are not open

    override class func metadataForPersistentStore(with url: URL) throws -> [String: Any] {
        try CoreDataError.mapping(url) {
            guard let metadata = try PostgreSQLEngine.metadata(at: try address(url)) else {
                throw EngineError(
                    .missing,
                    "there is no store in the schema of the address",
                    remedy: "Check schema= in the address."
                )
            }
            var values = metadata.values
            values[NSStoreTypeKey] = NSPostgreSQLStoreType
            values[NSStoreUUIDKey] = metadata.uuid
            return values
        }
    }

    override class func setMetadata(_ metadata: [String: Any]?, forPersistentStoreAt url: URL) throws {
        try CoreDataError.mapping(url) { try PostgreSQLEngine.setMetadata(metadata ?? [:], at: try address(url)) }
    }

    static func modelCache(at url: URL) throws -> Data? {
        try CoreDataError.mapping(url) { try PostgreSQLEngine.state(at: try address(url))?.model }
    }

    static func catalog(at url: URL) throws -> DatabaseCatalog {
        try CoreDataError.mapping(url) { try PostgreSQLEngine.catalog(at: try address(url)) }
    }

    static var migrator: any DatabaseMigrator { PostgreSQLMigrator() }

    static func destroyStore(at url: URL, then release: () throws -> Void) throws {
        let address = try CoreDataError.mapping(url) { try Self.address(url) }
        try release()
        try CoreDataError.mapping(url) { try PostgreSQLEngine.destroy(at: address) }
    }
}

extension PostgreSQLStore: PostgreSQLHost {
    func admit(_ metadata: StoreMetadata) throws -> Bool {
        guard let contract = postgreSQL?.configuration.contract else { return false }
        return try observed(.migration, monitor) {
            try NSMigrationManager.migrateIfAsked(
                self,
                metadata,
                contract,
                database: PostgreSQLMigrator(monitor: monitor, observe: postgreSQL?.configuration.observe)
            )
        }
    }

    func check(_ metadata: StoreMetadata) throws {
        guard let contractMetadata = postgreSQL?.configuration.contract.metadata else { return }
        try checkVersion(of: metadata, against: contractMetadata)
    }

    func adopt(_ metadata: StoreMetadata) { take(metadata, type: NSPostgreSQLStoreType) }

    func keepChangedMetadata() { markMetadataAsChanged() }

    func storeDidChange(_ transaction: Int64?) { postRemoteChange(transaction) }
}
