// The base class of custom stores that are read and written as a whole. The subclass loads nodes and the framework
// keeps their values in an in-memory database. Every save updates the nodes and has the subclass write them all.
// Opening is in NSAtomicStore+Opening.swift, nodes and rows in NodeRows.swift, saves in NSAtomicStore+Saving.swift.
import Foundation
import GraphArchives
import GraphEngine
import GraphSQL
import GraphSQLite

/// A store that is loaded into memory and written as a whole.
///
/// A subclass implements `load()` and `save()`; the other methods have working defaults. See
/// [NSAtomicStore](https://developer.apple.com/documentation/coredata/nsatomicstore) and `Documentation/Stores.md`.
open class NSAtomicStore: NSPersistentStore {
    /// The database that holds the values between loading and saving.
    final private(set) var rows: SQLiteEngine?
    final var nodes: [NodeKey: NSAtomicStoreCacheNode] = [:]
    /// The current save's changes to the nodes.
    final var changes = NodeChanges()

    /// Set while the store is created to replace another: there is nothing to load.
    final var isNewInPlaceOfAnother = false

    /// Identifies a node by the inheritance tree and the primary key.
    struct NodeKey: Hashable {
        let tree: Int
        let primaryKey: Int64

        init(_ identifier: NSManagedObjectID) {
            tree = identifier.layout.tree.index
            primaryKey = identifier.key.primaryKey
        }
    }

