// A context: the place where objects live between fetch and save. This file holds its state and the sets of changed
// objects; fetching, saving, queues and change events are in NSManagedObjectContext+Job.swift.
import Foundation
import Synchronization

/// A space for managed objects, bound to a queue.
///
/// Use it, and its objects, through `perform` or `performAndWait`, or on the main thread for a main-queue context. See
/// [NSManagedObjectContext](https://developer.apple.com/documentation/coredata/nsmanagedobjectcontext).
open class NSManagedObjectContext: NSObject, @unchecked Sendable {
    /// The context's queue.
    public final let concurrencyType: NSManagedObjectContextConcurrencyType
    final let queue: ContextQueue
    final let registry = ObjectRegistry()

    /// A name for messages and history.
    open var name: String?
    /// What users wish to keep with the context.
    open var userInfo: NSMutableDictionary = NSMutableDictionary()
    /// Whether objects whose row is gone are treated as deleted; true unless set.
    open var shouldDeleteInaccessibleFaults = true
    /// Whether deletions spread along relationships at the end of the event, or else at the save; true unless set.
    open var propagatesDeletesAtEndOfEvent = true
    /// Whether every object stays in memory as long as the context does; false unless set.
    open var retainsRegisteredObjects = false {
        didSet {
            retainsAll = retainsRegisteredObjects
            retained = retainsAll ? registry.allObjects() : []
        }
    }
    /// The same, as each registration asks it: without a call that subclasses can replace.
    @exclusivity(unchecked) private final var retainsAll = false

    // Lists of changed objects. An object may have left its state since: the lists are filtered when read.
    @exclusivity(unchecked) final var insertedList: ContiguousArray<NSManagedObject> = []
    @exclusivity(unchecked) final var updatedList: ContiguousArray<NSManagedObject> = []
    @exclusivity(unchecked) final var deletedList: ContiguousArray<NSManagedObject> = []
    // The same since the last processPendingChanges.
    @exclusivity(unchecked) final var pendingInserted: ContiguousArray<NSManagedObject> = []
    @exclusivity(unchecked) final var pendingUpdated: ContiguousArray<NSManagedObject> = []
    @exclusivity(unchecked) final var pendingDeleted: ContiguousArray<NSManagedObject> = []
    @exclusivity(unchecked) final var pendingRefreshed: ContiguousArray<NSManagedObject> = []
    /// Objects whose deletion was told and whose rules wait for the save.
    @exclusivity(unchecked) final var unspreadDeletes: ContiguousArray<NSManagedObject> = []
    /// Deleted objects whose delete rules met what could not be read; a save tries again.
    @exclusivity(unchecked) final var halfSpreadDeletes: ContiguousArray<NSManagedObject> = []
    /// Finds unsaved objects by a value; nil until a fetch asks, and after what changes values behind its back.
    @exclusivity(unchecked) final var pendingIndex: PendingIndex?
    /// So many unsaved objects are judged by fetches one by one, without an index.
    package final var judgedOneByOne = 32
    final var isProcessing = false
    /// Counts the calls of `processPendingChanges` that found something.
    @exclusivity(unchecked) final var eventNumber = 1
    /// Objects of the event being told that were read anew as well as changed: more may differ than was changed here.
    final var rereadUpdates: Set<ObjectIdentifier> = []
    /// Counts the resets, after which nothing of what was fetched is valid.
    final var resetCount = 0
    /// Who follows what merges bring, the results controllers; nil without any.
    final var follower: (any ContextFollower)?
    /// What the last event told of: the same sets as a save's, where all was changed in one event.
    final var eventSets = EventSets()
    @exclusivity(unchecked) final var isEventScheduled = false
    /// Objects that the next save checks though nothing is changed in them.
    final var checkedObjects: [ObjectIdentifier: NSManagedObject] = [:]
    /// Stores chosen by `assign(_:to:)`, by object.
    final var assignedStores: [ObjectIdentifier: NSPersistentStore] = [:]
    /// What `parent` is; set by `setParent` only.
    final var parentContext: NSManagedObjectContext?
    /// What the context is pinned to; nil where it reads the newest.
    final var generation: NSQueryGenerationToken?
    /// All contexts that have this one as their parent.
    final let children = ContextList()
    /// Those of them that want to hear of changes.
    final let listeners = ContextList()
    /// How many of the coordinator's promoted keys this context, a child, knows no temporary key of any more.
    final let caughtUp = Atomic<Int>(0)
    /// Whether any context has this one as its parent.
    final let childCount = Atomic<Int>(0)
    /// Whether the event that ends now is that of a merge.
    @exclusivity(unchecked) final var isMerging = false
    /// Objects that a merge has brought in, until the event ends.
    @exclusivity(unchecked) final var pendingMerged: ContiguousArray<NSManagedObject> = []
    /// Pages for faults that are made now, by store and entity: the members of one relationship.
    @exclusivity(unchecked) final var pagesForNewFaults: FaultPages?
    private var retained: [NSManagedObject] = []
    private var lastMade: (type: NSManagedObject.Type, layout: ObjectLayout)?
    /// Views of ordered relationships that were used in this event or turn.
    @exclusivity(unchecked) final var orderedViews = OrderedViews()
    /// What was read ahead, and the faults of `object(with:)`; nil if the faultingPolicy was `allow` all the time.
    @exclusivity(unchecked) final var readingAhead: ReadingAhead?
    /// Objects reached through relationships in this turn, so that walking a graph reads each row once.
    @exclusivity(unchecked) final var turnObjects: ContiguousArray<NSManagedObject> = []
    /// What the last fetch and the last save had in hand, until the event or the turn ends.
    @exclusivity(unchecked) final var recentObjects = RecentObjects()
    @exclusivity(unchecked) final var turnDepth = 0
    /// What initializers of faults are given, by the index of the entity.
    @exclusivity(unchecked) final var faultEntities: ContiguousArray<NSEntityDescription?> = []
    /// What the context reads its stores with.
    @exclusivity(unchecked) final var sessions = ReadSessions()
    /// Whether objects are saved as they are: those of a migration, which are validated at its end.
    package final var skipsValidation = false

