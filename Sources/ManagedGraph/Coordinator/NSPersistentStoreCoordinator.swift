// The mediator between contexts and stores: it holds the model, the stores and the lock that their use takes. Values
// pass through it, never live objects. Its parts are in NSPersistentStoreCoordinator+Job.swift.
import Foundation

/// The owner of the persistent stores that share a model.
///
/// May be used from any thread. See
/// [NSPersistentStoreCoordinator](https://developer.apple.com/documentation/coredata/nspersistentstorecoordinator).
open class NSPersistentStoreCoordinator: NSObject, @unchecked Sendable {
    /// The model; it cannot be edited any more.
    public final let managedObjectModel: NSManagedObjectModel
    /// A name for messages.
    open var name: String?
    final let compiledModel: CompiledModel
    /// Guards the stores and serializes their use.
    private let lock = NSRecursiveLock()
    private var stores: [(any RowStore)?] = []
    private let queue = DispatchQueue(label: "ManagedGraph.coordinator")
    /// Who reads or saves now, for stores of programs' own; it runs, so that it lives.
    final unowned(unsafe) var readingContext: NSManagedObjectContext?
    /// Permanent keys of objects that child contexts know by temporary ones.
    final let promotedKeys = PromotedKeys()
    /// The rows that saves have changed.
    final let savedRows = SavedRows()
    /// Contexts that want to hear of saves.
    final let listeners = ContextList()

    /// Makes a coordinator without stores.
    ///
    /// - Parameter model: The model; it cannot be edited afterwards.
    public required init(managedObjectModel model: NSManagedObjectModel) {
        managedObjectModel = model
        compiledModel = CompiledModel.of(model)
        super.init()
    }

    /// Makes a coordinator of a model without entities, for work on the files of stores.
    public convenience override init() {
        self.init(managedObjectModel: NSManagedObjectModel())
    }

    deinit {
        for store in stores { store?.close() }
    }

    /// The stores, in the order they were added.
    open var persistentStores: [NSPersistentStore] {
        withLock { stores.compactMap { $0 } }
    }

    /// Runs `body` while no other thread uses the stores.
    final func withLock<R>(_ body: () throws -> R) rethrows -> R {
        lock.lock()
        defer { lock.unlock() }
        return try body()
    }

    /// The stores that hold an entity, first added first.
    final func rowStores(for layout: ObjectLayout, among affected: [NSPersistentStore]? = nil) -> [any RowStore] {
        withLock {
            stores.compactMap { $0 }.filter { store in
                (affected?.contains { $0 === store } ?? true) && holds(store, layout)
            }
        }
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

    /// The stores that take new objects of an entity: those whose configuration lists it, else those that list one above it.
    final func storesForNewObjects(of layout: ObjectLayout) -> [any RowStore] {
        withLock {
            let found = stores.compactMap { $0 }
            func listing(_ fits: (NSEntityDescription) -> Bool) -> [any RowStore] {
                found.filter { store in
                    managedObjectModel.entities(forConfigurationName: store.configurationName)?.contains(where: fits)
                        ?? true
                }
            }
            let listed = listing { $0 === layout.entity }
            return listed.isEmpty ? listing { layout.entity.isKindOf(entity: $0) } : listed
        }
    }

    final func rowStore(at index: Int32) -> (any RowStore)? {
        withLock {
            index >= 0 && Int(index) < stores.count ? stores[Int(index)] : nil
        }
    }

    final func store(at index: Int32) -> NSPersistentStore? { rowStore(at: index) }

    final func entityIndex(number: Int64, store: Int32) -> Int? {
        rowStore(at: store)?.entityIndex(number: number)
    }

    final func append(_ store: any RowStore) {
        withLock {
            store.index = Int32(stores.count)
            stores.append(store)
        }
    }

    final func replace(_ store: any RowStore) {
        withLock {
            if Int(store.index) < stores.count { stores[Int(store.index)] = nil }
        }
    }

    /// A store takes the place of another, and with it the keys of registered objects.
    final func substitute(_ store: any RowStore, for old: any RowStore) {
        withLock {
            store.index = old.index
            stores[Int(old.index)] = store
        }
    }

    /// Runs a block on the coordinator's own queue, later.
    ///
    /// - Parameter block: The block.
    open func perform(_ block: @escaping @Sendable () -> Void) {
        queue.async { self.withLock(block) }
    }

    /// Runs a block while no other thread uses the stores, and waits for it.
    ///
    /// - Parameter block: The block.
    open func performAndWait(_ block: () -> Void) {
        withLock(block)
    }

    // MARK: Turns

    /// Reads of all stores share a snapshot until the matching `endTurn`.
    final func beginTurn() {
        withLock { for store in stores { store?.beginTurn() } }
    }

    final func endTurn() {
        withLock { for store in stores { store?.endTurn() } }
    }
}
