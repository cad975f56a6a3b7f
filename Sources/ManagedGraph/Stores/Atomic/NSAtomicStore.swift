// Stores that are read and written as a whole, for programs to subclass: the class loads nodes, the framework keeps their
// values in a database in memory, and every save brings the nodes up to date and asks the class to write them all.
// Opening is here; nodes and rows are in NodeRows.swift, saves in NSAtomicStore+Saving.swift.
import Foundation
import GraphArchives
import GraphEngine
import GraphSQLite

/// A store that is loaded into memory and written as a whole.
///
/// A subclass implements `load()` and `save()`; the other methods have working defaults. See
/// [NSAtomicStore](https://developer.apple.com/documentation/coredata/nsatomicstore) and `Documentation/Stores.md`.
open class NSAtomicStore: NSPersistentStore {
    /// Where the values stand between loading and saving.
    final private(set) var rows: SQLiteEngine?
    final var nodes: [NodeKey: NSAtomicStoreCacheNode] = [:]
    /// What the save at work has done to the nodes.
    final var changes = NodeChanges()

    /// Set while the store is made in the place of another: there is nothing to load then.
    final var isNewInPlaceOfAnother = false

    /// Where a node stands: the inheritance tree and the primary key.
    struct NodeKey: Hashable {
        let tree: Int
        let primaryKey: Int64

        init(_ identifier: NSManagedObjectID) {
            tree = identifier.layout.tree.index
            primaryKey = identifier.key.primaryKey
        }
    }

    /// Makes a store; called by the coordinator.
    ///
    /// - Parameters:
    ///   - coordinator: The coordinator.
    ///   - configurationName: The model's configuration, or nil.
    ///   - url: Where the store is.
    ///   - options: The options, by Apple's keys.
    public required init(
        persistentStoreCoordinator coordinator: NSPersistentStoreCoordinator?,
        configurationName: String?,
        at url: URL,
        options: [AnyHashable: Any]? = nil
    ) {
        super.init(
            persistentStoreCoordinator: coordinator,
            configurationName: configurationName,
            at: url,
            options: options
        )
    }

    package final var engine: (any StoreEngine)? { rows }

    package override func failNextCommit() { rows?.writer?.failsNextCommit = true }

    /// Opens a transaction of the rows.
    final func beginRows(_ origin: SaveOrigin) throws -> SQLiteWriter {
        try mapErrors {
            guard let rows else {
                throw EngineError(.closed, "it was removed", remedy: "Add it to the coordinator again.")
            }
            let writer = try rows.requireWriter()
            try writer.begin(origin)
            return writer
        }
    }

    /// Opens an empty database in memory for the rows.
    final func openRows(_ model: CompiledModel) throws {
        var configuration = SQLiteConfiguration(.init(model, configurationName))
        configuration.isInMemory = true
        configuration.hasConstraints = false
        configuration.storeType = NSInMemoryStoreType
        configuration.observe = SQLDebug.observer(of: "in memory")
        let made = SQLiteEngine(configuration, at: nil)
        made.host = self
        made.storeIndex = index
        rows = made
        try mapErrors { try made.open(model.stored) }
    }

    override class func replace(at url: URL, withStoreAt source: URL, then release: () throws -> Void) throws {
        // A file that the class cannot read takes no other's place.
        _ = try metadataForPersistentStore(with: source)
        let content = try Data(contentsOf: source)
        try release()
        if !source.isSamePlace(as: url) { try FileReplacement.write(content, to: url.path) }
    }

    override class func destroy(
        at url: URL,
        options: [AnyHashable: Any]?,
        then release: () throws -> Void
    ) throws {
        guard FileManager.default.fileExists(atPath: url.path) else { return try release() }
        let isForced = StoreOptions.flag(options, NSPersistentStoreForceDestroyOption) == true
        if !isForced { _ = try metadataForPersistentStore(with: url) }
        try FileManager.default.removeItem(at: url)
        try release()
    }

    /// Called when the store is open; stores of one file write theirs if it is new.
    func writeNewFile() throws {}

    // MARK: What subclasses implement

    /// Reads everything and adds a node for each object; called once, when the store is added.
    ///
    /// A store that does not exist yet adds none. Nodes come from `objectID(for:withReferenceObject:)` and go to
    /// `addCacheNodes(_:)`.
    ///
    /// - Throws: Why the store cannot be read; it is not added then.
    open func load() throws {
        throw CoreDataError.notOverridden("load()", of: self)
    }

    /// Writes everything; called by each save when the nodes are up to date.
    ///
    /// - Throws: Why the store cannot be written; the save fails then, and the nodes are as they were.
    open func save() throws {
        throw CoreDataError.notOverridden("save()", of: self)
    }

