// One walk: contexts over a fresh store and their plain models; each step applies to both. The comparison is in
// TwinWalk+Looking.swift.
import Foundation
import ManagedGraph

@testable import StackSupport

/// The framework's contexts and the plain ones, in parallel.
final class TwinWalk {
    private let place: WalkStore
    let stack: Stack
    let contexts: [NSManagedObjectContext]
    let store: PlainStore
    let plain: [TwinContext]
    /// Known objects of each context, retained so that they stay registered.
    var handles: [[Int: NSManagedObject]]
    var serials: [[ObjectIdentifier: Int]]
    /// Serial numbers of saved objects.
    var identifiers: [NSManagedObjectID: Int] = [:]
    /// The last save of each context.
    private var lastSaves: [(notification: Notification, changes: PlainChanges)?]
    private let listener = SaveListener()
    private var saved: Notification? { listener.last }
    private var lastContext = 0
    /// Contexts in which one side of a relationship was refreshed without the other.
    var oneSided: Set<Int> = []
    /// Whether the whole walk is one turn; otherwise each step is its own turn.
    let isOneTurn: Bool
    private(set) var steps: [TwinStep] = []

    init(_ setting: WalkSetting) throws {
        isOneTurn = setting.isOneTurn
        place = try WalkStore(setting.store)
        stack = try Stack(model: WalkSchema.makeModel(), url: place.url, type: setting.store.type)
        let entities = PlainEntities()
        var contexts = [stack.context, stack.otherContext()]
        let store = PlainStore(clearsReferences: setting.store.isPostgreSQL)
        self.store = store
        var plain = contexts.map { _ in TwinContext(store: store, parent: nil, entities: entities) }
        if setting.shape == .family {
            let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            child.parent = contexts[0]
            contexts.append(child)
            plain.append(TwinContext(store: store, parent: plain[0], entities: entities))
        }
        for index in 0..<2 {
            contexts[index].mergePolicy = NSMergePolicy(merge: setting.policy)
            plain[index].policy = setting.policy
        }
        self.contexts = contexts
        self.plain = plain
        handles = contexts.map { _ in [:] }
        serials = contexts.map { _ in [:] }
        lastSaves = contexts.map { _ in nil }
    }

    deinit { for store in stack.coordinator.persistentStores { try? stack.coordinator.remove(store) } }

    /// Runs `body` inside all contexts, children outermost, because they may enter their parents.
    func inside<R>(_ body: () throws -> R) throws -> R {
        guard isOneTurn else { return try body() }
        return try enter(contexts[...], body)
    }

    private func enter<R>(_ rest: ArraySlice<NSManagedObjectContext>, _ body: () throws -> R) throws -> R {
        guard let last = rest.last else { return try body() }
        return try last.performAndWait { () throws in try enter(rest.dropLast(), body) }
    }

    /// Applies one step to both sides and compares them.
    func perform(_ step: TwinStep) throws {
        steps.append(step)
        if step.context != lastContext || step.operation.needsLook { try lookAtAll() }
        lastContext = step.context
        let context = contexts[step.context]
        try context.performAndWait { () throws in
            try apply(step.operation, step.context)
            if !isOneTurn {
                context.processPendingChanges()
                plain[step.context].processPending()
            }
        }
        if !isUndefined { for index in contexts.indices { try dropGone(index) } }
        if step.looks, !isUndefined { try lookAtAll() }
    }

    /// Whether a step had a result that no rule defines.
    var isUndefined: Bool { plain[0].entities.isUndefined }

    func fail(_ message: String) -> TwinFailure { TwinFailure(text: message) }

    // MARK: Operations

