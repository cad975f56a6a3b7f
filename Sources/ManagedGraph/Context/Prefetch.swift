// Reads the related objects of fetched objects: one statement for each relationship, for any number of objects. Run by
// FetchOperation after it has read its own rows, and by a parent for its children.
import Foundation
import GraphEngine
import GraphSQL
import GraphSQLite

/// The prefetching of one fetch.
struct Prefetch {
    let context: NSManagedObjectContext
    let coordinator: NSPersistentStoreCoordinator

    /// Follows key paths of relationships; paths with a common prefix share its rows.
    ///
    /// A name that is not a relationship ends its path: prefetching never changes the results of a fetch, and apps name
    /// attributes and properties of former models.
    func run(_ objects: [NSManagedObject], paths: [String], layout: ObjectLayout) throws {
        var rest: [String: [String]] = [:]
        for path in paths where !path.isEmpty {
            let parts = path.split(separator: ".", maxSplits: 1).map(String.init)
            rest[parts[0], default: []] += parts.dropFirst()
        }
        for (name, further) in rest.sorted(by: { $0.key < $1.key }) {
            guard let destination = destination(of: name, layout) else { continue }
            let groups = try follow(objects, name)
            if !further.isEmpty { try run(groups.flatMap { reached($0, name) }, paths: further, layout: destination) }
        }
    }

    /// Reads one relationship of the objects that have it.
    @discardableResult
    func follow(_ objects: [NSManagedObject], _ name: String) throws -> [Group] {
        let groups = groups(objects, name)
        for group in groups {
            for reached in try read(group, name) { keep(reached, for: group.owners, name) }
        }
        return groups
    }

    /// Reads one relationship of the objects that have it.
    ///
    /// - Returns: Lists of the objects that were not known before or had no row, and perhaps others; the caller must hold
    ///   them.
    func read(_ objects: [NSManagedObject], _ name: String) throws -> [[NSManagedObject]] {
        try groups(objects, name).flatMap { try read($0, name).map(\.objects) }
    }

    private func destination(of name: String, _ layout: ObjectLayout) -> ObjectLayout? {
        // A subentity's relationship is valid too: its objects may be among those fetched.
        for index in [layout.index] + layout.family {
            let candidate = layout.model.layouts[index]
            guard let slot = candidate.slot(named: name), let destination = candidate.slots[slot].destination else {
                continue
            }
            return layout.model.layouts[destination]
        }
        Diagnosis.warnOnce(layout, "prefetching \(name)", warning(of: name, layout))
        return nil
    }

    private func warning(of name: String, _ layout: ObjectLayout) -> String {
        let names = layout.slots.filter { $0.kind == .toOne || $0.kind == .toMany }.map(\.name)
        let near = NearestName.of(name, among: names).map { " Did you mean \($0)?" } ?? ""
        return "relationshipKeyPathsForPrefetching names \(name), which is not a relationship of \(layout.name): it is "
            + "ignored.\(near)"
    }

    /// Objects that share a relationship.
    struct Group {
        fileprivate let key: StepKey
        var owners: [NSManagedObject] = []
    }

    /// Groups objects by their relationship of a name; subentities share that of the entity that declares it.
    private func groups(_ objects: [NSManagedObject], _ name: String) -> [Group] {
        // Objects that share their slots and their store are one group as they are.
        if let first = objects.first,
            objects.allSatisfy({ $0.table == first.table && $0.primaryKey > 0 && !$0.state.contains(.gone) })
        {
            return key(of: first, name).map { [Group(key: $0, owners: objects)] } ?? []
        }
        var groups: [Group] = []
        var place = 0
        // Most objects have the same entity and store as the one before.
        var last: (layout: ObjectLayout, store: Int32, isWanted: Bool)?
        for object in objects where object.key.primaryKey > 0 && !object.state.contains(.gone) {
            if last?.layout !== object.layout || last?.store != object.key.store {
                last = (object.layout, object.key.store, false)
                guard let key = key(of: object, name) else { continue }
                place = groups.firstIndex { $0.key == key } ?? groups.count
                if place == groups.count { groups.append(Group(key: key)) }
                last?.isWanted = true
            }
            if last?.isWanted == true { groups[place].owners.append(object) }
        }
        return groups
    }