    /// A node for a new object, with its permanent identifier.
    ///
    /// `updateCacheNode(_:from:)` follows when all new objects have nodes.
    ///
    /// - Parameter managedObject: The new object.
    /// - Returns: The node; the framework adds it.
    open func newCacheNode(for managedObject: NSManagedObject) -> NSAtomicStoreCacheNode {
        NSAtomicStoreCacheNode(objectID: managedObject.objectID)
    }

    /// Gives a node the values of its object; called by a save for each new and each changed object.
    ///
    /// - Parameters:
    ///   - node: The object's node.
    ///   - managedObject: The object.
    open func updateCacheNode(_ node: NSAtomicStoreCacheNode, from managedObject: NSManagedObject) {
        copyValues(of: managedObject, to: node)
    }

    /// Called by a save before the nodes of deleted objects are removed.
    ///
    /// - Parameter cacheNodes: The nodes.
    open func willRemoveCacheNodes(_ cacheNodes: Set<NSAtomicStoreCacheNode>) {}

    /// A new reference for an object that is about to be saved.
    ///
    /// It is to be unique in the entity's tree, and the same whenever the store is opened.
    ///
    /// - Parameter managedObject: The object.
    /// - Returns: A text, a number or another object that can be compared; a UUID as text unless overridden.
    open func newReferenceObject(for managedObject: NSManagedObject) -> Any {
        UUID().uuidString
    }

    /// Takes the metadata from where the store is, or makes those of a new one.
    ///
    /// Calls `metadataForPersistentStore(with:)` where there is a file and no metadata were set yet.
    ///
    /// - Throws: What that method throws.
    open override func loadMetadata() throws {
        var found = metadata ?? [:]
        if found[NSStoreUUIDKey] == nil, let url, FileManager.default.fileExists(atPath: url.path) {
            do {
                found = try Swift.type(of: self).metadataForPersistentStore(with: url)
            } catch let error as NSError where error.isNotOverridden {
                // The class reads what it knows of the store in load().
            }
        }
        metadata = found
    }

    // MARK: Nodes

    /// All nodes.
    ///
    /// - Returns: The nodes. O(n).
    open func cacheNodes() -> Set<NSAtomicStoreCacheNode> { Set(nodes.values) }

    /// Adds nodes; those of the same objects are replaced.
    ///
    /// - Parameter cacheNodes: The nodes.
    open func addCacheNodes(_ cacheNodes: Set<NSAtomicStoreCacheNode>) {
        for node in cacheNodes { nodes[NodeKey(node.objectID)] = node }
    }

    /// The node of an object.
    ///
    /// - Parameter objectID: The object's identifier.
    /// - Returns: The node, or nil. O(1).
    open func cacheNode(for objectID: NSManagedObjectID) -> NSAtomicStoreCacheNode? {
        nodes[NodeKey(objectID)]
    }

    /// The identifier of the object with a reference.
    ///
    /// - Parameters:
    ///   - entity: The object's entity.
    ///   - data: The reference, as `newReferenceObject(for:)` gave it.
    /// - Returns: The identifier; the same for the same reference.
    open func objectID(for entity: NSEntityDescription, withReferenceObject data: Any) -> NSManagedObjectID {
        identifier(of: entity, reference: data)
    }

    /// The reference of an object.
    ///
    /// - Parameter objectID: The object's identifier.
    /// - Returns: The reference.
    open func referenceObject(for objectID: NSManagedObjectID) -> Any {
        reference(of: objectID)
    }
}

extension NSPersistentStore {
    /// The identifier of the object with a reference, for stores that name their objects.
    final func identifier(of entity: NSEntityDescription, reference: Any) -> NSManagedObjectID {
        let layout = ObjectLayout.of(entity)
        let key = ObjectKey(
            entity: Int32(truncatingIfNeeded: layout.index),
            store: index,
            primaryKey: namedReferences.key(reference, tree: layout.tree.rootName, entity: layout.name)
        )
        return NSManagedObjectID(layout: layout, key: key, store: self)
    }

    final func reference(of objectID: NSManagedObjectID) -> Any {
        namedReferences.reference(objectID.key.primaryKey, tree: objectID.layout.tree.rootName)
            ?? objectID.key.primaryKey
    }

    private var namedReferences: ReferenceMap {
        if let references { return references }
        let map = ReferenceMap.shared(identifier ?? "")
        references = map
        return map
    }
}

extension CoreDataError {
    private static let notOverriddenKey = "ManagedGraphNotOverridden"

    /// A method that a subclass has to implement was not: 134060.
    static func notOverridden(_ method: String, of type: Any) -> NSError {
        make(
            NSCoreDataError,
            "\(Swift.type(of: type)) does not implement \(method).",
            remedy: "Override \(method) in the class of the store.",
            userInfo: [notOverriddenKey: true]
        )
    }
}

extension NSError {
    /// Whether a method failed only because nobody has written it.
    var isNotOverridden: Bool { userInfo["ManagedGraphNotOverridden"] != nil }
}
