// The identity map: one object for one row in one context. It finds objects by primary key in pages and does not own
// them. Objects remove themselves when they die, on any thread, so every access takes its lock.
import CSwiftRuntime
import GraphEngine
import Synchronization

/// The objects of one context by key.
final class ObjectRegistry: @unchecked Sendable {
    /// The context, gone once it has been deallocated; objects outlive it as shells without values.
    var context: NSManagedObjectContext? { contextHandle.object(as: NSManagedObjectContext.self) }
    let contextHandle = Handle()
    /// Whether the context exists; a plain flag, as reading the handle costs more than finding an object.
    @exclusivity(unchecked) private(set) var hasContext = false
    /// The stores of the context.
    @exclusivity(unchecked) var coordinator: NSPersistentStoreCoordinator? {
        didSet {
            savedRows = coordinator.map { Unmanaged.passUnretained($0.savedRows) }
            activity = coordinator.map { Unmanaged.passUnretained($0.activity) }
            coordinatorNumber = StoreLink.number(of: coordinator)
        }
    }
    /// The coordinator's number in the links of its stores.
    @exclusivity(unchecked) private(set) var coordinatorNumber: UInt = 0
    /// The coordinator's; not retained, as threads that fire faults would contend for the reference count.
    @exclusivity(unchecked) private var savedRows: Unmanaged<SavedRows>?
    /// The coordinator's; not retained either.
    @exclusivity(unchecked) private var activity: Unmanaged<ActivityCenter>?
    /// Whether the coordinator's activity is observed.
    var isObserved: Bool { activity?._withUnsafeGuaranteedRef { $0.isObserved } ?? false }
    /// The context's interval, kept here so that a firing fault need not read the context; used on its queue.
    @exclusivity(unchecked) var stalenessInterval: Double = -1
    /// Counters of the context; see `NSManagedObjectContext.Statistics`.
    let fetches = OwnedCount()
    let rowsRead = OwnedCount()
    let faultsFired = OwnedCount()
    let faultBatches = OwnedCount()
    /// The layout of the latest fetch by an entity's name; used on the context's queue.
    @exclusivity(unchecked) unowned(unsafe) var latestFetched: ObjectLayout?
    /// Failed reads; used on the context's queue.
    @exclusivity(unchecked) var failedReads = FailedReads()
    /// The policy for faults that fire one by one; used on the context's queue.
    @exclusivity(unchecked) var faultingPolicy: NSManagedObjectContext.FaultingPolicy
    /// The policy of the child that reads one object through this context; nil outside of such a reading.
    @exclusivity(unchecked) var servedPolicy: NSManagedObjectContext.FaultingPolicy?
    let faultReports: FaultReports
    /// Counts removals of objects that may still be alive: another object may then be registered for the same row.
    @exclusivity(unchecked) private(set) var departures: UInt = 0
    /// Whether accesses are checked against the context's queue, of which `guardian` then has the identity.
    let isWatched: Bool
    var guardian: QueueGuard?
    /// The initial state of a fault.
    @exclusivity(unchecked) var faultState: ObjectState
    /// Whether primitive values fire faults: in a migration, whose policies read objects that they did not fetch.
    @exclusivity(unchecked) var firesFaultsForPrimitiveValues = false
    /// Registrations to report to incremental stores.
    let ledger = RegistrationLedger()
    private let lock = Mutex<Void>(())
    /// Pages by store, then by tree; touched under the lock only.
    @exclusivity(unchecked) private var maps: ContiguousArray<ContiguousArray<KeyPages?>> = []
    /// Objects by temporary key: those whose identifier was requested before they were saved; under the lock only.
    @exclusivity(unchecked) private var temporary: [Int64: UnsafeMutableRawPointer] = [:]
    /// Members of deallocated objects that `release(_:)` has still to release; under the lock only.
    @exclusivity(unchecked) private var released: [[NSManagedObject]] = []
    @exclusivity(unchecked) private var isReleasing = false

    init() {
        isWatched = ConcurrencyDebug.isOn
        faultState = isWatched ? [.fault, .watched] : .fault
        faultReports = FaultReports.current
        faultingPolicy = faultReports.policy
    }