    /// The relationship of a name that an object shares with others; nil if there is none to read.
    private func key(of object: NSManagedObject, _ name: String) -> StepKey? {
        guard let slot = object.layout.slot(named: name), object.layout.slots[slot].isStored,
            // A program's own store has received the request and prefetches as it likes.
            !(coordinator.rowStore(at: object.key.store) is NSIncrementalStore)
        else { return nil }
        return StepKey(tree: object.layout.tree.index, slot: object.layout.slots[slot], store: object.key.store)
    }

    /// Rows read for a relationship, and their objects.
    private struct Reached {
        let batch: RowBatch
        let objects: [NSManagedObject]
    }

    private func read(_ group: Group, _ name: String) throws -> [Reached] {
        switch group.key.kind {
        case .toOne: try toOne(group.owners, name)
        case .toMany: try toMany(group.owners, name)
        case .attribute, .fetched: []
        }
    }

    /// The destinations of a relationship, once each.
    private func reached(_ group: Group, _ name: String) -> [NSManagedObject] {
        var objects: [NSManagedObject] = []
        var keys: [ObjectKey] = []
        for (owner, slot) in Slots(group.owners, name) {
            switch owner.valueInMemory(slot) {
            case .object(let object): objects.append(object)
            case .reference(let key): keys.append(key)
            case .toMany(let members): keys += members.stored ?? []
            default: continue
            }
        }
        return objects + unique(keys)
    }

    /// Objects, each with its slot of a name, which is looked up when the entity changes.
    private struct Slots: Sequence, IteratorProtocol {
        private var owners: IndexingIterator<[NSManagedObject]>
        private let name: String
        private var layout: ObjectLayout?
        private var slot: Int?

        init(_ owners: [NSManagedObject], _ name: String) {
            self.owners = owners.makeIterator()
            self.name = name
        }

        mutating func next() -> (NSManagedObject, Int)? {
            while let owner = owners.next() {
                if owner.layout !== layout {
                    layout = owner.layout
                    slot = owner.layout.slot(named: name)
                }
                if let slot { return (owner, slot) }
            }
            return nil
        }
    }

    private func toOne(_ owners: [NSManagedObject], _ name: String) throws -> [Reached] {
        var unreadKeys: [StoreKey: [Int64]] = [:]
        var seen: Set<ObjectKey> = []
        var last: ObjectKey?
        for (owner, slot) in Slots(owners, name) {
            guard let key = owner.destinationInMemory(slot), key != last, !key.isTemporary else { continue }
            last = key
            guard seen.insert(key).inserted else { continue }
            let tree = owner.layout.model.layouts[Int(key.entity)].tree
            if let existing = context.registered(key, tree), !existing.isUnread { continue }
            unreadKeys[StoreKey(entity: key.entity, store: key.store), default: []].append(key.primaryKey)
        }
        var reached: [Reached] = []
        for (place, primaryKeys) in unreadKeys {
            let layout = coordinator.compiledModel.layouts[Int(place.entity)]
            guard let store = coordinator.rowStore(at: place.store) else { continue }
            let batch = try context.observed(.prefetch(entity: owners[0].layout.name, property: name)) {
                try context.reading(store) { try $0.rows(tree: layout.tree, keys: primaryKeys.sorted()) }
            }
            let objects = context.objects(from: batch, layout: layout, store: store, asFaults: true)
            reached.append(Reached(batch: batch, objects: objects))
        }
        return reached
    }