    /// Makes a context of a concurrency type.
    ///
    /// - Parameter type: The queue to bind the context to.
    public init(concurrencyType type: NSManagedObjectContextConcurrencyType) {
        concurrencyType = type
        queue = ContextQueue(type)
        super.init()
        registry.context = self
        if registry.isWatched {
            registry.guardian = QueueGuard(queueNamed: queue.name) { [queue] in queue.isCurrent }
        }
        tracksObservation = type == .mainQueueConcurrencyType
    }

    /// Makes a context of a concurrency type.
    ///
    /// - Parameter type: The queue to bind the context to.
    public convenience init(_ type: ConcurrencyType) {
        guard let type = NSManagedObjectContextConcurrencyType(rawValue: type.rawValue) else {
            preconditionFailure("\(type.rawValue) is no concurrency type. Use .privateQueue or .mainQueue.")
        }
        self.init(concurrencyType: type)
    }

    deinit {
        // Objects that refer to each other would keep each other alive.
        for object in insertedList { object.edits = nil }
        for object in updatedList { object.edits = nil }
        for object in registry.allObjects() where object.state.contains(.holding) { object.releaseHeldObjects() }
        parentContext?.childCount.subtract(1, ordering: .relaxed)
    }

    /// The coordinator whose stores the context works with; a child context's is that of its root.
    open var persistentStoreCoordinator: NSPersistentStoreCoordinator? {
        get { registry.coordinator }
        set {
            precondition(
                parentContext == nil || newValue === parentContext?.registry.coordinator,
                "A context with a parent works with its parent's coordinator. Set the coordinator of the root context."
            )
            attach(to: newValue)
        }
    }

    /// The context that this one reads from and saves to, in place of a store.
    ///
    /// Set it before the context has objects. A save goes one level up only.
    open var parent: NSManagedObjectContext? {
        get { parentContext }
        set { setParent(newValue) }
    }

    /// Whether what others save to the parent or to the coordinator is merged into this context; false unless set.
    ///
    /// Saves reach the context on its own queue, later.
    open var automaticallyMergesChangesFromParent = false {
        didSet { updateListening() }
    }

    /// Seconds for which values read earlier serve to fill a fault; negative, as it is unless set, for any time.
    ///
    /// With 0 every fault reads its row anew.
    open var stalenessInterval: TimeInterval {
        get { registry.stalenessInterval }
        set { registry.stalenessInterval = newValue }
    }

    /// What records changes for `undo()` and `redo()`; nil, as it is unless set, records nothing.
    open var undoManager: UndoManager? {
        didSet {
            guard oldValue !== undoManager else { return }
            oldValue?.removeAllActions(withTarget: self)
            oldValue?.leave(self)
            undoManager?.join(self)
        }
    }

    /// How conflicts of a save are settled: an `NSMergePolicy`; `NSMergePolicy.error` unless set.
    open var mergePolicy: Any = NSMergePolicy.error {
        willSet {
            precondition(
                newValue is NSMergePolicy,
                "A context's mergePolicy must be an NSMergePolicy, not \(newValue)."
            )
        }
    }

    /// Whether reads of this context's objects can be tracked by `withObservationTracking`.
    ///
    /// True for main-queue contexts unless set, false for others, whose objects are read a little faster. It concerns
    /// objects that come into the context from then on.
    open var tracksObservation: Bool {
        get { registry.faultState.contains(.tracked) }
        set { if newValue { registry.faultState.insert(.tracked) } else { registry.faultState.remove(.tracked) } }
    }

