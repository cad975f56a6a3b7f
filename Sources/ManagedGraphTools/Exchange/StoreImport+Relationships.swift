// Sets the relationships of imported rows after all rows are written: names are resolved through the ledger, a
// relationship may be named by one side or by both, and order follows the lists. Finally checks the rules that only the
// whole graph can violate.
import Foundation
import GraphEngine
import GraphModel
import GraphSQL
import GraphSQLite
import ManagedGraph

extension StoreImport {
    /// A to-one relationship of a row that is pending a write.
    struct WaitingMember: Hashable {
        let entity: Int
        let slot: Int
        let key: Int64
    }

    private static var chunk: Int { 256 }

    /// Sets all relationships that the lines name.
    func writeRelationships() throws {
        let total = max(1, try ledger.linkCount())
        var done = 0
        var group: (slot: Int64, source: Int64) = (-1, -1)
        var members: [Int64] = []
        try ledger.eachLink { link in
            if (link.slot, link.source) != group {
                try finish(group.slot, group.source, members)
                // The other side of a relationship must find the values written by this side.
                if link.slot != group.slot { try writeChanges() }
                group = (link.slot, link.source)
                members = []
            }
            if let member = try apply(link) { members.append(member) }
            done += 1
            if done % Self.chunk == 0 { try reportProgress(fraction: 0.8 + 0.2 * Double(done) / Double(total)) }
        }
        try finish(group.slot, group.source, members)
        try writeChanges()
        try completeOrders()
        for (number, count) in try ledger.completions() {
            let layout = model.layouts[Int(number >> 20)]
            report.completed["\(layout.name).\(layout.slots[Int(number & 0xF_FFFF)].name)", default: 0] += count
        }
        try checkWhole()
    }

    // MARK: One link

    /// Sets one related object; returns the key of a member of a to-many relationship.
    private func apply(_ link: ImportLedger.Link) throws -> Int64? {
        let layout = model.layouts[Int(link.slot >> 20)]
        let slot = Int(link.slot & 0xF_FFFF)
        let name = layout.slots[slot].name
        guard let place = try link.place ?? stored(link.name) else {
            refuse(link.line, name, "it leads to \(text(link.name)), which neither the files nor the store have")
            return nil
        }
        let found = model.layouts[place.entity]
        guard let destination = layout.slots[slot].destination.map({ model.layouts[$0] }), found.isKind(of: destination)
        else {
            let wanted = layout.slots[slot].destination.map { model.layouts[$0].name } ?? ""
            refuse(link.line, name, "it leads to \(text(link.name)), which is a \(found.name), not a \(wanted)")
            return nil
        }
        report.relationships += 1
        switch store.schema.entities[layout.name]?.properties[name] {
        case .toOne:
            try setToOne(layout, slot, link.source, found, place, link)
            return nil
        case .toManyInverse(let inverse):
            return try addMember(layout, slot, inverse, found, place, link) ? place.primaryKey : nil
        case .manyToMany(let join):
            try addPair(layout, slot, join, link.source, place.primaryKey)
            return place.primaryKey
        case .attribute, nil:
            return nil
        }
    }

    /// The row of this store that a URI identifies.
    private func stored(_ name: SQLValue) throws -> ImportLedger.Place? {
        guard case .text(let text) = name, case let identifier = store.identifier,
            text.hasPrefix("x-coredata://\(identifier)/")
        else { return nil }
        let parts = text.dropFirst("x-coredata://\(identifier)/".count).split(separator: "/")
        guard parts.count == 2, parts[1].first == "p", let key = Int64(parts[1].dropFirst()), key > 0,
            let layout = model.byName[String(parts[0])], let table = store.schema.entities[layout.name]?.tableName,
            case .integer(let number)? = try writer.connection
                .rows("SELECT Z_ENT FROM \(table) WHERE Z_PK = ?", [.integer(key)]).first?.first
        else { return nil }
        let entity = store.entityIndex(number: number) ?? layout.index
        return ImportLedger.Place(entity: entity, primaryKey: key, line: 0, isNew: false)
    }