    /// The living object of a key.
    ///
    /// O(1).
    func object(for key: ObjectKey, tree: Int) -> NSManagedObject? {
        withLock {
            if key.isTemporary { return temporary[key.primaryKey].flatMap(KeyPages.living) }
            return existingPages(store: key.store, tree: tree)?.object(key.primaryKey)
        }
    }

    /// Whether the coordinator has saved anything.
    @inline(__always)
    var hasSaves: Bool { savedRows?._withUnsafeGuaranteedRef { $0.hasSaves } ?? false }

    /// Whether a save may have changed a row since it was read.
    @inline(__always)
    func mayBeOutdated(_ readAt: Moment) -> Bool {
        savedRows?._withUnsafeGuaranteedRef { $0.hasSaves(since: readAt) } ?? false
    }

    /// Enters an object under its key.
    ///
    /// O(1).
    func register(_ object: NSManagedObject) {
        let key = object.key
        if ledger.isOn { ledger.begin(key) }
        withLock {
            if key.isTemporary {
                temporary[key.primaryKey] = Unmanaged.passUnretained(object).toOpaque()
            } else {
                pages(store: key.store, tree: Int(object.table.pointee.tree)).set(key.primaryKey, object)
            }
        }
    }

    /// Removes the object if it is still the one under its key.
    ///
    /// O(1). Called on the context's queue.
    func remove(_ object: NSManagedObject) {
        departures &+= 1
        removeDeallocated(object)
    }

    /// Removes an object that is being deallocated, on any thread.
    func removeDeallocated(_ object: NSManagedObject) {
        if ledger.isOn { ledger.end(object.key) }
        withLock { forget(object) }
    }

    /// Removes objects under one lock.
    func remove(_ objects: ContiguousArray<NSManagedObject>) {
        if !objects.isEmpty { departures &+= 1 }
        if ledger.isOn { for object in objects { ledger.end(object.key) } }
        withLock { objects.forEachUncounted { forget($0) } }
    }

    /// Removes the objects that only `objects` owns, under one lock; the caller then releases them.
    ///
    /// Otherwise each object would take the lock when it is deallocated, often when its page has left the processor's
    /// cache. Does nothing if the array has another owner. Called on the context's queue.
    func removeDying(_ objects: inout [NSManagedObject]) {
        guard objects.count > 1, hasOneOwner(&objects) else { return }
        objects.withUnsafeBufferPointer { removeDying($0) }
    }

    func removeDying(_ objects: inout ContiguousArray<NSManagedObject>) {
        guard objects.count > 1, hasOneOwner(&objects) else { return }
        objects.withUnsafeBufferPointer { removeDying($0) }
    }

    private func hasOneOwner<Objects>(_ objects: inout Objects) -> Bool {
        guard !ledger.isOn else { return false }
        // An array is one reference to its buffer.
        return withUnsafePointer(to: &objects) { pointer in
            pointer.withMemoryRebound(to: UnsafeRawPointer.self, capacity: 1) {
                swift_isUniquelyReferenced_nonNull_native($0.pointee)
            }
        }
    }

    private func removeDying(_ objects: UnsafeBufferPointer<NSManagedObject>) {
        // Read as addresses: a reference would be counted.
        objects.withMemoryRebound(to: UnsafeRawPointer.self) { addresses in
            withLock { for address in addresses { removeIfDying(address) } }
        }
    }

    /// Called under the lock.
    @inline(__always)
    private func removeIfDying(_ address: UnsafeRawPointer) {
        guard swift_isUniquelyReferenced_nonNull_native(address) else { return }
        Unmanaged<NSManagedObject>.fromOpaque(address)._withUnsafeGuaranteedRef { object in
            guard object.primaryKey > 0, object.home.isRegistry(self) else { return }
            forget(object)
            object.state.insert(.unregistered)
        }
    }

    /// Registers an object again that was removed but not deallocated, because another one's `deinit` has retained it.
    ///
    /// Does nothing if its row has a new object by now.
    func registerAgain(_ object: NSManagedObject) {
        object.state.remove(.unregistered)
        guard self.object(for: object.key, tree: Int(object.table.pointee.tree)) == nil else { return }
        register(object)
    }

    /// Removes all objects; `objects` must be all of them, and the caller keeps them alive during the call.
    func removeAll(_ objects: ContiguousArray<NSManagedObject>) {
        departures &+= 1
        if ledger.isOn { for object in objects { ledger.end(object.key) } }
        withLock {
            for pages in maps.joined() { pages?.removeAll() }
            temporary = [:]
        }
    }

