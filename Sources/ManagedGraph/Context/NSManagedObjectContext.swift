// A context: the place where objects live between fetch and save. This file holds its state and the sets of changed
// objects; fetching, saving, queues and change events are in the NSManagedObjectContext+….swift files.
import Foundation
import GraphEngine
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
    @exclusivity(unchecked) open var name: String?
    /// Custom data of the program.
    open var userInfo: NSMutableDictionary = NSMutableDictionary()
    /// Whether objects whose row is gone are treated as deleted; true by default.
    open var shouldDeleteInaccessibleFaults = true
    /// Whether delete rules are applied at the end of the event rather than at the save; true by default.
    @exclusivity(unchecked) open var propagatesDeletesAtEndOfEvent = true
    /// Whether every object stays in memory as long as the context; false by default.
    open var retainsRegisteredObjects = false { didSet { retainObjects(retainsRegisteredObjects) } }
    /// The objects that are kept in memory; nil unless `retainsRegisteredObjects` is set.
    @exclusivity(unchecked) final var retained: [ObjectIdentifier: NSManagedObject]?

    // Lists of changed objects, filtered when read: an object may have left its state since. None has a living object
    // twice: those that may return to their list have a bit while they are in it, or `hasDeparted` is set.
    @exclusivity(unchecked) final var insertedList: ContiguousArray<NSManagedObject> = []
    @exclusivity(unchecked) final var updatedList: ContiguousArray<NSManagedObject> = []
    @exclusivity(unchecked) final var deletedList: ContiguousArray<NSManagedObject> = []
    @exclusivity(unchecked) final var listedObjects = ListedObjects()
    /// Whether objects in the list of inserted ones have left that state, and could be inserted again, here or elsewhere.
    @exclusivity(unchecked) final var hasDeparted = false
    /// The changes that the next notification reports.
    @exclusivity(unchecked) final var pending = PendingEvent()
    @exclusivity(unchecked) final var openDeletions = OpenDeletions()
    /// Finds unsaved objects by a value; nil until a fetch needs it, and after changes that bypass accessors.
    @exclusivity(unchecked) final var pendingIndex: PendingIndex?
    /// The number of unsaved objects up to which fetches evaluate them one by one, without an index.
    package final var judgedOneByOne = 32
    @exclusivity(unchecked) final var isProcessing = false
    /// Whether the notification of an event is being posted.
    @exclusivity(unchecked) final var isPosting = false
    /// Whether an observer of the event that is being posted has ended a later one by a save.
    @exclusivity(unchecked) final var isOvertaken = false
    /// The number of saves by observers, each within the notification of the one before.
    final var nestedSaves = 0
    /// The number of events that may still end before changes are left to the next turn.
    final var remainingEvents = 0
    /// Counts the calls of `processPendingChanges` that found changes.
    @exclusivity(unchecked) final var eventNumber = 1
    /// The event to which changes belong: those made by observers of an event belong to the next one.
    final var changeEvent: Int { isPosting ? Edits.event(after: eventNumber) : eventNumber }
    /// Objects of the current event that were reread as well as changed: more values may differ than were changed here.
    final var rereadUpdates: Set<ObjectIdentifier> = []
    /// Counts the resets, each of which invalidates everything fetched before.
    final var resetCount = 0
    /// Follows the changes of merges for results controllers; nil without any.
    @exclusivity(unchecked) final var follower: (any ContextFollower)?
    /// The sets of the last event, reused by a save if all its changes were made in one event.
    @exclusivity(unchecked) final var eventSets = EventSets()
    @exclusivity(unchecked) final var isEventScheduled = false
    /// Objects that the next save checks for conflicts although they are unchanged.
    @exclusivity(unchecked) final var checkedObjects: [ObjectIdentifier: NSManagedObject] = [:]
    /// Stores chosen by `assign(_:to:)`, by object; the objects are held, as another could get the place of one in memory.
    @exclusivity(unchecked)
    final var assignedStores: [ObjectIdentifier: (object: NSManagedObject, store: NSPersistentStore)] = [:]
    /// The storage of `parent`; set by `setParent` only.
    @exclusivity(unchecked) final var parentContext: NSManagedObjectContext?
    /// The generation that the context is pinned to; nil if it reads the newest.
    final var generation: NSQueryGenerationToken?
    /// All contexts that have this one as their parent.
    final let children = ContextList()
    /// The child contexts that listen to saves.
    final let listeners = ContextList()
    /// The serial of the coordinator's promoted keys up to which this child context has no temporary keys left.
    final let caughtUp = Atomic<Int>(0)
    /// The number of contexts that have this one as their parent.
    final let childCount = Atomic<Int>(0)
    /// Whether the event that is ending belongs to a merge.
    @exclusivity(unchecked) final var isMerging = false
    /// Whether a save is resolving conflicts: changes follow from those of other writers.
    final var isResolvingConflicts = false
    /// Pages for faults being created, by store and entity: the members of one relationship.
    @exclusivity(unchecked) final var pagesForNewFaults: FaultPages?
    /// The class of the latest new object with its entity, while the context keeps its coordinator.
    @exclusivity(unchecked)
    private var lastMade: (type: NSManagedObject.Type, table: UnsafePointer<LayoutTable>)?
    /// Views of ordered relationships that were used in this event or turn.
    @exclusivity(unchecked) final var orderedViews = OrderedViews()
    /// Members read ahead and faults of `object(with:)`; nil if the faultingPolicy was always `allow`.
    @exclusivity(unchecked) final var readingAhead: ReadingAhead?
    /// Objects reached through relationships in this turn, so that walking a graph reads each row once.
    @exclusivity(unchecked) final var turnObjects: ContiguousArray<NSManagedObject> = []
    /// The objects of the last fetch and the last save, until the event or the turn ends.
    @exclusivity(unchecked) final var recentObjects = RecentObjects()
    @exclusivity(unchecked) final var turnDepth = 0
    /// The entities passed to initializers of faults, by the index of the entity.
    @exclusivity(unchecked) final var faultEntities: ContiguousArray<NSEntityDescription?> = []
    /// The sessions with which the context reads its stores.
    @exclusivity(unchecked) final var sessions = ReadSessions()
    /// Whether the framework has created the context for one operation of another, to which its activity belongs.
    final var isAuxiliary = false
    /// Whether saves skip validation: a migration validates its objects at its end.
    package final var skipsValidation = false

    /// Creates a context of a concurrency type.
    ///
    /// - Parameter type: The queue to bind the context to.
    public init(concurrencyType type: NSManagedObjectContextConcurrencyType) {
        concurrencyType = type
        queue = ContextQueue(type)
        super.init()
        registry.noteContext(self)
        if registry.isWatched {
            registry.guardian = QueueGuard(queueNamed: queue.name) { [queue] in queue.isCurrent }
        }
        tracksObservation = type == .mainQueueConcurrencyType
    }

    /// Creates a context of a concurrency type.
    ///
    /// - Parameter type: The queue to bind the context to.
    public convenience init(_ type: ConcurrencyType) {
        guard let type = NSManagedObjectContextConcurrencyType(rawValue: type.rawValue) else {
            preconditionFailure("\(type.rawValue) is not a concurrency type. Use .privateQueue or .mainQueue.")
        }
        self.init(concurrencyType: type)
    }

    /// Creates a context for the calling thread: of the main queue on the main thread, otherwise of a private queue.
    ///
    /// Apple's contexts of this kind belong to the thread that made them. The block methods work here as well.
    @available(*, deprecated, message: "Use init(concurrencyType:).")
    public override convenience init() {
        let isOnMainQueue = ContextQueue(.mainQueueConcurrencyType).isCurrent
        self.init(concurrencyType: isOnMainQueue ? .mainQueueConcurrencyType : .privateQueueConcurrencyType)
    }

    /// Finds this context.
    final var handle: Handle { registry.contextHandle }

    deinit {
        registry.noteContextEnd()
        // Objects that refer to each other would keep each other alive.
        for object in insertedList where isOwn(object) { object.edits = nil }
        for object in updatedList { object.edits = nil }
        for object in registry.allObjects() where object.state.contains(.holding) { object.releaseHeldObjects() }
        parentContext?.childCount.subtract(1, ordering: .relaxed)
    }

    /// The coordinator whose stores the context uses; for a child context, that of its root.
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

    /// The context that this one reads from and saves to, instead of a store.
    ///
    /// Set it before the context has objects. A save goes one level up only.
    open var parent: NSManagedObjectContext? {
        get { parentContext }
        set { setParent(newValue) }
    }

    /// Whether saves to the parent or to the coordinator are merged into this context; false by default.
    ///
    /// The context merges them later, on its own queue.
    open var automaticallyMergesChangesFromParent = false {
        didSet { updateListening() }
    }

    /// The seconds for which values read earlier can fill a fault; negative, the default, for any time.
    ///
    /// With 0, every fault rereads its row.
    open var stalenessInterval: TimeInterval {
        get { registry.stalenessInterval }
        set { registry.stalenessInterval = newValue }
    }

    /// The undo manager that records changes for `undo()` and `redo()`; nil, the default, records nothing.
    open var undoManager: UndoManager? {
        didSet {
            guard oldValue !== undoManager else { return }
            oldValue?.removeAllActions(withTarget: self)
            oldValue?.leave(self)
            undoManager?.join(self)
        }
    }

    /// The policy that resolves conflicts of a save, an `NSMergePolicy`; `NSMergePolicy.error` by default.
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
    /// True by default for main-queue contexts, false for others, whose objects are read slightly faster. Setting it
    /// affects objects that enter the context afterwards.
    open var tracksObservation: Bool {
        get { registry.faultState.contains(.tracked) }
        set { if newValue { registry.faultState.insert(.tracked) } else { registry.faultState.remove(.tracked) } }
    }

    /// The author of this context's changes in the persistent history.
    @exclusivity(unchecked) open var transactionAuthor: String?

    final var compiledModel: CompiledModel? { registry.coordinator?.compiledModel }

    /// The layout of the class of the latest new object, if it is this class.
    @inline(__always)
    final func latestLayout(of type: NSManagedObject.Type) -> ObjectLayout? {
        guard let lastMade, lastMade.type == type else { return nil }
        return lastMade.table.pointee.layout
    }

    /// Called when the context gets another coordinator, whose model may have another entity of the class.
    final func forgetLatestLayout() { lastMade = nil }

    /// The layout of a class, kept for the next object of it.
    final func layout(of type: NSManagedObject.Type, in model: CompiledModel) -> ObjectLayout? {
        guard let layout = model.layout(of: type) else { return nil }
        lastMade = (type, layout.table)
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

    // MARK: Overridable methods

    /// Writes all changes to the stores.
    ///
    /// Without changes, new store metadata is still written. After it returns, the changes survive a killed process and
    /// a power failure. If it throws, nothing was written, and the context keeps its changes. O(changed objects).
    ///
    /// - Throws: Validation errors (1550 to 1690; 1560 for several), of which 1550 for a relationship that leads to a
    ///   deleted object; 133020 if another writer has changed or deleted an object, 133021 if a uniqueness constraint
    ///   does not hold, 513 for a store that is open for reading only, 134030 and others if a store cannot be written.
    open func save() throws { try saveChanges() }

    /// Runs a block on the context's queue asynchronously, then processes its changes.
    ///
    /// - Parameter block: The block.
    open func perform(_ block: @escaping () -> Void) { enqueue(block) }

    /// Runs a block on the context's queue and waits for it; reentrant.
    ///
    /// The form that returns the block's result calls this one; its comment describes how contexts wait for each other.
    ///
    /// - Parameter block: The block.
    open func performAndWait(_ block: () -> Void) { runAndWait(block) }

    /// Applies delete rules and posts the changes since the last call.
    ///
    /// O(objects changed since the last call).
    open func processPendingChanges() { endEvent() }

    /// Discards all unsaved changes; values return to those last read or saved.
    open func rollback() { discardChanges() }

    /// Forgets all objects; those still held become shells without a context.
    open func reset() { forgetAllObjects() }

    /// Makes an object reread its values on next access.
    ///
    /// A new object whose changes are dropped is no longer inserted: it becomes a fault without a row.
    ///
    /// - Parameters:
    ///   - object: An object of this context.
    ///   - flag: True keeps an object that has unsaved changes, over fresh values; false drops them. In all other cases
    ///     the object becomes a fault.
    open func refresh(_ object: NSManagedObject, mergeChanges flag: Bool) { reread(object, mergeChanges: flag) }

    /// Makes all objects reread their values on next access; unsaved changes are kept.
    open func refreshAllObjects() { rereadAllObjects() }

    /// Undoes the last group of the undo manager; does nothing without one.
    open func undo() { undoLatestGroup() }

    /// Redoes the last group of the undo manager; does nothing without one.
    open func redo() { redoLatestGroup() }

    /// Merges the changes that another context has saved.
    ///
    /// Updated objects are reread, with this context's unsaved changes kept over the fresh values; inserted ones appear
    /// as faults; deleted ones are deleted here too and leave with the next save. The merge is posted as one change.
    /// O(objects of the save that are in memory here).
    ///
    /// - Parameter notification: A `didSaveObjectsNotification` or `didSaveObjectIDsNotification`.
    open func mergeChanges(fromContextDidSave notification: Notification) { mergeSave(notification) }

    /// The object of an identifier, if it is in memory.
    ///
    /// - Parameter objectID: The identifier.
    /// - Returns: The object, or nil. O(1), never reads the store.
    open func registeredObject(for objectID: NSManagedObjectID) -> NSManagedObject? { objectInMemory(objectID) }

    /// The object of an identifier, as a fault if it is not in memory.
    ///
    /// A temporary identifier still identifies its object after a save. The identifier of an object that another
    /// context has not saved gives a fault without a row.
    ///
    /// - Parameter objectID: The identifier; its row is assumed to exist.
    /// - Returns: The object. O(1), never reads the store.
    open func object(with objectID: NSManagedObjectID) -> NSManagedObject { objectOrFault(objectID) }

    /// The object of an identifier, read from the store if it is not in memory.
    ///
    /// - Parameter objectID: The identifier.
    /// - Returns: The object, never a fault.
    /// - Throws: 133000 if there is no such object.
    open func existingObject(with objectID: NSManagedObjectID) throws -> NSManagedObject {
        try objectWithValues(objectID)
    }

    /// Assigns permanent identifiers to new objects before they are saved.
    ///
    /// Objects that this context has saved to its parent receive those of the parent's objects.
    ///
    /// - Parameter objects: Objects inserted into this context.
    /// - Throws: 134060 for an object of another context, and the store's error; the objects then keep their temporary
    ///   identifiers.
    open func obtainPermanentIDs(for objects: [NSManagedObject]) throws { try assignPermanentIDs(to: objects) }

    /// Executes a request: a fetch, a batch request or a request for history immediately, an asynchronous fetch in the
    /// background.
    ///
    /// - Parameter request: A request other than a save.
    /// - Returns: An `NSAsynchronousFetchResult` for a fetch, which that of an asynchronous fetch fills in later; the
    ///   result of the request's own type otherwise.
    /// - Throws: 134091 for any other request, and as `fetch(_:)`.
    @discardableResult
    open func execute(_ request: NSPersistentStoreRequest) throws -> NSPersistentStoreResult {
        try request.result(in: self)
    }

    // MARK: Changed objects

    /// Whether there are unsaved changes.
    open var hasChanges: Bool {
        checkQueue("hasChanges")
        return hasListedChanges
    }

    /// Whether there are unsaved changes, without the queue check: a context can be set up on any thread.
    final var hasListedChanges: Bool {
        insertedList.contains { $0.isLive(in: .inserted) && isOwn($0) }
            || updatedList.contains { $0.state.contains(.updated) }
            || deletedList.contains { $0.state.contains(.deleted) && !$0.state.contains(.gone) }
    }

    /// Objects inserted and not yet saved.
    open var insertedObjects: Set<NSManagedObject> {
        checkQueue("insertedObjects")
        return listedObjects.inserted.set(of: insertedList) { $0.isLive(in: .inserted) && isOwn($0) }
    }

    /// Objects changed and not yet saved.
    open var updatedObjects: Set<NSManagedObject> {
        checkQueue("updatedObjects")
        return listedObjects.updated.set(of: updatedList) { $0.isLive(in: .updated) }
    }

    /// Objects that the next save deletes.
    open var deletedObjects: Set<NSManagedObject> {
        checkQueue("deletedObjects")
        return listedObjects.deleted.set(of: deletedList) { $0.state.contains(.deleted) && !$0.state.contains(.gone) }
    }

    /// All objects in memory.
    ///
    /// O(registered objects).
    open var registeredObjects: Set<NSManagedObject> {
        checkQueue("registeredObjects")
        return Set(registry.allObjects()).union(insertedObjects)
    }

    // MARK: Inserting and deleting

    /// Inserts an object that has no context, or brings back a deleted one.
    ///
    /// If the deletion was saved, here or elsewhere, or if the object's former context was released, the object becomes a
    /// new one with the attributes that it has; its relationships are lost.
    ///
    /// - Parameter object: The object.
    open func insert(_ object: NSManagedObject) {
        checkQueue("insert(\(object.describeForMessages))")
        if object.registry === registry {
            guard object.state.contains(.deleted) else { return }
            if object.state.isDisjoint(with: .withoutRow) { return restore(object) }
            // There is no row to bring back.
            forget(object)
            return reinsert(object)
        }
        precondition(
            object.registry?.context == nil,
            "\(object.describeForMessages) belongs to another context and cannot be inserted into this one."
        )
        if object.state.contains(.gone) { return reinsert(object) }
        if let former = object.registry {
            former.remove(object)
            // No queue owns it any more.
            object.state.remove(.watched)
            return renew(object)
        }
        insertNew(object)
    }

    /// Whether an object in the list of inserted ones belongs to this context still: one that has departed may have been
    /// inserted into another.
    @inline(__always)
    final func isOwn(_ object: NSManagedObject) -> Bool { !hasDeparted || object.registry === registry }

    /// Removes departed objects from the list of inserted ones, before one of them is inserted again.
    ///
    /// O(inserted objects), but O(1) if none has departed since.
    final func dropDeparted() {
        guard hasDeparted else { return }
        hasDeparted = false
        insertedList.removeAll { !$0.state.contains(.inserted) || $0.registry !== registry }
        // It has counted the objects of the list.
        pendingIndex = nil
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

    /// Registers a new object that already has its values.
    @inline(__always)
    final func enterNew(_ object: NSManagedObject) {
        object.state.remove(.gone)
        object.state.formUnion([.inserted, .pendingInsert])
        object.state.formUnion(registry.faultState.intersection(.lasting))
        object.edits?.event = changeEvent
        insertedList.append(object)
        pending.inserted.append(object)
        keep(object)
        noteEvent()
    }

    final func makeObject(entity: NSEntityDescription, insertInto context: NSManagedObjectContext) -> NSManagedObject {
        ObjectLayout.of(entity).objectClass.init(entity: entity, insertInto: context)
    }

    /// Marks an object for deletion at the next save; relationships follow their delete rules.
    ///
    /// An object whose deletion was saved meanwhile, here or elsewhere, is left unchanged.
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
        // An object without a row already counts as deleted.
        if object.state.contains(.inaccessible) { return }
        object.state.insert(.preparingDeletion)
        object.prepareForDeletion()
        object.state.remove(.preparingDeletion)
        // The callback may have rolled back or reset the context.
        guard object.registry === registry else { return }
        object.state.formUnion([.deleted, .pendingDelete])
        pending.deleted.append(object)
        if !object.state.contains(.inserted) { listDeleted(object) }
        noteEvent()
    }

    /// Makes the next save check an object for changes by other writers, although it is unchanged here.
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

    /// Assigns a new object to a store.
    ///
    /// The save fails with 134030 if the store does not hold the entity or has left the coordinator by then.
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
        assignedStores[ObjectIdentifier(object)] = (object, store)
    }

    /// Called by an object when its first property changes.
    final func noteChange(of object: NSManagedObject) {
        // There is no row to update.
        if object.state.contains(.inaccessible) { return }
        if !object.state.contains(.pendingUpdate) {
            object.state.insert(.pendingUpdate)
            pending.updated.append(object)
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

    /// Releases an object that leaves the context.
    final func stopKeeping(_ object: NSManagedObject) { retained?[ObjectIdentifier(object)] = nil }

    /// Handles a fault whose row is gone; returns whether it is treated as deleted.
    ///
    /// - Parameters:
    ///   - fault: The object.
    ///   - oid: Its identifier.
    ///   - property: The requested property, or nil.
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
    fileprivate func isLive(in states: ObjectState) -> Bool {
        state.contains(states) && !state.contains(.deleted)
    }
}
