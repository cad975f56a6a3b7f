// The mediator between contexts and stores: it holds the model and the list of stores. Contexts find their stores here,
// and then read and write through sessions of the stores, without the coordinator. This file has the list of stores and
// the overridable methods; their implementations are in NSPersistentStoreCoordinator+Job.swift.
import Foundation
import GraphEngine
import Synchronization

/// The owner of the persistent stores that share a model.
///
/// May be used from any thread. See
/// [NSPersistentStoreCoordinator](https://developer.apple.com/documentation/coredata/nspersistentstorecoordinator).
open class NSPersistentStoreCoordinator: NSObject, @unchecked Sendable {
    /// The model; it cannot be edited any more.
    public final let managedObjectModel: NSManagedObjectModel
    /// A name for messages.
    open var name: String?
    package final let compiledModel: CompiledModel
    private struct StoreList {
        /// The stores by the index that identifiers refer to; nil for removed ones.
        var stores: [(any RowStore)?] = [] {
            didSet {
                holding = []
                version += 1
            }
        }
        /// The stores that hold an entity, by the index of its layout; nil if they have not been looked up since the
        /// list changed.
        var holding: ContiguousArray<[any RowStore]?> = []
        /// Counts the changes of the list.
        var version = 0
    }

    /// Finds this coordinator without keeping it alive.
    final let handle = Handle()
    /// Guards the list of stores.
    private let stores = Mutex(UnsafeTransfer(StoreList()))
    /// The links of removed stores by their index, for the identifiers of objects that are still held.
    private let removedLinks = Mutex<[Int32: StoreLink]>([:])
    /// Lets one store at a time be added, moved or removed.
    private let changes = NSRecursiveLock()
    /// Entered by writes, and closed while a store is moved.
    final let writeGate = WriteGate()
    /// Lets one block of `perform` run at a time.
    private let blocks = NSRecursiveLock()
    private let queue = DispatchQueue(label: "ManagedGraph.coordinator")
    /// Permanent keys of objects that child contexts refer to by temporary ones.
    final let promotedKeys = PromotedKeys()
    /// The rows that saves have changed.
    final let savedRows = SavedRows()
    /// Contexts that are notified of saves.
    final let listeners = ContextList()
    /// The contexts that read from this coordinator.
    final let attached = AttachedContexts()
    /// The observers of the activity of contexts and stores.
    final let activity = ActivityCenter()
    /// On once there is an incremental store, which is notified of the objects that contexts register.
    final let recordsRegistrations = ObservationSwitch()

    /// Makes a coordinator without stores.
    ///
    /// - Parameter model: The model; it cannot be edited afterwards.
    public required init(managedObjectModel model: NSManagedObjectModel) {
        managedObjectModel = model
        compiledModel = CompiledModel.of(model)
        compiledModel.noteClasses()
        super.init()
        handle.set(self)
    }

    /// Makes a coordinator of a model without entities, for work on the files of stores.
    public convenience override init() {
        self.init(managedObjectModel: NSManagedObjectModel())
    }

    deinit {
        handle.clear()
        for store in allStores {
            store.link.setOwner(nil)
            store.close()
        }
    }

    /// The stores, in the order they were added.
    open var persistentStores: [NSPersistentStore] { allStores }

    private final var allStores: [any RowStore] { stores.withLock { $0.value.stores.compactMap(\.self) } }

    /// The stores whose metadata the next save writes, also if it changes none of their objects.
    final var storesWithChangedMetadata: [any RowStore] {
        let current = stores.withLock { UnsafeTransfer($0.value.stores) }.value
        // Without a list: every save asks, and there are hardly ever any.
        guard current.contains(where: { $0?.hasMetadataChanges == true }) else { return [] }
        return current.compactMap(\.self).filter { $0.hasMetadataChanges && !$0.isReadOnly }
    }

    /// Whether the coordinator has a store now; the answer lasts within `changingStores`.
    final func has(_ store: NSPersistentStore) -> Bool { allStores.contains { $0 === store } }

    /// Runs `body`, which adds, moves or removes a store, while no other thread does; readers and saves continue.
    final func changingStores<R>(_ body: () throws -> R) rethrows -> R { try changes.withLock(body) }

    /// The stores that hold an entity, first added first.
    package final func rowStores(for layout: ObjectLayout, among affected: [NSPersistentStore]? = nil) -> [any RowStore]
    {
        let holding = storesHolding(layout)
        return affected.map { affected in holding.filter { store in affected.contains { $0 === store } } } ?? holding
    }

    /// The stores that hold an entity; cached until a store is added or removed.
    private func storesHolding(_ layout: ObjectLayout) -> [any RowStore] {
        // The cache is by the indexes of this coordinator's model.
        guard layout.model === compiledModel else { return allStores.filter { holds($0, layout) } }
        let index = layout.index
        let cachedStores = stores.withLock { list in
            UnsafeTransfer(index < list.value.holding.count ? list.value.holding[index] : nil)
        }.value
        if let cachedStores { return cachedStores }
        let (all, version) = stores.withLock { UnsafeTransfer(($0.value.stores, $0.value.version)) }.value
        // Without the lock, as a program's subclass of the model may be called.
        let holders = all.compactMap(\.self).filter { holds($0, layout) }
        stores.withLock { list in
            guard list.value.version == version else { return }
            while list.value.holding.count <= index { list.value.holding.append(nil) }
            list.value.holding[index] = holders
        }
        return holders
    }

