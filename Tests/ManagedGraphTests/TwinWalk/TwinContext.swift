// A context in the plain model: objects over a source, with their changes. Written from the rules that Apple documents,
// not from the framework's sources; relationships are plain lists of serial numbers.
import Foundation
import ManagedGraph

/// Objects, their unsaved changes and the rules that propagate changes.
final class TwinContext: PlainSource {
    let source: any PlainSource
    let store: PlainStore
    let parent: TwinContext?
    /// Entities by serial number, shared by all contexts of a walk.
    let entities: PlainEntities
    var objects: [Int: PlainObject] = [:]
    /// The policy for conflicts with the store.
    var policy = NSMergePolicyType.errorMergePolicyType
    private var pendingDeleted: [Int] = []

    init(store: PlainStore, parent: TwinContext?, entities: PlainEntities) {
        self.store = store
        self.parent = parent
        self.entities = entities
        source = parent ?? store
    }

    // MARK: Finding objects

    /// Registers an unread object.
    func meet(_ serial: Int) {
        guard objects[serial] == nil, let entity = entities.names[serial] else { return }
        // Objects that were inserted and deleted before any save never existed.
        if !entities.saved.contains(serial), parent?.row(serial) == nil { return }
        objects[serial] = PlainObject(unread: serial, entity: entity)
    }

    /// The object with its values, reading them if needed.
    func read(_ serial: Int) -> PlainObject? {
        meet(serial)
        guard let object = objects[serial] else { return nil }
        if !object.isRead { object.read(source.row(serial)) }
        return object
    }

    /// The object, if it is registered and its values can be set.
    func live(_ serial: Int) -> PlainObject? {
        guard objects[serial] != nil, let object = read(serial), object.isLive else { return nil }
        return object
    }

    func row(_ serial: Int) -> TwinRow? {
        guard let object = read(serial), object.isLive else { return nil }
        var row = object.current
        for (name, members) in row.many {
            row.many[name] = members.filter { objects[$0]?.isDeleted != true }
        }
        return row
    }

    func found(_ query: WalkQuery) -> [Int] {
        if query.includesPending { spreadDeletes() }
        var whole = query
        whole.includesPending = true
        var result = source.found(whole)
        guard query.includesPending else { return result }
        let changed = objects.values.filter { $0.isInserted || $0.isDeleted || $0.isUpdated }
        let changedSerials = Set(changed.map(\.serial))
        result.removeAll(where: changedSerials.contains)
        result += changed.filter { !$0.isDeleted && query.admits($0.current, View(context: self)) }
            .map(\.serial)
        return result.sorted()
    }

    /// The context's view of related objects, including deleted ones.
    private final class View: PlainSource {
        let context: TwinContext
        init(context: TwinContext) { self.context = context }
        func row(_ serial: Int) -> TwinRow? { context.read(serial)?.current }
        func found(_ query: WalkQuery) -> [Int] { context.found(query) }
    }

    // MARK: Changing

    func insert(_ serial: Int, entity: String) {
        entities.names[serial] = entity
        let object = PlainObject(inserted: serial, entity: entity)
        object.current.values[WalkSchema.serial] = .number(Double(serial))
        objects[serial] = object
    }

    func set(_ object: PlainObject, _ key: String, _ value: PlainValue) {
        object.current.values[key] = value
        touch(object, key)
    }

    func touch(_ object: PlainObject, _ key: String) {
        if object.isInaccessible { return }
        object.touched.insert(key)
        object.alternatives[key] = nil
        object.oneAlternatives[key] = nil
        if !object.isInserted { object.isUpdated = true }
    }

    /// Sets a to-one relationship and updates both inverses.
    func relate(_ object: PlainObject, _ relationship: WalkRelationship, to serial: Int?) {
        let old = object.current.one[relationship.name]
        object.current.one[relationship.name] = serial
        touch(object, relationship.name)
        if old == serial { return }
        if let old, let former = read(old) { nullifyReferences(former, relationship.inverse, object.serial) }
        guard let serial, let destination = read(serial),
            let inverse = WalkSchema.relationship(destination.entity, relationship.inverse)
        else { return }
        if inverse.isToMany {
            if !destination.members(inverse.name).contains(object.serial) {
                destination.current.many[inverse.name, default: []].append(object.serial)
            }
            touch(destination, inverse.name)
        } else {
            let partner = destination.current.one[inverse.name]
            if partner == object.serial { return }
            destination.current.one[inverse.name] = object.serial
            touch(destination, inverse.name)
            if let partner, let former = read(partner) { nullifyReferences(former, relationship.name, serial) }
        }
    }