    private func apply(_ operation: WalkOperation, _ index: Int) throws {
        let context = contexts[index]
        let plain = plain[index]
        switch operation {
        case .insert(let serial, let entity):
            guard plain.entities.names[serial] == nil else { return }
            let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
            object.setValue(serial, forKey: WalkSchema.serial)
            plain.insert(serial, entity: entity)
            try note(object, serial, index)
        case .set(let serial, let key, let value):
            guard let (object, model) = try live(serial, index) else { return }
            object.setValue(value.any, forKey: key)
            plain.set(model, key, value)
        case .relate, .add, .remove, .replace, .rearrange:
            try relate(operation, index)
        case .delete(let serial):
            guard let (object, model) = try live(serial, index) else { return }
            context.delete(object)
            plain.delete(model)
        case .process:
            context.processPendingChanges()
            plain.processPending()
        case .save: try save(index)
        case .rollback:
            context.rollback()
            plain.rollback()
        case .refresh(let serial, let merging):
            guard let model = plain.objects[serial], let object = handles[index][serial] else { return }
            // A refresh would undo the insertion of a new object.
            if !merging, model.isInserted { return }
            if !merging { oneSided.insert(index) }
            context.refresh(object, mergeChanges: merging)
            if merging { plain.refreshFollowing(model) } else { plain.refresh(model, merging: false) }
        case .refreshAll:
            context.refreshAllObjects()
            plain.refreshAll()
        case .fetch(let query): try fetch(query, index)
        case .reset:
            context.reset()
            plain.reset()
            oneSided.remove(index)
        case .nullifyReferences(let serial): try release(serial, index)
        case .merge(let source):
            guard let save = lastSaves[source], source != index,
                plain.parent == nil ? self.plain[source].parent == nil : self.plain[source] === plain.parent
            else { return }
            context.mergeChanges(fromContextDidSave: save.notification)
            plain.merge(save.changes)
            oneSided.insert(index)
        }
    }

    private func relate(_ operation: WalkOperation, _ index: Int) throws {
        let plain = plain[index]
        switch operation {
        case .relate(let serial, let key, let related):
            guard let (object, model) = try live(serial, index),
                let relationship = WalkSchema.relationship(model.entity, key)
            else { return }
            guard let related else {
                object.setValue(nil, forKey: key)
                return plain.relate(model, relationship, to: nil)
            }
            guard let (destination, _) = try live(related, index) else { return }
            object.setValue(destination, forKey: key)
            plain.relate(model, relationship, to: related)
        case .add(let serial, let key, let related), .remove(let serial, let key, let related):
            guard let (object, model) = try live(serial, index), let (member, _) = try live(related, index),
                let relationship = WalkSchema.relationship(model.entity, key)
            else { return }
            let isAdding = if case .add = operation { true } else { false }
            if relationship.isOrdered {
                _ = try lookAt(serial, index)
                let members = model.members(key)
                let changed =
                    isAdding
                    ? (members.contains(related) ? members : members + [related]) : members.filter { $0 != related }
                guard changed.allSatisfy({ handles[index][$0] != nil && plain.objects[$0]?.isLive == true }) else {
                    return
                }
                set(object, relationship, changed.compactMap { handles[index][$0] })
                return plain.replace(model, relationship, changed)
            }
            let members = object.mutableSetValue(forKey: key)
            if isAdding { members.add(member) } else { members.remove(member) }
            if isAdding { plain.add(model, relationship, related) } else { plain.remove(model, relationship, related) }
        case .replace(let serial, let key, let others):
            guard let (object, model) = try live(serial, index),
                let relationship = WalkSchema.relationship(model.entity, key)
            else { return }
            let members = try others.compactMap { try live($0, index) }
            set(object, relationship, members.map(\.0))
            plain.replace(model, relationship, members.map(\.1.serial))
        case .rearrange(let serial, let key, let places):
            guard let (object, model) = try live(serial, index), try lookAt(serial, index),
                let relationship = WalkSchema.relationship(model.entity, key)
            else { return }
            let members = model.members(key)
            guard members.count > 1, members.allSatisfy({ plain.objects[$0]?.isLive ?? false }) else { return }
            let turned = Array(members[(places % members.count)...] + members[..<(places % members.count)])
            set(object, relationship, turned.compactMap { handles[index][$0] })
            plain.replace(model, relationship, turned)
        default: return
        }
    }

