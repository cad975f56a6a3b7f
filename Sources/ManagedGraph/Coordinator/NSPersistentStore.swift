// The public class of a store: its location, name and metadata. Made by the coordinator only.
import Foundation
import GraphEngine
import Synchronization

/// A persistent store of a coordinator.
///
/// See [NSPersistentStore](https://developer.apple.com/documentation/coredata/nspersistentstore).
open class NSPersistentStore: NSObject {
    /// A kind of store.
    public struct StoreType: Hashable, Sendable, RawRepresentable {
        /// The type's text, as in the metadata of stores.
        public let rawValue: String

        /// Makes a type from its text.
        ///
        /// - Parameter rawValue: The type's text.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A SQLite database.
        public static let sqlite = StoreType(rawValue: NSSQLiteStoreType)
        /// A file in Apple's XML format, read and written as a whole.
        public static let xml = StoreType(rawValue: NSXMLStoreType)
        /// A file in Apple's binary format, read and written as a whole.
        public static let binary = StoreType(rawValue: NSBinaryStoreType)
        /// Objects in memory only.
        public static let inMemory = StoreType(rawValue: NSInMemoryStoreType)
    }

    /// The coordinator the store belongs to; nil once it was removed.
    public final var persistentStoreCoordinator: NSPersistentStoreCoordinator? {
        hasLeft.load(ordering: .acquiring) ? nil : owner?.object(as: NSPersistentStoreCoordinator.self)
    }
    /// The coordinator that the store was made for.
    private let owner: Handle?
    private let hasLeft = Atomic<Bool>(false)
    /// Finds this store.
    package final let handle = Handle()
    /// The model's configuration the store holds the entities of; nil for all.
    public final let configurationName: String
    /// The options the store was added with.
    public final let options: [AnyHashable: Any]?
    /// The location of the store.
    open var url: URL?
    /// The store's UUID, the same at every opening.
    open var identifier: String! = ""
    /// Whether the store refuses to be written.
    open var isReadOnly = false
    /// The metadata of the store: type, UUID, version hashes, and entries of users.
    open var metadata: [String: Any]! = [:] { didSet { hasMetadataChanges = true } }
    /// The store's place in its coordinator.
    @exclusivity(unchecked) package final var index: Int32 = -1 {
        didSet { engineStore?.engine?.storeIndex = index }
    }
    /// This store, if it keeps its rows in an engine.
    ///
    /// A kind of store that always does overrides it: the first cast to a protocol searches all conformances of the
    /// process.
    var engineStore: (any EngineStore)? { self as? any EngineStore }
    /// Whether the metadata were set since they were last read or written.
    final var hasMetadataChanges = false
    /// Counts the times that the metadata were set through the coordinator.
    final var metadataSets = 0
    /// Guards the metadata and whether they are to be written.
    final let metadataLock = NSRecursiveLock()
    /// The store's references to its objects, if it chooses them itself.
    final var references: ReferenceMap?
    /// The link that identifiers of this store's objects hold; made once the store's identifier is known.
    final private(set) lazy var link = StoreLink(self)

    /// Whether the store was made for a coordinator, which may have removed or moved it since.
    final func wasMade(for coordinator: NSPersistentStoreCoordinator) -> Bool {
        owner?.object(as: NSPersistentStoreCoordinator.self) === coordinator
    }

    /// Makes the link, with its owner, before other threads find the store, as two of them could make one each.
    final func makeLink(to coordinator: NSPersistentStoreCoordinator) { link.setOwner(coordinator) }

    /// Takes note that the coordinator has removed the store.
    final func leaveCoordinator() {
        link.setOwner(nil)
        hasLeft.store(true, ordering: .releasing)
    }

    /// Identifiers that are made from now on show the store's new references.
    final func renewLink() { link = StoreLink(self) }

    /// Makes a store; called by the coordinator.
    ///
    /// - Parameters:
    ///   - coordinator: The coordinator.
    ///   - configurationName: The model's configuration, or nil.
    ///   - url: The location of the store.
    ///   - options: The options, by Apple's keys.
    public required init(
        persistentStoreCoordinator coordinator: NSPersistentStoreCoordinator?,
        configurationName: String?,
        at url: URL,
        options: [AnyHashable: Any]? = nil
    ) {
        owner = coordinator?.handle
        self.configurationName = configurationName ?? "PF_DEFAULT_CONFIGURATION_NAME"
        self.url = url
        self.options = options
        isReadOnly = StoreOptions.flag(options, NSReadOnlyPersistentStoreOption) ?? false
        super.init()
        handle.set(self)
    }

    deinit { handle.clear() }

    /// The locations of stores of the framework's classes.
    enum Place { case file, fileOrMemory }

    /// The locations of stores of this class; nil for a program's own class, which decides itself.
    class var place: Place? { nil }