    /// Removes an object from the other side of a relationship.
    private func nullifyReferences(_ object: PlainObject, _ name: String, _ serial: Int) {
        guard let relationship = WalkSchema.relationship(object.entity, name) else { return }
        if relationship.isToMany {
            object.current.many[name]?.removeAll { $0 == serial }
            touch(object, name)
        } else if object.current.one[name] == serial {
            object.current.one[name] = nil
            touch(object, name)
        }
    }

    func add(_ object: PlainObject, _ relationship: WalkRelationship, _ serial: Int) {
        guard let member = read(serial),
            let inverse = WalkSchema.relationship(member.entity, relationship.inverse)
        else { return }
        touch(object, relationship.name)
        if !inverse.isToMany { return relate(member, inverse, to: object.serial) }
        touch(member, inverse.name)
        if !object.members(relationship.name).contains(serial) {
            object.current.many[relationship.name, default: []].append(serial)
        }
        if !member.members(inverse.name).contains(object.serial) {
            member.current.many[inverse.name, default: []].append(object.serial)
        }
    }

    func remove(_ object: PlainObject, _ relationship: WalkRelationship, _ serial: Int) {
        guard let member = read(serial),
            let inverse = WalkSchema.relationship(member.entity, relationship.inverse)
        else { return }
        touch(object, relationship.name)
        if !inverse.isToMany {
            if member.current.one[inverse.name] == object.serial { relate(member, inverse, to: nil) }
            return
        }
        nullifyReferences(object, relationship.name, serial)
        nullifyReferences(member, inverse.name, object.serial)
    }

    func replace(_ object: PlainObject, _ relationship: WalkRelationship, _ serials: [Int]) {
        for member in object.members(relationship.name) where !serials.contains(member) {
            remove(object, relationship, member)
        }
        for member in serials where !object.members(relationship.name).contains(member) {
            add(object, relationship, member)
        }
        if relationship.isOrdered {
            object.current.many[relationship.name] = serials
            touch(object, relationship.name)
        }
    }

    // MARK: Deleting

    func delete(_ object: PlainObject) {
        guard !object.isDeleted else { return }
        object.isDeleted = true
        object.isPendingDelete = true
        pendingDeleted.append(object.serial)
    }

    /// Propagates deletions and removes deleted new objects.
    func processPending() {
        spreadDeletes()
        for serial in pendingDeleted {
            guard let object = objects[serial], object.isPendingDelete else { continue }
            object.isPendingDelete = false
            if object.isInserted { objects[serial] = nil }
        }
        pendingDeleted = []
    }

    /// Propagates deletions without ending the event, as before a fetch.
    private func spreadDeletes() {
        var next = 0
        while next < pendingDeleted.count {
            let object = objects[pendingDeleted[next]]
            next += 1
            if let object, object.isPendingDelete { applyRules(object) }
        }
    }

    /// Applies the delete rules of a deleted object once more, because its row was read again.
    func respread(_ object: PlainObject) {
        guard object.isDeleted, !object.isInserted, !object.isInaccessible, !object.isPendingDelete else { return }
        object.isPendingDelete = true
        pendingDeleted.append(object.serial)
    }

    private func applyRules(_ object: PlainObject) {
        for relationship in object.relationships {
            let destinations =
                relationship.isToMany
                ? object.members(relationship.name) : object.current.one[relationship.name].map { [$0] } ?? []
            for serial in destinations {
                guard let destination = read(serial) else { continue }
                switch relationship.rule {
                case .cascadeDeleteRule: if !destination.isInaccessible { delete(destination) }
                case .nullifyDeleteRule:
                    if !destination.isDeleted { nullifyReferences(destination, relationship.inverse, object.serial) }
                case .denyDeleteRule:
                    // Deny rules do not apply to a new object, which is just removed.
                    if object.isInserted { nullifyReferences(destination, relationship.inverse, object.serial) }
                default: break
                }
            }
        }
    }