    private func set(_ object: NSManagedObject, _ relationship: WalkRelationship, _ members: [NSManagedObject]) {
        object.setValue(
            relationship.isOrdered ? NSOrderedSet(array: members) : NSSet(array: members),
            forKey: relationship.name
        )
    }

    /// The object on both sides, if it can be changed.
    private func live(_ serial: Int, _ index: Int) throws -> (NSManagedObject, PlainObject)? {
        guard let object = handles[index][serial], let model = plain[index].live(serial) else { return nil }
        return (object, model)
    }

    // MARK: Saving, fetching

    private func save(_ index: Int) throws {
        let context = contexts[index]
        let plain = plain[index]
        guard context.hasChanges else {
            if plain.hasCertainChanges { throw fail("hasChanges is false, the plain model has changes") }
            return
        }
        let observer = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextDidSave,
            object: context,
            queue: nil
        ) { [listener] in listener.last = $0 }
        defer { NotificationCenter.default.removeObserver(observer) }
        listener.last = nil
        var code: Int?
        do {
            try context.save()
        } catch let error as NSError {
            code = error.code
        }
        let outcome = plain.save()
        if isUndefined { return }
        switch (outcome, code) {
        case (.saved(let changes), nil): try noteSave(changes, index)
        case (.refused(let codes), let code?) where codes.contains(code): return
        case (let expected, let code):
            throw fail("save gave \(code.map { "the error \($0)" } ?? "no error"), expected \(expected)")
        }
    }

    /// Compares the objects in a save's notification with the expected ones.
    private func noteSave(_ expected: PlainChanges, _ index: Int) throws {
        guard let saved else {
            if expected != PlainChanges() { throw fail("save posted nothing, expected \(expected)") }
            return
        }
        func set(_ key: String) throws -> Set<Int> {
            let objects = saved.userInfo?[key] as? Set<NSManagedObject> ?? []
            return Set(try objects.map { try serial(of: $0, index) })
        }
        let isChild = plain[index].parent != nil
        for (serial, object) in handles[index] where isChild || !object.objectID.isTemporaryID {
            identifiers[object.objectID] = serial
        }
        let actual = PlainChanges(
            inserted: try set(NSInsertedObjectsKey),
            updated: try set(NSUpdatedObjectsKey),
            deleted: try set(NSDeletedObjectsKey)
        )
        // Objects deleted here and elsewhere may be reported again.
        let again = actual.deleted.subtracting(expected.deleted)
        let isKnown = again.allSatisfy { plain[index].objects[$0]?.isInaccessible == true }
        for serial in again { plain[index].objects[serial] = nil }
        if actual.inserted != expected.inserted || !isKnown || !expected.deleted.isSubset(of: actual.deleted)
            || !actual.updated.isSubset(of: expected.updated)
        {
            throw fail("save announced \(actual), expected \(expected)")
        }
        lastSaves[index] = (saved, actual)
    }

    private func fetch(_ query: WalkQuery, _ index: Int) throws {
        let context = contexts[index]
        let plain = plain[index]
        let request = NSFetchRequest<NSManagedObject>(entityName: query.entity)
        guard
            let predicate = query.predicate(box: { serial in
                plain.objects[serial]?.isInserted == false ? handles[index][serial] : nil
            })
        else { return }
        request.predicate = predicate
        request.sortDescriptors = query.sortsByName ? [NSSortDescriptor(key: "name", ascending: query.isAscending)] : []
        request.sortDescriptors?.append(NSSortDescriptor(key: WalkSchema.serial, ascending: true))
        request.fetchLimit = query.limit
        request.includesPendingChanges = query.includesPending
        adoptFlags(index)
        let expected = plain.found(query)
        let serials = try context.fetch(request).map { try serial(of: $0, index) }
        if Set(serials).count != serials.count {
            throw fail("\(WalkOperation.fetch(query)) gave an object twice: \(serials)")
        }
        let isExpected =
            query.limit > 0
            ? serials.count == min(query.limit, expected.count) && Set(serials).isSubset(of: expected)
            : serials.sorted() == expected
        if !isExpected { throw fail("\(WalkOperation.fetch(query)) gave \(serials), expected \(expected)") }
        for serial in serials { plain.meet(serial) }
        if plain.parent == nil, query.limit == 0, serials.allSatisfy({ isFresh($0, plain) }) {
            let sorted = serials.sorted { isBefore($0, $1, query, plain) }
            if sorted != serials {
                throw fail("\(WalkOperation.fetch(query)) gave the order \(serials), expected \(sorted)")
            }
        }
    }

    private func isFresh(_ serial: Int, _ plain: TwinContext) -> Bool {
        guard let object = plain.objects[serial] else { return false }
        return !object.isRead || object.isInserted || object.committed?.version == store.rows[serial]?.version
    }

    private func isBefore(_ left: Int, _ right: Int, _ query: WalkQuery, _ plain: TwinContext) -> Bool {
        func name(_ serial: Int) -> String? {
            let isStore = !query.includesPending
            let row = isStore ? store.rows[serial] : plain.read(serial)?.current
            if case .text(let text)? = row?.values["name"] { return text }
            return nil
        }
        guard query.sortsByName, name(left) != name(right) else { return left < right }
        let isLess = name(left).map { first in name(right).map { first < $0 } ?? false } ?? true
        return isLess == query.isAscending
    }

    // MARK: Leaving memory

    /// Releases an object, which then leaves memory if it has no unsaved changes.
    private func release(_ serial: Int, _ index: Int) throws {
        let context = contexts[index]
        guard let identifier = handles[index][serial]?.objectID, !identifier.isTemporaryID, !isOneTurn else { return }
        drop(serial, index)
        listener.last = nil
        if let still = context.registeredObject(for: identifier) {
            let isHeld =
                plain[index].objects.values.contains(where: \.hasChanges) || lastSaves[index] != nil
                || handles[index].values.contains { holds($0, still) }
            if !isHeld, plain[index].parent == nil {
                throw fail("the unchanged object \(serial) stays in memory although it is not referenced")
            }
            try note(still, serial, index)
        } else {
            plain[index].objects[serial] = nil
        }
    }

    /// Whether an object has read a to-many relationship that contains another.
    private func holds(_ owner: NSManagedObject, _ member: NSManagedObject) -> Bool {
        owner.entity.relationshipsByName.contains { key, relationship in
            guard relationship.isToMany, !owner.hasFault(forRelationshipNamed: key) else { return false }
            return owner.objectIDs(forRelationshipNamed: key).contains(member.objectID)
        }
    }

    func drop(_ serial: Int, _ index: Int) {
        if let object = handles[index].removeValue(forKey: serial) {
            serials[index][ObjectIdentifier(object)] = nil
        }
    }

    /// Checks that objects removed from the plain model are gone from the context.
    private func dropGone(_ index: Int) throws {
        for (serial, object) in handles[index] where plain[index].objects[serial] == nil {
            if object.managedObjectContext != nil { throw fail("\(serial) is gone and has a context still") }
            drop(serial, index)
        }
    }

    /// Keeps the last notification; used on one thread only.
    private final class SaveListener: @unchecked Sendable {
        var last: Notification?
    }
}

extension WalkOperation {
    /// Whether all objects must be compared before the operation.
    ///
    /// Otherwise they would be read later, from another state of the store.
    fileprivate var needsLook: Bool {
        switch self {
        case .save, .merge, .refreshAll, .nullifyReferences: true
        default: false
        }
    }
}
