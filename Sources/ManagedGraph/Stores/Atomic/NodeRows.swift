// Inserts the nodes of an atomic store as rows of its in-memory database. Created once, when the store is opened.
import Foundation
import GraphEngine

/// Fills an atomic store's rows from its nodes.
struct NodeRows {
    private let store: NSAtomicStore
    private let model: CompiledModel
    private var changes = StoreChanges()
    private var joins: Set<Pair> = []
    /// The versions that contexts have read of rows that are moved from another store.
    var versions: [NSAtomicStore.NodeKey: Int64] = [:]

    private struct Pair: Hashable {
        let entity: Int
        let slot: Int
        let source: Int64
        let destination: Int64
    }

    init(_ store: NSAtomicStore, _ model: CompiledModel) {
        self.store = store
        self.model = model
    }

    /// Writes a row for each node, and the relationships between the rows.
    ///
    /// Throws 134080 for a value that does not fit its attribute, and for a relationship to an object that does not
    /// exist.
    mutating func fill() throws {
        let nodes = store.nodes.values.sorted { $0.objectID.key.primaryKey < $1.objectID.key.primaryKey }
        let owners = try ownersNamedByTheOtherSide(nodes)
        try store.mapErrors {
            try store.requireEngine().beginSave(SaveOrigin()).transaction { session in
                let filling = session as? any FillingWriteSession
                for node in nodes {
                    let values = try values(of: node, owners)
                    changes.inserts.append(
                        RowOperation(
                            layout: node.objectID.layout.stored,
                            primaryKey: node.objectID.key.primaryKey,
                            version: versions[NSAtomicStore.NodeKey(node.objectID)] ?? 0,
                            values: try node.objectID.layout.stored(values)
                        )
                    )
                    if changes.inserts.count == 256 {
                        _ = try session.write(StoreChanges(inserts: changes.inserts))
                        try filling?.restore(changes.inserts)
                        changes.inserts = []
                    }
                }
                _ = try session.write(changes)
                try filling?.restore(changes.inserts)
            }
        }
    }

    /// A to-one relationship that only the nodes on the other side record.
    private struct End: Hashable {
        let tree: Int
        let primaryKey: Int64
        let slot: String
    }

    private func ownersNamedByTheOtherSide(_ nodes: [NSAtomicStoreCacheNode]) throws -> [End: ObjectKey] {
        var result: [End: ObjectKey] = [:]
        for node in nodes {
            let layout = node.objectID.layout
            for slot in layout.toManySlots {
                let description = layout.slots[slot]
                guard let destination = description.destination, description.inverseSlot >= 0,
                    case let inverse = model.layouts[destination].slots[description.inverseSlot], inverse.kind == .toOne
                else { continue }
                for member in try members(of: node, description) {
                    let tree = model.layouts[Int(member.entity)].tree.index
                    result[End(tree: tree, primaryKey: member.primaryKey, slot: inverse.name)] = node.objectID.key
                }
            }
        }
        return result
    }

    private mutating func values(of node: NSAtomicStoreCacheNode, _ owners: [End: ObjectKey]) throws
        -> ContiguousArray<Value>
    {
        let layout = node.objectID.layout
        var result = ContiguousArray<Value>(repeating: .null, count: layout.slots.count)
        for (slot, description) in layout.slots.enumerated() where description.isStored {
            switch description.kind {
            case .attribute:
                guard let raw = attribute(description.name, of: node, layout, slot) else { continue }
                guard let value = Value(raw, as: description.type) else {
                    throw damage(
                        "\(layout.name).\(description.name) of \(name(node)) holds a \(type(of: raw)), not "
                            + "\(description.type.sentenceName)"
                    )
                }
                result[slot] = value
            case .toOne:
                if let raw = node.value(forKey: description.name), !(raw is NSNull) {
                    result[slot] = .reference(try key(raw, node, description))
                } else {
                    let end = End(
                        tree: layout.tree.index,
                        primaryKey: node.objectID.key.primaryKey,
                        slot: description.name
                    )
                    if let owner = owners[end] { result[slot] = .reference(owner) }
                }
            case .toMany:
                relate(node, slot, try members(of: node, description))
            case .fetched: continue
            }
        }
        return result
    }

