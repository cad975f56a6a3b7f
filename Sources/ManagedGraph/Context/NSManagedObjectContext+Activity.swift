// Records the causes of statements, the faults that are filled and the saves, while the coordinator's activity is
// observed. Called by fetches, faults, saves and requests; without an observer each call costs one load.
import Foundation
import GraphEngine
import GraphPredicates

extension NSManagedObjectContext {
    /// Runs an operation that may run statements; `cause` is evaluated only if the activity is observed.
    @inline(__always)
    final func observed<R>(_ cause: @autoclosure () -> StoreActivity.Cause, _ body: () throws -> R) rethrows -> R {
        registry.isObserved ? try ActivityRecorder.run(scope(cause()), body) : try body()
    }

    /// The scope of an operation that continues on another thread; nil if the activity is not observed.
    final func scopeIfObserved(_ cause: @autoclosure () -> StoreActivity.Cause) -> ActivityScope? {
        registry.isObserved ? scope(cause()) : nil
    }

    /// The scope of an operation.
    ///
    /// If this context works for the context of the outer operation, the operation counts as that of the other context.
    @inline(never)
    private func scope(_ cause: StoreActivity.Cause, began: ContinuousClock.Instant? = nil) -> ActivityScope {
        if let outer = ActivityRecorder.current?.scope, works(for: outer) {
            let isSame = isAuxiliary && cause.isRequest
            return ActivityScope(
                isSame ? outer.cause : cause,
                context: outer.context,
                owner: outer.owner,
                began: began
            )
        }
        let context = StoreActivity.Context(
            id: ObjectIdentifier(self),
            name: name,
            transactionAuthor: transactionAuthor
        )
        return ActivityScope(cause, context: context, owner: self, began: began)
    }

    /// Whether this context is the one of an operation, an ancestor of it, or was created for the operation.
    private func works(for scope: ActivityScope) -> Bool {
        if isAuxiliary { return true }
        var context = scope.owner as? NSManagedObjectContext
        while let candidate = context {
            if candidate === self { return true }
            context = candidate.parentContext
        }
        return false
    }

    // MARK: Faults

    /// Reads the row of a fault, and records that it has fired if it was read.
    final func observedFill(_ object: NSManagedObject) throws -> Bool {
        // A child's fault that a parent reads has fired once, in the child.
        let isServing = ActivityRecorder.current?.scope.map { $0.cause.isFault && works(for: $0) } ?? false
        return try observed(.fault(of: object)) {
            let isThere = try fillUnread(object)
            if isThere, !isServing { record(fault: object) }
            return isThere
        }
    }

    /// Reads the rows of a fault and of its neighbours again, which a save has changed since they were read.
    final func fillOutdated(_ object: NSManagedObject, keys: [Int64]) throws {
        try observed(.fault(of: object)) { try fill(keys: keys, layout: object.layout, store: object.key.store) }
    }

    private func record(fault object: NSManagedObject) {
        guard let recorder = ActivityRecorder.current, let center = registry.coordinator?.activity else { return }
        let fault = StoreActivity.FiredFault(objectID: object.objectID, context: recorder.scope?.context)
        recorder.record(.faultFired(fault), for: center)
    }

    // MARK: Saves

    /// Runs a whole save; its changes are not determined yet.
    @inline(__always)
    final func observedSave(_ body: () throws -> Void) rethrows {
        registry.isObserved ? try recordedSave(body) : try body()
    }

    @inline(never)
    private func recordedSave(_ body: () throws -> Void) rethrows {
        let cause = StoreActivity.Cause.save(
            inserted: insertedList.count,
            updated: updatedList.count,
            deleted: deletedList.count
        )
        try ActivityRecorder.run(scope(cause, began: .now), body)
    }

    /// Writes the changes of a save, and records them once they are written.
    @inline(__always)
    final func observedWrite(of changes: SaveChanges, _ body: () throws -> Void) rethrows {
        registry.isObserved ? try recordedWrite(of: changes, body) : try body()
    }

    @inline(never)
    private func recordedWrite(of changes: SaveChanges, _ body: () throws -> Void) rethrows {
        // The observation may have begun during the save.
        guard let recorder = ActivityRecorder.current, let scope = recorder.scope, let began = scope.began,
            let center = registry.coordinator?.activity
        else { return try body() }
        scope.cause = .save(
            inserted: changes.inserted.count,
            updated: changes.updated.count,
            deleted: changes.deleted.count
        )
        // A save gives new objects other identifiers, and discards the lists of changed properties.
        let recordsValues = center.recordsValues
        let inserted = changes.inserted.map { SavedObject($0, recordsValues: recordsValues) }
        let updated = changes.updated.map { SavedObject($0, recordsValues: recordsValues) }
        let deleted = changes.deleted.map(\.objectID)
        let lost = recordsValues ? changes.deleted.map { SavedObject(deleted: $0) } : []
        try body()
        let save = StoreActivity.FinishedSave(
            context: scope.context,
            inserted: inserted.map(\.activity),
            updated: updated.map(\.activity),
            deleted: deleted,
            deletedObjects: lost.map(\.activity),
            duration: .now - began,
            isSavedToParent: parentContext != nil
        )
        recorder.record(.saveFinished(save), for: center)
    }

    // MARK: Counts

    /// The number of objects in memory, as `registeredObjects.count`, without retaining the objects.
    ///
    /// O(registered objects).
    public final var registeredObjectCount: Int {
        checkQueue("registeredObjectCount")
        let unregistered = insertedList.count { $0.key.primaryKey == 0 && $0.state.contains(.inserted) && isOwn($0) }
        return registry.count + unregistered
    }
}

extension StoreActivity.Cause {
    static func fault(of object: NSManagedObject) -> Self {
        .fault(entity: object.layout.name, objectID: object.objectID)
    }

    static func relationshipFault(of object: NSManagedObject, slot: Int) -> Self {
        .relationshipFault(
            entity: object.layout.name,
            property: object.layout.slots[slot].name,
            objectID: object.objectID
        )
    }

    static func fetch<T>(_ request: NSFetchRequest<T>) -> Self {
        .fetch(entity: request.entityName ?? "", predicate: text(of: request.predicate))
    }

    static func count<T>(_ request: NSFetchRequest<T>) -> Self {
        .count(entity: request.entityName ?? "", predicate: text(of: request.predicate))
    }

    /// The predicate as text, with short lists and without the values of objects.
    private static func text(of predicate: NSPredicate?) -> String? {
        predicate.map { NSPredicate.make($0.node.mapped(PredicateMapping(constant: shortened))).printedFormat }
    }

    private static func shortened(_ constant: Any?) -> Any? {
        switch constant {
        case let object as NSManagedObject: Abbreviation(object.describeForMessages)
        case let list as any ListConstant: firstElements(of: list)
        default: constant
        }
    }

    private static func firstElements(of list: some ListConstant) -> [Any?] {
        let first = list.prefix(20).map { shortened($0) }
        return list.count > 20 ? first + [Abbreviation("\(list.count - 20) more")] : first
    }

    /// A text that a predicate prints in place of a value.
    private struct Abbreviation: CustomStringConvertible {
        let description: String

        init(_ text: String) { description = text }
    }
}

/// A list among a predicate's constants.
private protocol ListConstant: Collection {}

extension Array: ListConstant {}
extension ContiguousArray: ListConstant {}
extension Set: ListConstant {}
