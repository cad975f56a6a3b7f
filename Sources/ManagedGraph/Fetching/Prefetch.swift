// Reads what the objects of a fetch are related to: one statement for each relationship, however many objects there
// are. Run by FetchOperation after its own rows have come in.
import Foundation
import GraphEngine
import GraphSQL
import GraphSQLite

/// The prefetching of one fetch.
struct Prefetch {
    let context: NSManagedObjectContext
    let coordinator: NSPersistentStoreCoordinator

    /// Follows key paths of relationships; paths with a common beginning share its rows.
    ///
    /// Throws 134060 for a path that is no relationship of the entity.
    func run(_ objects: [NSManagedObject], paths: [String], layout: ObjectLayout) throws {
        var rest: [String: [String]] = [:]
        for path in paths where !path.isEmpty {
            let parts = path.split(separator: ".", maxSplits: 1).map(String.init)
            rest[parts[0], default: []] += parts.dropFirst()
        }
        for (name, further) in rest.sorted(by: { $0.key < $1.key }) {
            let destination = try destination(of: name, layout)
            let reached = try step(objects, name)
            if !further.isEmpty { try run(reached, paths: further, layout: destination) }
        }
    }

    private func destination(of name: String, _ layout: ObjectLayout) throws -> ObjectLayout {
        // A subentity's relationship serves too: its objects may be among those fetched.
        for index in [layout.index] + layout.family {
            let candidate = layout.model.layouts[index]
            guard let slot = candidate.slot(named: name), let found = candidate.slots[slot].destination else {
                continue
            }
            return layout.model.layouts[found]
        }
        let known = layout.slots.filter { $0.kind == .toOne || $0.kind == .toMany }.map(\.name).sorted()
        let near = NearestName.of(name, among: known).map { " Did you mean \($0)?" } ?? ""
        throw CoreDataError.make(
            NSCoreDataError,
            "relationshipKeyPathsForPrefetching names \(name), which is no relationship of \(layout.name).\(near)",
            remedy: known.isEmpty ? "Leave it out." : "Use one of: \(known.joined(separator: ", "))."
        )
    }

    /// One relationship of all objects; returns the objects it leads to.
    private func step(_ objects: [NSManagedObject], _ name: String) throws -> [NSManagedObject] {
        var groups: [StepKey: [NSManagedObject]] = [:]
        var order: [StepKey] = []
        for object in objects where object.key.primaryKey > 0 && !object.state.contains(.gone) {
            guard let slot = object.layout.slot(named: name), object.layout.slots[slot].isStored else { continue }
            // A program's own store has seen the request, and reads ahead as it likes.
            if coordinator.rowStore(at: object.key.store) is NSIncrementalStore { continue }
            // Subentities share the relationship of the entity that declares it: one statement serves all.
            let key = StepKey(tree: object.layout.tree.index, slot: object.layout.slots[slot], store: object.key.store)
            if groups[key] == nil { order.append(key) }
            groups[key, default: []].append(object)
        }
        return try order.flatMap { key -> [NSManagedObject] in
            let owners = groups[key] ?? []
            switch key.kind {
            case .toOne: return try toOne(owners, name)
            case .toMany: return try toMany(owners, name)
            case .attribute, .fetched: return []
            }
        }
    }

    private func toOne(_ owners: [NSManagedObject], _ name: String) throws -> [NSManagedObject] {
        var wanted: [StoreKey: Set<Int64>] = [:]
        var keys: [ObjectKey] = []
        var reached: [NSManagedObject] = []
        for owner in owners {
            guard let slot = owner.layout.slot(named: name) else { continue }
            switch owner.valueInMemory(slot) {
            case .object(let object): reached.append(object)
            case .reference(let key):
                keys.append(key)
                let tree = owner.layout.model.layouts[Int(key.entity)].tree
                if let known = context.registered(key, tree), !known.isUnread { continue }
                guard !key.isTemporary else { continue }
                wanted[StoreKey(entity: key.entity, store: key.store), default: []].insert(key.primaryKey)
            default: continue
            }
        }
        for (place, primaryKeys) in wanted {
            let layout = coordinator.compiledModel.layouts[Int(place.entity)]
            guard let store = coordinator.rowStore(at: place.store) else { continue }
            let batch = try context.reading(store) { try $0.rows(tree: layout.tree, keys: primaryKeys.sorted()) }
            take(batch, layout, store, for: owners)
        }
        return reached + unique(keys)
    }

    private func toMany(_ owners: [NSManagedObject], _ name: String) throws -> [NSManagedObject] {
        let unread = owners.filter { owner in
            guard let slot = owner.layout.slot(named: name) else { return false }
            if case .toMany(let members)? = owner.edits?.values[slot] { return members.stored == nil }
            return true
        }
        if let first = unread.first, let slot = first.layout.slot(named: name),
            let store = coordinator.rowStore(at: first.key.store),
            let destination = first.layout.slots[slot].destination
        {
            let layout = coordinator.compiledModel.layouts[destination]
            let batch = try context.reading(store) {
                try $0.members(layout: first.layout.stored, slot: slot, owners: unread.map(\.key.primaryKey))
            }
            let members = take(batch, layout, store, for: owners)
            var keys: [Int64: [ObjectKey]] = [:]
            let ownerColumn = layout.tree.kinds.count
            for (row, member) in members.enumerated() {
                keys[batch.integer(ownerColumn, row), default: []].append(member.key)
            }
            for owner in unread {
                guard let slot = owner.layout.slot(named: name) else { continue }
                owner.noteMembers(keys[owner.key.primaryKey] ?? [], slot: slot)
            }
        }
        return unique(
            owners.flatMap { owner -> [ObjectKey] in
                guard let slot = owner.layout.slot(named: name),
                    case .toMany(let members)? = owner.edits?.values[slot]
                else { return [] }
                return members.stored ?? []
            }
        )
    }

    /// Makes objects of rows; they live as long as the rows of those who led to them.
    @discardableResult
    private func take(
        _ batch: RowBatch,
        _ layout: ObjectLayout,
        _ store: any RowStore,
        for owners: [NSManagedObject]
    ) -> [NSManagedObject] {
        let objects = context.objects(
            from: batch,
            tree: layout.tree,
            layout: layout,
            store: store,
            asFaults: true,
            mayRepeat: true
        )
        // Only the objects that these rows have made: others have owners of their own, perhaps these very ones.
        let made = objects.filter { $0.snapshot === batch }
        var seen: Set<ObjectIdentifier> = []
        for owner in owners {
            if let rows = owner.snapshot, rows !== batch, seen.insert(ObjectIdentifier(rows)).inserted {
                rows.companions.append(contentsOf: made)
            }
        }
        return objects
    }

    private func unique(_ keys: [ObjectKey]) -> [NSManagedObject] {
        var seen: Set<ObjectKey> = []
        return keys.compactMap { key in
            guard seen.insert(key).inserted else { return nil }
            return context.registered(key, coordinator.compiledModel.layouts[Int(key.entity)].tree)
        }
    }

    private struct StepKey: Hashable {
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

    /// The slot's value as far as it is in memory; fires nothing.
    func valueInMemory(_ slot: Int) -> Value {
        if let own = edits?.values[slot], !own.isAbsent { return own }
        return snapshotValue(slot)
    }

    /// Notes the members of a to-many relationship as the store has them; fires nothing.
    func noteMembers(_ keys: [ObjectKey], slot: Int) {
        let edits = ensureEdits()
        if case .toMany(let members) = edits.values[slot] {
            members.read(keys)
        } else {
            edits.values[slot] = .toMany(ToManyState(stored: keys))
        }
    }
}