    /// Called under the lock.
    @inline(__always)
    private func forget(_ object: NSManagedObject) {
        let key = object.key
        if key.isTemporary {
            if temporary[key.primaryKey] == Unmanaged.passUnretained(object).toOpaque() {
                temporary[key.primaryKey] = nil
            }
        } else {
            existingPages(store: key.store, tree: Int(object.table.pointee.tree))?.remove(key.primaryKey, object)
        }
    }

    /// Removes a temporary key whose object has a permanent one now.
    func forget(temporaryKey: Int64) {
        withLock { temporary[temporaryKey] = nil }
    }

    /// Called by the context when it is deallocated.
    func noteContextEnd() {
        contextHandle.clear()
        hasContext = false
    }

    func noteContext(_ context: NSManagedObjectContext) {
        contextHandle.set(context)
        hasContext = true
    }

    /// Runs `body` with the pages of one tree, under one lock for a whole result.
    ///
    /// It must not release an object.
    func withPages<R>(store: Int32, tree: Int, _ body: (KeyPages) throws -> R) rethrows -> R {
        try withLock { try body(pages(store: store, tree: tree)) }
    }

    /// The objects of keys in their order, nil for those without one; under one lock.
    func objects(
        _ count: Int,
        store: Int32,
        tree: Int,
        key: (Int) -> Int64
    ) -> ContiguousArray<NSManagedObject?> {
        // The initializer writes the count even into the storage that all empty arrays share.
        if count == 0 { return [] }
        return ContiguousArray(unsafeUninitializedCapacity: count) { objects, initializedCount in
            guard let first = objects.baseAddress else { return }
            withPages(store: store, tree: tree) { pages in
                for place in 0..<count { (first + place).initialize(to: pages.object(key(place))) }
            }
            initializedCount = count
        }
    }

    /// All living objects with a key.
    ///
    /// O(registered objects).
    func allObjects() -> ContiguousArray<NSManagedObject> {
        withLock {
            var objects: ContiguousArray<NSManagedObject> = []
            for pages in maps.joined() { pages?.appendObjects(to: &objects) }
            for pointer in temporary.values { if let object = KeyPages.living(pointer) { objects.append(object) } }
            return objects
        }
    }

    /// The living objects with a permanent key of some trees.
    ///
    /// O(registered objects of these trees).
    func objects(ofTrees trees: [Int]) -> ContiguousArray<NSManagedObject> {
        withLock {
            var objects: ContiguousArray<NSManagedObject> = []
            for pages in maps {
                for tree in trees where tree < pages.count { pages[tree]?.appendObjects(to: &objects) }
            }
            return objects
        }
    }

    /// The number of objects.
    var count: Int { withLock { maps.joined().reduce(temporary.count) { $0 + ($1?.count ?? 0) } } }

    /// Releases members whose owner dies.
    ///
    /// A member may be the last owner of members of its own, and so on: a loop releases them all, as nested calls would
    /// overflow the stack for a long chain.
    func release(_ members: [[NSManagedObject]]) {
        let isFirst = withLock {
            released += members
            if isReleasing { return false }
            isReleasing = true
            return true
        }
        guard isFirst else { return }
        while var next = nextReleased() { removeDying(&next) }
    }

    private func nextReleased() -> [NSManagedObject]? {
        withLock {
            if released.isEmpty { isReleasing = false }
            return released.popLast()
        }
    }

    @inline(__always)
    private func withLock<R>(_ body: () throws -> R) rethrows -> R {
        try lock.withLock { _ in UnsafeTransfer(try body()) }.value
    }

    @inline(__always)
    private func existingPages(store: Int32, tree: Int) -> KeyPages? {
        guard store >= 0, Int(store) < maps.count, tree < maps[Int(store)].count else { return nil }
        return maps[Int(store)][tree]
    }

    private func pages(store: Int32, tree: Int) -> KeyPages {
        if let pages = existingPages(store: store, tree: tree) { return pages }
        let pages = KeyPages()
        while maps.count <= Int(store) { maps.append([]) }
        while maps[Int(store)].count <= tree { maps[Int(store)].append(nil) }
        maps[Int(store)][tree] = pages
        return pages
    }
}