    /// Who makes this context's changes, for the persistent history.
    open var transactionAuthor: String?

    final var compiledModel: CompiledModel? { registry.coordinator?.compiledModel }

    /// The layout of a class, remembered for the next object of it.
    final func layout(of type: NSManagedObject.Type, in model: CompiledModel) -> ObjectLayout? {
        if let lastMade, lastMade.type == type, lastMade.layout.model === model { return lastMade.layout }
        guard let layout = model.layout(of: type) else { return nil }
        lastMade = (type, layout)
        return layout
    }

    final func requireCoordinator() throws -> NSPersistentStoreCoordinator {
        if let coordinator = registry.coordinator { return coordinator }
        throw CoreDataError.make(
            NSCoreDataError,
            "The context has no persistent store coordinator.",
            remedy: "Set persistentStoreCoordinator, or use a container's viewContext."
        )
    }

    // MARK: What subclasses override

    /// Writes all changes to the stores.
    ///
    /// Without changes, metadata are written that were set in a store. When it has returned, the changes survive a killed process and a power cut. When it throws, nothing was written,
    /// and the context has its changes still. O(changed objects).
    ///
    /// - Throws: Validation errors (1550 to 1690; 1560 for several), of which 1550 for a relationship that leads to a
    ///   deleted object; 133020 if another writer has changed or deleted an object, 133021 if a uniqueness constraint
    ///   does not hold, 513 for a store that is open for reading only, 134030 and others if a store cannot be written.
    open func save() throws { try saveChanges() }

    /// Runs a block on the context's queue, later; then processes the changes it made.
    ///
    /// - Parameter block: The block.
    open func perform(_ block: @escaping () -> Void) { enqueue(block) }

    // MARK: Changed objects

    /// Whether anything would be saved.
    open var hasChanges: Bool {
        checkQueue("hasChanges")
        return hasListedChanges
    }

    /// The same without asking for the queue: a context is set up on any thread.
    final var hasListedChanges: Bool {
        insertedList.contains { $0.isLive(in: .inserted) }
            || updatedList.contains { $0.state.contains(.updated) }
            || deletedList.contains { $0.state.contains(.deleted) }
    }

    /// Objects inserted and not yet saved.
    open var insertedObjects: Set<NSManagedObject> {
        checkQueue("insertedObjects")
        return Set(insertedList.filter { $0.isLive(in: .inserted) })
    }

    /// Objects changed and not yet saved.
    open var updatedObjects: Set<NSManagedObject> {
        checkQueue("updatedObjects")
        return Set(updatedList.filter { $0.isLive(in: .updated) })
    }

    /// Objects that the next save deletes.
    open var deletedObjects: Set<NSManagedObject> {
        checkQueue("deletedObjects")
        return Set(deletedList.filter { $0.state.contains(.deleted) })
    }

    /// All objects in memory.
    ///
    /// O(registered objects).
    open var registeredObjects: Set<NSManagedObject> {
        checkQueue("registeredObjects")
        return Set(registry.allObjects()).union(insertedObjects)
    }

    // MARK: Inserting and deleting

    /// Inserts an object that has no context, or brings back one that was deleted.
    ///
    /// Where the deletion was saved, the object becomes a new one with its attributes; its relationships were cut.
    ///
    /// - Parameter object: The object.
    open func insert(_ object: NSManagedObject) {
        checkQueue("insert(\(object.describeForMessages))")
        if object.registry === registry {
            if object.state.contains(.deleted) { undelete(object) }
            return
        }
        precondition(
            object.registry?.context == nil,
            "\(object.describeForMessages) belongs to another context and cannot be inserted into this one."
        )
        if object.state.contains(.gone) { return reinsert(object) }
        insertNew(object)
    }

    /// Takes an object that has gone out of the lists, which keep such until they are read, as it is to come back.
    final func forgetListed(_ object: NSManagedObject) {
        insertedList.removeAll { $0 === object }
        updatedList.removeAll { $0 === object }
        object.state.remove(.listedUpdated)
        deletedList.removeAll { $0 === object }
        pendingInserted.removeAll { $0 === object }
    }

    final func insertNew(_ object: NSManagedObject) {
        checkQueue("insert of \(object.describeForMessages)")
        precondition(
            !object.layout.isAbstract,
            "The entity \(object.layout.name) is abstract: insert an object of one of its subentities."
        )
        object.setDefaults()
        object.registry = registry
        if object.key.isTemporary { registry.register(object) }
        enterNew(object)
        object.awakeFromInsert()
    }