    /// The value of an attribute, or of an element inside a composite attribute's dictionary.
    private func attribute(_ path: String, of node: NSAtomicStoreCacheNode, _ layout: ObjectLayout, _ slot: Int) -> Any?
    {
        guard layout.slots[slot].composite >= 0 else { return node.value(forKey: path) }
        var parts = path.split(separator: ".").map(String.init)
        var value = node.value(forKey: parts.removeFirst())
        for part in parts { value = (value as? [String: Any])?[part] ?? (value as? NSDictionary)?[part] }
        return value
    }

    /// Records the join rows, owner columns and orders of a relationship.
    private mutating func relate(_ node: NSAtomicStoreCacheNode, _ slot: Int, _ members: [ObjectKey]) {
        let layout = node.objectID.layout
        let ownKey = node.objectID.key.primaryKey
        if store.hasJoinTable(layout.stored, slot) {
            for member in members {
                var (source, sourceSlot, from, to) = (layout, slot, ownKey, member.primaryKey)
                let inverse = layout.slots[slot].inverseSlot
                let memberLayout = model.layouts[Int(member.entity)]
                // Both sides may contain the pair; as in a save, only the side that sorts first writes it.
                if inverse >= 0, let inverse = memberLayout.slot(named: layout.slots[slot].inverseName ?? ""),
                    (memberLayout.slots[inverse].name, memberLayout.tree.rootName)
                        < (layout.slots[slot].name, layout.tree.rootName)
                {
                    (source, sourceSlot, from, to) = (memberLayout, inverse, member.primaryKey, ownKey)
                }
                let pair = Pair(entity: source.tree.index, slot: sourceSlot, source: from, destination: to)
                guard joins.insert(pair).inserted else { continue }
                changes.joins.append(
                    JoinOperation(
                        layout: source.stored,
                        slot: sourceSlot,
                        source: from,
                        destination: to,
                        isInsert: true
                    )
                )
            }
        }
        if store.hasOwnerColumn(layout.stored, slot) {
            for member in members {
                changes.owners.append(
                    OwnerOperation(layout: layout.stored, slot: slot, source: ownKey, member: member.primaryKey)
                )
            }
        }
        if layout.slots[slot].isOrdered, !members.isEmpty {
            changes.orders.append(
                OrderOperation(
                    layout: layout.stored,
                    slot: slot,
                    source: ownKey,
                    members: members.map(\.primaryKey),
                    isOwnerNew: true,
                    areMembersNew: true
                )
            )
        }
    }

    private func members(of node: NSAtomicStoreCacheNode, _ description: Slot) throws -> [ObjectKey] {
        let members: [Any]
        switch node.value(forKey: description.name) {
        case nil, is NSNull: return []
        case let set as NSOrderedSet: members = set.array
        case let set as NSSet: members = set.allObjects
        case let set as Set<NSObject>: members = Array(set)
        case let array as [Any]: members = array
        case let value?:
            throw damage("\(description.name) of \(name(node)) is a \(type(of: value)), not a collection of nodes")
        }
        return try members.map { try key($0, node, description) }
    }

    private func key(_ raw: Any, _ node: NSAtomicStoreCacheNode, _ description: Slot) throws -> ObjectKey {
        let identifier = (raw as? NSAtomicStoreCacheNode)?.objectID ?? raw as? NSManagedObjectID
        guard let identifier, let destination = description.destination,
            identifier.layout.isKind(of: model.layouts[destination])
        else {
            throw damage(
                "\(description.name) of \(name(node)) leads to \(raw), which is not an object of its destination"
            )
        }
        guard store.nodes[NSAtomicStore.NodeKey(identifier)] != nil else {
            throw damage("\(description.name) of \(name(node)) leads to \(identifier), which is not in the store")
        }
        return identifier.key
    }

    private func name(_ node: NSAtomicStoreCacheNode) -> String { node.objectID.uriRepresentation().lastPathComponent }

    private func damage(_ reason: String) -> NSError {
        CoreDataError.cannotOpen(
            store.url,
            reason: reason,
            remedy: "The file was not changed. Restore it from a copy, or correct the program that wrote it.",
            code: NSPersistentStoreOpenError
        )
    }
}