    /// The destination of a to-one relationship, pending writes included.
    private func current(_ layout: ObjectLayout, _ slot: Int, _ key: Int64) throws -> Int64? {
        if let waiting = waitingOwners[WaitingMember(entity: layout.index, slot: slot, key: key)] { return waiting }
        guard case .toOne(let column)? = store.schema.entities[layout.name]?.properties[layout.slots[slot].name],
            let table = store.schema.entities[layout.name]?.tableName
        else { return nil }
        let statement = try writer.connection.prepare("SELECT \(column.column) FROM \(table) WHERE Z_PK = ?")
        defer { statement.reset() }
        try statement.bind(1, key)
        return try statement.step() && !statement.isNull(0) ? statement.integer(0) : nil
    }

    /// Enqueues a write of a to-one relationship.
    private func set(_ layout: ObjectLayout, _ slot: Int, _ key: Int64, to other: ObjectKey?) throws {
        var values = ContiguousArray<RowValue>(repeating: .null, count: layout.slots.count)
        if let other { values[slot] = .key(other) }
        var slots = SlotSet()
        slots.insert(slot)
        changes.updates.append(
            RowOperation(
                layout: layout.stored,
                primaryKey: key,
                version: RowOperation.anyVersion,
                values: values,
                slots: slots
            )
        )
        waitingOwners[WaitingMember(entity: layout.index, slot: slot, key: key)] = other?.primaryKey
        if changes.updates.count >= Self.chunk { try writeChanges() }
    }

    private func setToOne(
        _ layout: ObjectLayout,
        _ slot: Int,
        _ source: Int64,
        _ found: ObjectLayout,
        _ place: ImportLedger.Place,
        _ link: ImportLedger.Link
    ) throws {
        let target = ObjectKey(entity: Int32(place.entity), store: store.storeIndex, primaryKey: place.primaryKey)
        guard let inverse = layout.slots[slot].inverseName.flatMap({ found.slot(named: $0) }),
            found.slots[inverse].kind == .toOne, found.slots[inverse].inverseName == layout.slots[slot].name
        else { return try set(layout, slot, source, to: target) }
        // One-to-one: both sides refer to each other, and to no other object.
        let own = try current(layout, slot, source)
        let back = try current(found, inverse, place.primaryKey)
        if own == place.primaryKey, back == source { return try ledger.confirm(link.slot, source) }
        if let back, back != source, place.isNew {
            return refuse(
                link.line,
                layout.slots[slot].name,
                "it leads to \(text(link.name)), whose \(found.slots[inverse].name) is another object"
            )
        }
        try writeChanges()
        if let back, back != source { try set(layout, slot, back, to: nil) }
        if let own, own != place.primaryKey { try set(found, inverse, own, to: nil) }
        try set(layout, slot, source, to: target)
        let key = ObjectKey(entity: Int32(layout.index), store: store.storeIndex, primaryKey: source)
        try set(found, inverse, place.primaryKey, to: key)
        if back != source {
            try ledger.complete(Int64(found.index) << 20 | Int64(inverse), place.primaryKey)
        }
        try writeChanges()
    }

    /// Adds a member whose row refers to its owner; returns false if it has another owner.
    private func addMember(
        _ layout: ObjectLayout,
        _ slot: Int,
        _ inverse: ToManyInverse,
        _ found: ObjectLayout,
        _ place: ImportLedger.Place,
        _ link: ImportLedger.Link
    ) throws -> Bool {
        guard let back = found.slot(named: inverse.inverse) else {
            changes.owners.append(
                OwnerOperation(layout: layout.stored, slot: slot, source: link.source, member: place.primaryKey)
            )
            if changes.owners.count >= Self.chunk { try writeChanges() }
            return true
        }
        let owner = try current(found, back, place.primaryKey)
        if owner == link.source { return true }
        if owner != nil, place.isNew {
            refuse(
                link.line,
                layout.slots[slot].name,
                "it leads to \(text(link.name)), whose \(inverse.inverse) is another object"
            )
            return false
        }
        let key = ObjectKey(entity: Int32(layout.index), store: store.storeIndex, primaryKey: link.source)
        try set(found, back, place.primaryKey, to: key)
        return true
    }