    private func toMany(_ owners: [NSManagedObject], _ name: String) throws -> [Reached] {
        var unread: [NSManagedObject] = []
        for (owner, slot) in Slots(owners, name) {
            if case .toMany(let members)? = owner.edits?.values[slot], members.stored != nil { continue }
            unread.append(owner)
        }
        guard let first = unread.first, let slot = first.layout.slot(named: name),
            let store = coordinator.rowStore(at: first.key.store),
            let destination = first.layout.slots[slot].destination
        else { return [] }
        let layout = coordinator.compiledModel.layouts[destination]
        let batch = try context.observed(.prefetch(entity: first.layout.name, property: name)) {
            try context.reading(store) {
                try $0.members(layout: first.layout.stored, slot: slot, owners: unread.map(\.key.primaryKey))
            }
        }
        // A row without a join table has one owner.
        let members = context.objects(from: batch, layout: layout, store: store, asFaults: true)
        // The rows are grouped by owner.
        var keys: [Int64: [ObjectKey]] = [:]
        let ownerColumn = layout.tree.kinds.count
        var row = 0
        while row < members.count {
            let owner = batch.integer(ownerColumn, row)
            let start = row
            while row < members.count, batch.integer(ownerColumn, row) == owner { row += 1 }
            keys[owner, default: []] += members[start..<row].map(\.key)
        }
        for (owner, slot) in Slots(unread, name) { owner.noteMembers(keys[owner.key.primaryKey] ?? [], slot: slot) }
        return [Reached(batch: batch, objects: members)]
    }

    /// Keeps objects as long as the rows of their owners.
    private func keep(_ reached: Reached, for owners: [NSManagedObject], _ name: String) {
        if context.registry.faultingPolicy != .allow {
            context.noteReached(reached.objects, from: owners.first, by: name)
        }
        // Only the objects created for these rows: others have owners of their own, perhaps these very ones.
        let newObjects = HeldObjects(reached.objects.filter { $0.snapshot === reached.batch })
        var seen: Set<ObjectIdentifier> = []
        var last: ObjectIdentifier?
        for owner in owners {
            guard let rows = owner.snapshot, rows !== reached.batch else { continue }
            // Most owners share their rows with the one before.
            let place = ObjectIdentifier(rows)
            guard place != last else { continue }
            last = place
            if seen.insert(place).inserted { rows.companions.append(newObjects) }
        }
    }

    /// Objects that are held together, as one reference.
    private final class HeldObjects {
        private let objects: [NSManagedObject]

        init(_ objects: [NSManagedObject]) { self.objects = objects }
    }

    private func unique(_ keys: [ObjectKey]) -> [NSManagedObject] {
        var seen: Set<ObjectKey> = []
        return keys.compactMap { key in
            guard seen.insert(key).inserted else { return nil }
            return context.registered(key, coordinator.compiledModel.layouts[Int(key.entity)].tree)
        }
    }

    fileprivate struct StepKey: Hashable {
        let tree: Int
        let property: String
        let kind: Slot.Kind
        let destination: Int?
        let store: Int32

        init(tree: Int, slot: Slot, store: Int32) {
            self.tree = tree
            property = slot.name
            kind = slot.kind
            destination = slot.destination
            self.store = store
        }
    }

    private struct StoreKey: Hashable {
        let entity: Int32
        let store: Int32
    }
}

extension NSManagedObject {

    /// The slot's value as far as it is in memory; fires no fault.
    func valueInMemory(_ slot: Int) -> Value {
        if let editedValue = edits?.values[slot], !editedValue.isAbsent { return editedValue }
        return snapshotValue(slot)
    }

    /// The key of a to-one destination as far as it is in memory; nil for an object that was set.
    ///
    /// Fires no fault.
    @inline(__always)
    func destinationInMemory(_ slot: Int) -> ObjectKey? {
        if let key = storedDestination(slot) { return key }
        if case .reference(let key) = valueInMemory(slot) { return key }
        return nil
    }

    /// Records the stored members of a to-many relationship; fires no fault.
    func noteMembers(_ keys: [ObjectKey], slot: Int) {
        let edits = ensureEdits()
        if case .toMany(let members) = edits.values[slot] {
            members.read(keys)
        } else {
            edits.values[slot] = .toMany(ToManyState(stored: keys))
        }
    }
}