    /// Enters a new object that has its values already.
    @inline(__always)
    final func enterNew(_ object: NSManagedObject) {
        object.state.remove(.gone)
        object.state.formUnion([.inserted, .pendingInsert])
        object.state.formUnion(registry.faultState.intersection(.lasting))
        object.edits?.event = eventNumber
        insertedList.append(object)
        pendingInserted.append(object)
        keep(object)
        noteEvent()
    }

    final func makeObject(entity: NSEntityDescription, insertInto context: NSManagedObjectContext) -> NSManagedObject {
        ObjectLayout.of(entity).objectClass.init(entity: entity, insertInto: context)
    }

    /// Marks an object for deletion at the next save; relationships follow by their rules.
    ///
    /// An object that was deleted and saved meanwhile, here or elsewhere, is left as it is.
    ///
    /// - Parameter object: An object of this context.
    open func delete(_ object: NSManagedObject) {
        if object.registry == nil, object.state.contains(.gone) { return }
        precondition(
            object.registry === registry,
            "\(object.describeForMessages) does not belong to this context and cannot be deleted in it."
        )
        checkQueue("delete(\(object.describeForMessages))")
        guard object.state.isDisjoint(with: [.deleted, .gone, .preparingDeletion]) else { return }
        if object.state.contains(.fault) { object.fire() }
        // Without a row it counts as deleted already.
        if object.state.contains(.inaccessible) { return }
        object.state.insert(.preparingDeletion)
        object.prepareForDeletion()
        object.state.remove(.preparingDeletion)
        // The class may have rolled back or reset the context.
        guard object.registry === registry else { return }
        object.state.formUnion([.deleted, .pendingDelete])
        pendingDeleted.append(object)
        if !object.state.contains(.inserted) { deletedList.append(object) }
        noteEvent()
    }

    /// Has the next save check that nobody else has changed an object since it was read, though it is not changed here.
    ///
    /// - Parameter object: An object of this context.
    open func detectConflicts(for object: NSManagedObject) {
        checkQueue("detectConflicts(for: \(object.describeForMessages))")
        if object.registry == nil, object.state.contains(.gone) { return }
        precondition(
            object.registry === registry,
            "\(object.describeForMessages) does not belong to this context."
        )
        checkedObjects[ObjectIdentifier(object)] = object
    }

    /// Chooses the store of a new object.
    ///
    /// - Parameters:
    ///   - object: An object inserted and not yet saved.
    ///   - store: A store that holds the object's entity.
    open func assign(_ object: Any, to store: NSPersistentStore) {
        guard let object = object as? NSManagedObject else { return }
        checkQueue("assign(\(object.describeForMessages), to:)")
        if object.key.primaryKey > 0, object.key.store == store.index,
            store.persistentStoreCoordinator === persistentStoreCoordinator
        {
            return
        }
        precondition(
            object.key.primaryKey <= 0,
            "\(object.describeForMessages) is saved in a store already and cannot be assigned to another."
        )
        assignedStores[ObjectIdentifier(object)] = store
    }

    /// Empties the list of changed objects, but for those to be kept; each says of itself whether it is listed.
    final func clearUpdatedList(keeping isKept: (NSManagedObject) -> Bool = { _ in false }) {
        for object in updatedList where !isKept(object) { object.state.remove(.listedUpdated) }
        updatedList.removeAll { !$0.state.contains(.listedUpdated) }
    }

    /// Called by an object when its first property changes.
    final func noteChange(of object: NSManagedObject) {
        // There is no row that could be changed.
        if object.state.contains(.inaccessible) { return }
        if !object.state.contains(.pendingUpdate) {
            object.state.insert(.pendingUpdate)
            pendingUpdated.append(object)
            noteEvent()
        }
        if object.state.isDisjoint(with: [.inserted, .updated, .gone]) {
            object.state.insert(.updated)
            if !object.state.contains(.listedUpdated) {
                object.state.insert(.listedUpdated)
                updatedList.append(object)
            }
        }
    }

    final func keep(_ object: NSManagedObject) {
        if retainsAll { retained.append(object) }
    }

    final func forgetRetained() {
        retained = []
    }

    /// Refuses a fault whose row is gone; returns whether it is treated as deleted.
    ///
    /// - Parameters:
    ///   - fault: The object.
    ///   - oid: Its identifier.
    ///   - property: The property that was asked for, or nil.
    /// - Returns: `shouldDeleteInaccessibleFaults`.
    open func shouldHandleInaccessibleFault(
        _ fault: NSManagedObject,
        for oid: NSManagedObjectID,
        triggeredByProperty property: NSPropertyDescription?
    ) -> Bool {
        shouldDeleteInaccessibleFaults
    }
}

extension NSManagedObject {
    fileprivate func isLive(in wanted: ObjectState) -> Bool {
        state.contains(wanted) && !state.contains(.deleted)
    }
}