    /// Whether a store may have rows of a tree.
    final func holds(_ store: any RowStore, _ tree: TreeLayout) -> Bool {
        compiledModel.byName[tree.rootName].map { holds(store, $0) } ?? false
    }

    /// Whether a store may have rows of an entity or of one below it: with an entity a store holds its whole hierarchy.
    private func holds(_ store: any RowStore, _ layout: ObjectLayout) -> Bool {
        guard let entities = managedObjectModel.entities(forConfigurationName: store.configurationName) else {
            return true
        }
        return entities.contains { $0 === layout.entity }
            || entities.contains { $0.isKindOf(entity: layout.entity) || layout.entity.isKindOf(entity: $0) }
    }

    /// The stores that take new objects of an entity: those whose configuration lists it, else those that list one
    /// above it.
    final func storesForNewObjects(of layout: ObjectLayout) -> [any RowStore] {
        let candidates = allStores
        func listing(_ fits: (NSEntityDescription) -> Bool) -> [any RowStore] {
            candidates.filter { store in
                managedObjectModel.entities(forConfigurationName: store.configurationName)?.contains(where: fits)
                    ?? true
            }
        }
        let listed = listing { $0 === layout.entity }
        return listed.isEmpty ? listing { layout.entity.isKindOf(entity: $0) } : listed
    }

    final func rowStore(at index: Int32) -> (any RowStore)? {
        stores.withLock { index >= 0 && Int(index) < $0.value.stores.count ? $0.value.stores[Int(index)] : nil }
    }

    final func store(at index: Int32) -> NSPersistentStore? { rowStore(at: index) }

    /// The link of a store, also of one that was removed.
    final func link(at index: Int32) -> StoreLink? {
        store(at: index)?.link ?? removedLinks.withLock { $0[index] }
    }

    final func entityIndex(number: Int64, store: Int32) -> Int? {
        rowStore(at: store)?.entityIndex(number: number)
    }

    /// Adds a store at the end of the list.
    final func append(_ store: any RowStore) {
        store.makeLink(to: self)
        stores.withLock {
            store.index = Int32($0.value.stores.count)
            $0.value.stores.append(store)
        }
    }

    /// Removes a store from the list; the indexes of the others stay.
    final func removeFromList(_ store: any RowStore) {
        removedLinks.withLock { $0[store.index] = store.link }
        stores.withLock {
            let index = Int(store.index)
            // A moved store may have taken its place.
            if $0.value.stores.indices.contains(index), $0.value.stores[index] === store {
                $0.value.stores[index] = nil
            }
        }
    }

    /// Holds a store while it is filled, at the index that it will have in its own coordinator.
    final func hold(_ store: any RowStore, at index: Int32) {
        store.makeLink(to: self)
        stores.withLock { list in
            while list.value.stores.count <= Int(index) { list.value.stores.append(nil) }
            store.index = index
            list.value.stores[Int(index)] = store
        }
    }

    /// Gives up a store that is held, without closing it.
    final func giveUp(_ store: any RowStore) {
        store.link.setOwner(nil)
        removeFromList(store)
    }

    /// A store takes the place of another, and with it the keys of registered objects.
    final func substitute(_ store: any RowStore, for old: any RowStore) {
        store.makeLink(to: self)
        stores.withLock {
            store.index = old.index
            $0.value.stores[Int(old.index)] = store
        }
    }

    /// Runs a block on the coordinator's own queue, later.
    ///
    /// - Parameter block: The block.
    open func perform(_ block: @escaping @Sendable () -> Void) {
        queue.async { self.blocks.withLock(block) }
    }

    /// Runs a block while no other block of this coordinator runs, and waits for it.
    ///
    /// Contexts read and save meanwhile.
    ///
    /// - Parameter block: The block.
    open func performAndWait(_ block: () -> Void) {
        blocks.withLock(block)
    }

    // MARK: Overridable methods

    /// Adds a store, and creates it if there is none at the location.
    ///
    /// - Parameters:
    ///   - storeType: `NSSQLiteStoreType`, `NSXMLStoreType`, `NSBinaryStoreType`, `NSInMemoryStoreType`, or a
    ///     registered type.
    ///   - configuration: The model's configuration for the store, or nil for all entities.
    ///   - storeURL: The location of the store; `/dev/null` for one in memory.
    ///   - options: Options by Apple's keys.
    /// - Returns: The store.
    /// - Throws: 134000 for an unknown type, 134100 if the store was made with another model, 134080 for a file that is
    ///   empty, foreign, damaged or cannot be reached and for a URL that is not a file's, 134020 for a configuration
    ///   the model lacks, 134060 for an option's value of the wrong type, codes of the file system if the store's
    ///   folder cannot be made. Each names the store.
    @discardableResult
    open func addPersistentStore(
        ofType storeType: String,
        configurationName configuration: String?,
        at storeURL: URL?,
        options: [AnyHashable: Any]? = nil
    ) throws -> NSPersistentStore {
        try openStore(ofType: storeType, configurationName: configuration, at: storeURL, options: options)
    }