    /// Creates a store; called by the coordinator.
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
        super.init(
            persistentStoreCoordinator: coordinator,
            configurationName: configurationName,
            at: url,
            options: options
        )
    }

    package final var engine: (any StoreEngine)? { rows }

    package override func failNextCommit() { rows?.writer?.failsNextCommit = true }

    /// Opens a transaction on the rows.
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

    /// Opens an empty in-memory database for the rows.
    final func openRows(_ model: CompiledModel) throws {
        var configuration = SQLiteConfiguration(.init(model, configurationName))
        configuration.isInMemory = true
        configuration.hasConstraints = false
        configuration.storeType = NSInMemoryStoreType
        configuration.observe = SQLDebug.observer(of: "in memory")
        let engine = SQLiteEngine(configuration, at: nil)
        engine.findHost = { [handle] in handle.object(as: NSAtomicStore.self) }
        engine.storeIndex = index
        rows = engine
        try mapErrors { try engine.open(model.stored) }
        try checkModel(model)
    }

    /// Throws if the store's format cannot hold the objects of the model.
    func checkModel(_ model: CompiledModel) throws {}

    override class func replace(at url: URL, withStoreAt source: URL, then release: () throws -> Void) throws {
        // Never replace a file with one that the class cannot read, nor one that is not a store of the class.
        try requireStore(at: source)
        if try FilePlacement.isFolder(url.path) == false, StoreFile.byteCount(url.path) > 0 {
            try requireStore(at: url)
        }
        let content = try Data(contentsOf: source)
        try release()
        if !source.isSamePlace(as: url) { try FileReplacement.write(content, to: url.path) }
    }

    override class func destroy(
        at url: URL,
        options: [AnyHashable: Any]?,
        then release: () throws -> Void
    ) throws {
        guard try url.fileIsThere() else { return try release() }
        let isForced = StoreOptions.flag(options, NSPersistentStoreForceDestroyOption) == true
        if !isForced { try requireStore(at: url) }
        try FileManager.default.removeItem(at: url)
        try release()
    }

    /// Throws for a file that is not a store of the class, unless the class reads the metadata of open stores only.
    private class func requireStore(at url: URL) throws {
        do {
            _ = try metadataForPersistentStore(with: url)
        } catch let error as NSError where error.isNotOverridden {
            // As in loadMetadata().
        }
    }

    /// Has the next save write the store at another location; returns false if that cannot be examined.
    func relocate(to url: URL) -> Bool {
        self.url = url
        return true
    }

    /// Called when the store is open; single-file stores write their file if it is new.
    func writeNewFile() throws {}

    // MARK: Methods that subclasses implement

    /// Reads everything and adds a node for each object; called once, when the store is added.
    ///
    /// A store that does not exist yet adds no nodes. Create each node with an identifier from
    /// `objectID(for:withReferenceObject:)` and pass the nodes to `addCacheNodes(_:)`.
    ///
    /// - Throws: An error if the store cannot be read; the store is then not added.
    open func load() throws {
        throw CoreDataError.notOverridden("load()", of: self)
    }

    /// Writes everything; called by each save after the nodes are updated.
    ///
    /// - Throws: An error if the store cannot be written; the save then fails, and the nodes are restored.
    open func save() throws {
        throw CoreDataError.notOverridden("save()", of: self)
    }

    /// Creates a node for a new object, with its permanent identifier.
    ///
    /// `updateCacheNode(_:from:)` is called after all new objects have nodes.
    ///
    /// - Parameter managedObject: The new object.
    /// - Returns: The node, which the framework adds to the store.
    open func newCacheNode(for managedObject: NSManagedObject) -> NSAtomicStoreCacheNode {
        NSAtomicStoreCacheNode(objectID: managedObject.objectID)
    }

    /// Copies an object's values to its node; called by a save for each new and each changed object.
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

    /// Creates a reference for an object that is about to be saved.
    ///
    /// The reference must be unique in the entity's tree and stay the same whenever the store is opened.
    ///
    /// - Parameter managedObject: The object.
    /// - Returns: A string, a number or another comparable object; by default a UUID string.
    open func newReferenceObject(for managedObject: NSManagedObject) -> Any {
        UUID().uuidString
    }

    /// Loads the metadata of an existing store, or creates those of a new one.
    ///
    /// Calls `metadataForPersistentStore(with:)` if the file exists and no metadata are set.
    ///
    /// - Throws: The error of that method.
    open override func loadMetadata() throws {
        var values = metadata ?? [:]
        if values[NSStoreUUIDKey] == nil, let url, try url.fileIsThere() {
            do {
                values = try Swift.type(of: self).metadataForPersistentStore(with: url)
            } catch let error as NSError where error.isNotOverridden {
                // The class reads its metadata in load().
            }
        }
        metadata = values
    }

    // MARK: Nodes

    /// All nodes.
    ///
    /// - Returns: The nodes. O(n).
    open func cacheNodes() -> Set<NSAtomicStoreCacheNode> { Set(nodes.values) }

    /// Adds nodes, replacing existing nodes of the same objects.
    ///
    /// - Parameter cacheNodes: The nodes.
    open func addCacheNodes(_ cacheNodes: Set<NSAtomicStoreCacheNode>) {
        for node in cacheNodes { nodes[NodeKey(node.objectID)] = node }
    }

    /// Returns the node of an object.
    ///
    /// - Parameter objectID: The object's identifier.
    /// - Returns: The node, or nil. O(1).
    open func cacheNode(for objectID: NSManagedObjectID) -> NSAtomicStoreCacheNode? {
        nodes[NodeKey(objectID)]
    }

    /// Returns the identifier of the object with a reference.
    ///
    /// - Parameters:
    ///   - entity: The object's entity.
    ///   - data: The reference, as `newReferenceObject(for:)` returned it.
    /// - Returns: The identifier; always the same for the same reference.
    open func objectID(for entity: NSEntityDescription, withReferenceObject data: Any) -> NSManagedObjectID {
        identifier(of: entity, reference: data)
    }

    /// Returns the reference of an object.
    ///
    /// - Parameter objectID: The object's identifier.
    /// - Returns: The reference.
    open func referenceObject(for objectID: NSManagedObjectID) -> Any {
        reference(of: objectID)
    }
}

extension NSPersistentStore {
    /// Returns the identifier of the object with a reference, for stores that assign their own references.
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

    /// The error for a required method that a subclass does not override: 134060.
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
    /// Whether a method failed only because the subclass does not override it.
    var isNotOverridden: Bool { userInfo["ManagedGraphNotOverridden"] != nil }
}