    /// Deleted objects that a deny rule protects.
    var denied: [Int] {
        objects.values.filter { object in
            object.isDeleted && !object.isInaccessible
                && object.relationships.contains { relationship in
                    relationship.rule == .denyDeleteRule
                        && object.members(relationship.name).contains { read($0)?.isLive == true }
                }
        }.map(\.serial)
    }

    var hasCertainChanges: Bool {
        objects.values.contains {
            !$0.isInaccessible
                && ($0.isInserted
                    ? !$0.isDeleted : $0.isDeleted || !$0.changedColumns.isEmpty || !$0.changedMembers.isEmpty)
        }
    }

    // MARK: Rollback, reset, refresh

    func rollback() {
        processPending()
        for object in objects.values {
            if object.isInserted || (object.isInaccessible && object.isDeleted) {
                objects[object.serial] = nil
            } else if let committed = object.committed {
                object.current = committed
                object.touched = []
                object.alternatives = [:]
                object.oneAlternatives = [:]
                object.isDeleted = false
                object.isUpdated = false
            }
        }
    }

    func reset() {
        objects = [:]
        pendingDeleted = []
    }

    func refresh(_ object: PlainObject, merging: Bool) {
        guard !object.isInserted else { return }
        if merging { reread(object) } else { object.makeFault() }
    }

    /// Reads an object again for a merge or a refresh, which follow a relationship that has changed to its other side.
    func refreshFollowing(_ object: PlainObject, isMerge: Bool = false) {
        guard !object.isInserted else { return }
        // The values of an unchanged object are discarded by a refresh, so that there is nothing to compare.
        let follows = object.isRead && (isMerge || object.hasChanges || object.isUpdated)
        let before = object.committed
        reread(object)
        guard follows, let before else { return }
        for relationship in object.relationships where !relationship.isToMany {
            let (former, now) = (before.one[relationship.name], object.committed?.one[relationship.name])
            guard former != now else { continue }
            for serial in [former, now].compactMap(\.self) { rereadMembers(serial, relationship.inverse) }
        }
    }

    /// Reads the members of a relationship again below the unsaved changes.
    private func rereadMembers(_ serial: Int, _ name: String) {
        guard let object = objects[serial], object.isRead, !object.isInserted, !object.isInaccessible,
            let relationship = WalkSchema.relationship(object.entity, name), relationship.isToMany
        else { return }
        let stored = source.row(serial)?.many[name] ?? []
        let (removed, added) = (Set(object.removed(name)), object.added(name))
        let members = stored.filter { !removed.contains($0) }
        object.committed?.many[name] = stored
        object.current.many[name] = members + added.filter { !members.contains($0) }
        if relationship.isOrdered { object.current.uncertain.insert(name) }
    }

    func refreshAll() {
        for object in objects.values { refreshFollowing(object) }
    }

    /// Reads fresh values below the unsaved ones.
    private func reread(_ object: PlainObject) {
        guard object.isRead else { return }
        defer { respread(object) }
        guard !object.touched.isEmpty, let before = object.committed, let fresh = source.row(object.serial) else {
            return object.read(source.row(object.serial))
        }
        let local = object.current
        var merged = fresh
        for key in object.touched {
            guard let relationship = WalkSchema.relationship(object.entity, key) else {
                merged.values[key] = local.values[key]
                if local.values[key] ?? .null == before.values[key] ?? .null {
                    object.alternatives[key] = fresh.values[key] ?? .null
                }
                continue
            }
            if relationship.isToMany {
                let removed = Set(object.removed(key))
                let added = object.added(key)
                var members = (fresh.many[key] ?? []).filter { !removed.contains($0) }
                members += added.filter { !members.contains($0) }
                merged.many[key] = members
                if relationship.isOrdered { merged.uncertain.insert(key) }
            } else {
                merged.one[key] = local.one[key]
                if local.one[key] == before.one[key] { object.oneAlternatives[key] = .some(fresh.one[key]) }
            }
        }
        object.committed = fresh
        object.current = merged
    }
}