    /// Adds the store of a description, and reports to a closure.
    ///
    /// - Parameters:
    ///   - storeDescription: The description.
    ///   - block: Called once with the description and the error or nil; on another thread if the description requires
    /// it.
    open func addPersistentStore(
        with storeDescription: NSPersistentStoreDescription,
        completionHandler block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
    ) {
        openStore(with: storeDescription, completionHandler: block)
    }

    /// Removes a store.
    ///
    /// Its file stays. Contexts lose its objects' rows. A store that `destroyPersistentStore` or
    /// `replacePersistentStore` has removed already is left alone.
    ///
    /// - Parameter store: A store of this coordinator.
    /// - Throws: 134060 for a store of another coordinator.
    open func remove(_ store: NSPersistentStore) throws {
        try removeStore(store)
    }

    /// The identifier that a URI stands for.
    ///
    /// - Parameter url: `x-coredata://<store>/<entity>/p<key>`.
    /// - Returns: The identifier; nil if no store of this coordinator has that UUID, the model has no entity of this
    ///   name, or the text is of another form. The row is read only if the entity has subentities: the identifier is
    ///   then of the row's own entity.
    open func managedObjectID(forURIRepresentation url: URL) -> NSManagedObjectID? {
        identifier(url)
    }

    /// Puts a copy of a store in the place of another, or at an empty location.
    ///
    /// The copy is made from a snapshot of the source, to which others may be writing. A kill leaves the old store or
    /// the new. A store at the destination that this coordinator has open is removed from it first: add it again. Other
    /// coordinators and processes may have a SQLite store open there, and find the new content at their next read.
    ///
    /// - Parameters:
    ///   - destinationURL: The store to be replaced.
    ///   - destinationOptions: Not used.
    ///   - sourceURL: The store to be copied.
    ///   - sourceOptions: Not used.
    ///   - storeType: The kind of both stores.
    /// - Throws: 134000 for an unknown type, 134080 if the source is not a store, if the destination is a file that is
    ///   none and for a URL that is not a file's, 134090 if another process is writing the destination.
    open func replacePersistentStore(
        at destinationURL: URL,
        destinationOptions: [AnyHashable: Any]? = nil,
        withPersistentStoreFrom sourceURL: URL,
        sourceOptions: [AnyHashable: Any]? = nil,
        ofType storeType: String
    ) throws {
        try replaceStore(at: destinationURL, with: sourceURL, ofType: storeType)
    }

    /// Destroys a store: its objects, its metadata and the files of its large values.
    ///
    /// A SQLite store is emptied in its place, as its file cannot be removed safely while another thread or process has
    /// it open: the file and the files of its log stay without content, and adding the store again makes a new one in
    /// them; if there is none, an empty file is left. Files of other kinds are removed. A store that this coordinator
    /// has open there is removed from it first, one in memory too. Other coordinators and processes may have a SQLite
    /// store open, and find no tables at their next read.
    ///
    /// - Parameters:
    ///   - url: The store.
    ///   - storeType: The kind of store.
    ///   - options: `NSPersistentStoreForceDestroyOption` removes the file regardless of its content;
    ///     `NSPersistentStoreTimeoutOption` is the number of seconds to wait for another writer.
    /// - Throws: 134000 for an unknown type, 134080 for a file that is not a store and for a URL that is not a file's,
    ///   134090 if another connection is writing the store.
    open func destroyPersistentStore(at url: URL, ofType storeType: String, options: [AnyHashable: Any]? = nil) throws {
        try destroyStore(at: url, ofType: storeType, options: options)
    }

    /// Moves a store to another location or store type.
    ///
    /// The new store replaces the old one: registered objects and their identifiers stay valid. The old file is kept.
    /// Saves and batch requests of other threads in this coordinator wait for the move to end, and then go to the new
    /// store. The move waits for those that are in progress. If they take longer than a second, because they wait for
    /// others perhaps, further ones go to the old store before the move.
    ///
    /// - Parameters:
    ///   - store: A store of this coordinator.
    ///   - url: The new store's location, at which no file may exist.
    ///   - options: Options of the new store, by Apple's keys; nil for those of the old one.
    ///   - storeType: The type of the new store.
    /// - Returns: The new store.
    /// - Throws: 134060 for a store of another coordinator, 134000 for an unknown type, 134080 if the file exists or
    ///   cannot be written. The old store then stays open.
    @discardableResult
    open func migratePersistentStore(
        _ store: NSPersistentStore,
        to url: URL,
        options: [AnyHashable: Any]? = nil,
        withType storeType: String
    ) throws -> NSPersistentStore {
        try migratePersistentStore(store, to: url, options: options, withType: storeType) { _ in }
    }
}