    /// A store as it is described when it is added to a coordinator.
    struct Addition {
        let type: String
        let coordinator: NSPersistentStoreCoordinator
        let configurationName: String?
        let url: URL
        let options: [AnyHashable: Any]?
    }

    /// Makes a store of a type that the class is registered for; it is not open yet.
    class func make(_ addition: Addition) -> NSPersistentStore {
        self.init(
            persistentStoreCoordinator: addition.coordinator,
            configurationName: addition.configurationName,
            at: addition.url,
            options: addition.options
        )
    }

    /// Whether the coordinator has removed the store because it was replaced or destroyed.
    final var wasDestroyed = false

    /// Puts a copy of a store of this kind in the place of another.
    ///
    /// - Parameters:
    ///   - url: The place of the copy.
    ///   - source: The store to copy.
    ///   - release: Closes the coordinator's own stores at the place; called before it is written.
    /// - Throws: The reason why the copy cannot be made, and the errors of `release`.
    class func replace(at url: URL, withStoreAt source: URL, then release: () throws -> Void) throws {
        throw CoreDataError.make(
            NSCoreDataError,
            "A store of the class \(self) cannot be replaced by a copy of another.",
            remedy: "Copy its files while no coordinator has the store open."
        )
    }

    /// Removes or empties the files of a store of this kind.
    ///
    /// - Parameters:
    ///   - url: The store.
    ///   - options: `NSPersistentStoreForceDestroyOption` removes the files regardless of their content.
    ///   - release: Closes the coordinator's own stores at the place; called once the store is sure to be destroyed.
    /// - Throws: The reason why the store cannot be destroyed, and the errors of `release`.
    class func destroy(at url: URL, options: [AnyHashable: Any]?, then release: () throws -> Void) throws {
        if let databaseClass = self as? any DatabaseStore.Type {
            return try databaseClass.destroyStore(at: url, then: release)
        }
        throw CoreDataError.make(
            NSPersistentStoreOperationError,
            "\(Self.self) cannot list the rows to remove.",
            remedy: "Remove the store's content by the means of its class."
        )
    }

    /// Makes the next commit fail, for tests of saves over several stores.
    package func failNextCommit() {
        (engineStore?.engine as? any CommitFailingEngine)?.failsNextCommit = true
    }

    /// The kind of store, as text: by default the type that the store was added as.
    open var type: String { addedType }
    /// The type that the store was added as; empty until it is added.
    final var addedType = ""

    /// Reads the metadata at the store's location; called by the coordinator before anything else is read.
    ///
    /// - Throws: Why they cannot be read.
    open func loadMetadata() throws {}

    /// The metadata of a store that is not open; for subclasses to override.
    ///
    /// - Parameter url: The location of the store.
    /// - Returns: Values by key, `NSStoreTypeKey` and `NSStoreUUIDKey` among them.
    /// - Throws: 134060 if the class does not override it.
    open class func metadataForPersistentStore(with url: URL) throws -> [String: Any] {
        throw CoreDataError.notOverridden("metadataForPersistentStore(with:)", of: self)
    }

    /// Replaces the metadata of a store that is not open; for subclasses to override.
    ///
    /// - Parameters:
    ///   - metadata: The new values.
    ///   - url: The location of the store.
    /// - Throws: 134060 if the class does not override it.
    open class func setMetadata(_ metadata: [String: Any]?, forPersistentStoreAt url: URL) throws {
        throw CoreDataError.notOverridden("setMetadata(_:forPersistentStoreAt:)", of: self)
    }

    /// The class that migrates stores of this kind.
    ///
    /// - Returns: `NSMigrationManager`, unless overridden.
    open class func migrationManagerClass() -> AnyClass { NSMigrationManager.self }

    /// Called after the store was added.
    ///
    /// - Parameter coordinator: The coordinator.
    open func didAdd(to coordinator: NSPersistentStoreCoordinator) {}

    /// Called before the store is removed.
    ///
    /// - Parameter coordinator: The coordinator.
    open func willRemove(from coordinator: NSPersistentStoreCoordinator?) {}
}

extension NSPersistentStore {
    /// The count of sets now.
    final var currentMetadataSets: Int { metadataLock.withLock { metadataSets } }

    /// Takes note that the metadata were written when the count was `sets`; those that were set since are to be written.
    final func noteMetadataWritten(_ sets: Int) {
        metadataLock.withLock { hasMetadataChanges = metadataSets != sets }
    }

    /// Metadata that were set since they were last written; the caller that takes them writes them.
    package final func takeChangedMetadata() -> [String: Any]? {
        metadataLock.withLock {
            guard hasMetadataChanges else { return nil }
            hasMetadataChanges = false
            return metadata ?? [:]
        }
    }
}