    /// Adds a pair to a join table, unless the other side has added it.
    private func addPair(_ layout: ObjectLayout, _ slot: Int, _ join: ManyToMany, _ source: Int64, _ other: Int64)
        throws
    {
        try addPair(
            JoinOperation(layout: layout.stored, slot: slot, source: source, destination: other, isInsert: true),
            join
        )
        if join.isReflexive, source != other {
            let back = JoinOperation(
                layout: layout.stored,
                slot: slot,
                source: other,
                destination: source,
                isInsert: true
            )
            try addPair(back, join)
        }
        if changes.joins.count >= Self.chunk { try writeChanges() }
    }

    private func addPair(_ pair: JoinOperation, _ join: ManyToMany) throws {
        // The pending pairs are few, and all belong to one property.
        if changes.joins.contains(where: { $0.source == pair.source && $0.destination == pair.destination }) { return }
        let statement = try writer.connection.prepare(
            "SELECT 1 FROM \(join.joinTable) WHERE \(join.ownColumn) = ? AND \(join.otherColumn) = ?"
        )
        defer { statement.reset() }
        try statement.bind(1, pair.source)
        try statement.bind(2, pair.destination)
        if try !statement.step() { changes.joins.append(pair) }
    }

    // MARK: All of one object

    /// Writes the order of a relationship after all its members are set.
    private func finish(_ number: Int64, _ source: Int64, _ members: [Int64]) throws {
        guard number >= 0, !members.isEmpty else { return }
        let layout = model.layouts[Int(number >> 20)]
        let slot = Int(number & 0xF_FFFF)
        guard layout.slots[slot].isOrdered else { return }
        try writeChanges()
        var seen: Set<Int64> = []
        changes.orders.append(
            OrderOperation(
                layout: layout.stored,
                slot: slot,
                source: source,
                members: members.filter { seen.insert($0).inserted }
            )
        )
        try writeChanges()
    }

    private func writeChanges() throws {
        defer {
            changes = StoreChanges()
            waitingOwners.removeAll(keepingCapacity: true)
        }
        guard changes.rowCount > 0 else { return }
        _ = try writer.write(changes)
    }

    /// Removes the members of a relationship that a line sets anew.
    func nullifyReferences(_ layout: ObjectLayout, _ slot: Int, _ key: Int64) throws {
        let members = try writer.members(layout: layout.stored, slot: slot, primaryKey: key)
        guard !members.isEmpty else { return }
        switch store.schema.entities[layout.name]?.properties[layout.slots[slot].name] {
        case .manyToMany(let join):
            for member in members {
                let pair = JoinOperation(
                    layout: layout.stored,
                    slot: slot,
                    source: key,
                    destination: member.primaryKey,
                    isInsert: false
                )
                changes.joins.append(pair)
                guard join.isReflexive else { continue }
                var back = pair
                (back.source, back.destination) = (member.primaryKey, key)
                changes.joins.append(back)
            }
        case .toManyInverse(let inverse):
            for member in members {
                let found = model.layouts[Int(member.entity)]
                if let back = found.slot(named: inverse.inverse) {
                    try set(found, back, member.primaryKey, to: nil)
                } else {
                    changes.owners.append(
                        OwnerOperation(layout: layout.stored, slot: slot, source: nil, member: member.primaryKey)
                    )
                }
            }
        default: return
        }
        try writeChanges()
    }

    /// Appends members that refer to their owner but occur in no list to the ordered ones.
    private func completeOrders() throws {
        for layout in model.layouts {
            guard let entity = store.schema.entities[layout.name] else { continue }
            for slot in layout.toManySlots where layout.slots[slot].isOrdered {
                // Handle an inherited property only once, with the entity that declares it.
                guard layout.entity.superentity?.propertiesByName[layout.slots[slot].name] == nil,
                    case .toManyInverse(let inverse)? = entity.properties[layout.slots[slot].name],
                    let order = inverse.orderColumn
                else { continue }
                try completeOrder(layout, slot, inverse, order)
            }
        }
    }

    private func completeOrder(_ layout: ObjectLayout, _ slot: Int, _ inverse: ToManyInverse, _ order: String) throws {
        let statement = try writer.connection.prepare(
            "SELECT t.\(inverse.column), t.Z_PK FROM temp.imported i CROSS JOIN \(inverse.destinationTable) t "
                + "ON t.Z_PK = i.pk WHERE i.tree = ? AND t.\(inverse.column) IS NOT NULL AND t.\(order) IS NULL "
                + "ORDER BY 1, 2"
        )
        defer { statement.reset() }
        guard let tree = model.byName[inverse.destination]?.tree.index else { return }
        try statement.bind(1, Int64(tree))
        var found: [(owner: Int64, member: Int64)] = []
        while try statement.step() { found.append((statement.integer(0), statement.integer(1))) }
        for (owner, members) in Dictionary(grouping: found, by: \.owner).sorted(by: { $0.key < $1.key }) {
            changes.orders.append(
                OrderOperation(
                    layout: layout.stored,
                    slot: slot,
                    source: owner,
                    members: members.map(\.member),
                    isAppended: true
                )
            )
        }
        try writeChanges()
    }

    // MARK: The whole

    /// Checks that objects have the required relationships, with permitted counts.
    private func checkWhole() throws {
        for layout in model.layouts where !layout.isAbstract {
            guard let entity = store.schema.entities[layout.name] else { continue }
            for slot in layout.toOneSlots + layout.toManySlots {
                guard let rules = layout.validators[slot], rules.model.hasRules,
                    let relationship = layout.slots[slot].property as? NSRelationshipDescription,
                    let condition = Self.condition(entity.properties[layout.slots[slot].name], relationship)
                else { continue }
                let broken = try ledger.rows(
                    layout.tree.index,
                    [layout.index],
                    table: entity.tableName,
                    where: condition
                )
                for row in broken {
                    isFatal = true
                    let count = relationship.isToMany ? " in the right number" : ""
                    refuse(row.line, layout.slots[slot].name, "\(layout.name) must have related objects here\(count)")
                }
            }
        }
    }

    /// The condition for a row that violates a relationship's rules.
    private static func condition(_ property: PropertySchema?, _ relationship: NSRelationshipDescription) -> String? {
        let count: String
        switch property {
        case .toOne(let column): return relationship.isOptional ? nil : "t.\(column.column) IS NULL"
        case .toManyInverse(let inverse):
            count = "(SELECT count(*) FROM \(inverse.destinationTable) m WHERE m.\(inverse.column) = t.Z_PK)"
        case .manyToMany(let join):
            count = "(SELECT count(*) FROM \(join.joinTable) m WHERE m.\(join.ownColumn) = t.Z_PK)"
        default: return nil
        }
        // As in a save, a minimum of 0 means no minimum, even for a required relationship.
        let least = relationship.minCount
        let most = relationship.maxCount
        var parts: [String] = []
        if least > 0 { parts.append("(\(count) < \(least)\(relationship.isOptional ? " AND \(count) > 0" : ""))") }
        if most > 1 { parts.append("\(count) > \(most)") }
        return parts.isEmpty ? nil : "(" + parts.joined(separator: " OR ") + ")"
    }
}
