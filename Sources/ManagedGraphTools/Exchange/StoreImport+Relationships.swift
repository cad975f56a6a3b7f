// Sets the relationships of imported rows after all rows are written: names are resolved through the ledger, a
// relationship may be named by one side or by both, and order follows the lists. Finally checks the rules that only the
// whole graph can violate.
import Foundation
import GraphEngine
import GraphModel
import GraphSQL
import ManagedGraph

extension StoreImport {
    private static var chunk: Int { 256 }

    /// Sets all relationships that the lines name.
    func writeRelationships() throws {
        let total = max(1, try ledger.linkCount())
        var done = 0
        var group: (slot: Int64, source: Int64) = (-1, -1)
        var members: [Int64] = []
        try ledger.eachLinks(Self.chunk) { links in
            try writeChanges()
            try readOwners(links)
            for link in links {
                if (link.slot, link.source) != group {
                    try finish(group.slot, group.source, members)
                    // The other side of a relationship must find the values written by this side.
                    if link.slot != group.slot { try writeChanges() }
                    group = (link.slot, link.source)
                    members = []
                }
                if let member = try apply(link) { members.append(member) }
            }
            done += links.count
            try reportProgress(fraction: 0.8 + 0.2 * Double(done) / Double(total))
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
        let memberLayout = model.layouts[place.entity]
        guard let destination = layout.slots[slot].destination.map({ model.layouts[$0] }),
            memberLayout.isKind(of: destination)
        else {
            let expectedEntity = layout.slots[slot].destination.map { model.layouts[$0].name } ?? ""
            refuse(
                link.line,
                name,
                "it leads to \(text(link.name)), which is a \(memberLayout.name), not a \(expectedEntity)"
            )
            return nil
        }
        report.relationships += 1
        switch schema.entities[layout.name]?.properties[name] {
        case .toOne:
            try setToOne(layout, slot, link.source, memberLayout, place, link)
            return nil
        case .toManyInverse(let inverse):
            return try addMember(layout, slot, inverse, memberLayout, place, link) ? place.primaryKey : nil
        case .manyToMany(let join):
            try addPair(layout, slot, join, link.source, place.primaryKey)
            return place.primaryKey
        case .attribute, nil:
            return nil
        }
    }

    /// The row of this store that a URI identifies.
    private func stored(_ name: SQLValue) throws -> ImportLedger.Place? {
        guard case .text(let uri) = name, uri.hasPrefix("x-coredata://\(identifier)/")
        else { return nil }
        let parts = uri.dropFirst("x-coredata://\(identifier)/".count).split(separator: "/")
        guard parts.count == 2, parts[1].first == "p", let key = Int64(parts[1].dropFirst()), key > 0,
            let layout = model.byName[String(parts[0])], let entity = schema.entities[layout.name],
            let number = try entityNumber(of: key, in: entity)
        else { return nil }
        return ImportLedger.Place(
            entity: store.entityIndex(number: number) ?? layout.index,
            primaryKey: key,
            line: 0,
            isNew: false
        )
    }

    /// The destination of a to-one relationship, pending writes included.
    private func current(_ layout: ObjectLayout, _ slot: Int, _ key: Int64) throws -> Int64? {
        let member = ImportedMember(entity: layout.index, slot: slot, key: key)
        if let owner = owners[member] { return owner }
        try readOwners(layout, slot, [key])
        return owners[member] ?? nil
    }

    /// Reads the destinations of to-one relationships that the links will ask for.
    private func readOwners(_ links: [ImportLedger.Link]) throws {
        owners.removeAll(keepingCapacity: true)
        struct Property: Hashable {
            let entity: Int
            let slot: Int
        }
        var keys: [Property: Set<Int64>] = [:]
        for link in links {
            guard let place = link.place else { continue }
            let layout = model.layouts[Int(link.slot >> 20)]
            let slot = Int(link.slot & 0xF_FFFF)
            let memberLayout = model.layouts[place.entity]
            guard let back = layout.slots[slot].inverseName.flatMap({ memberLayout.slot(named: $0) }),
                memberLayout.slots[back].kind == .toOne
            else { continue }
            keys[Property(entity: memberLayout.index, slot: back), default: []].insert(place.primaryKey)
            guard layout.slots[slot].kind == .toOne else { continue }
            keys[Property(entity: layout.index, slot: slot), default: []].insert(link.source)
        }
        for (property, keys) in keys { try readOwners(model.layouts[property.entity], property.slot, keys.sorted()) }
    }

    private func readOwners(_ layout: ObjectLayout, _ slot: Int, _ keys: [Int64]) throws {
        guard let entity = schema.entities[layout.name],
            case .toOne(let column)? = entity.properties[layout.slots[slot].name]
        else { return }
        let dialect = schema.dialect
        let key = dialect.identifier(entity.own.key)
        let rows = try writer.integers(
            "SELECT \(key), \(dialect.identifier(column.column)) FROM \(dialect.table(entity.tableName)) "
                + "WHERE \(key) IN (\(Self.list(keys)))"
        )
        for row in rows {
            guard let key = row[0] else { continue }
            owners[ImportedMember(entity: layout.index, slot: slot, key: key)] = .some(row[1])
        }
    }

    /// Keys as a list in SQL.
    private static func list(_ keys: [Int64]) -> String { keys.map(String.init).joined(separator: ", ") }

    /// Enqueues a write of a to-one relationship.
    private func set(_ layout: ObjectLayout, _ slot: Int, _ key: Int64, to destination: ObjectKey?) throws {
        var values = ContiguousArray<RowValue>(repeating: .null, count: layout.slots.count)
        if let destination { values[slot] = .key(destination) }
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
        owners[ImportedMember(entity: layout.index, slot: slot, key: key)] = .some(destination?.primaryKey)
        if changes.updates.count >= Self.chunk { try writeChanges() }
    }

    private func setToOne(
        _ layout: ObjectLayout,
        _ slot: Int,
        _ source: Int64,
        _ memberLayout: ObjectLayout,
        _ place: ImportLedger.Place,
        _ link: ImportLedger.Link
    ) throws {
        let target = ObjectKey(entity: Int32(place.entity), store: store.storeIndex, primaryKey: place.primaryKey)
        guard let inverse = layout.slots[slot].inverseName.flatMap({ memberLayout.slot(named: $0) }),
            memberLayout.slots[inverse].kind == .toOne,
            memberLayout.slots[inverse].inverseName == layout.slots[slot].name
        else { return try set(layout, slot, source, to: target) }
        // One-to-one: both sides refer to each other, and to no other object.
        let currentDestination = try current(layout, slot, source)
        let back = try current(memberLayout, inverse, place.primaryKey)
        if currentDestination == place.primaryKey, back == source { return try ledger.confirm(link.slot, source) }
        if let back, back != source, place.isNew {
            return refuse(
                link.line,
                layout.slots[slot].name,
                "it leads to \(text(link.name)), whose \(memberLayout.slots[inverse].name) is another object"
            )
        }
        try writeChanges()
        if let back, back != source { try set(layout, slot, back, to: nil) }
        if let currentDestination, currentDestination != place.primaryKey {
            try set(memberLayout, inverse, currentDestination, to: nil)
        }
        try set(layout, slot, source, to: target)
        let key = ObjectKey(entity: Int32(layout.index), store: store.storeIndex, primaryKey: source)
        try set(memberLayout, inverse, place.primaryKey, to: key)
        if back != source {
            try ledger.complete(Int64(memberLayout.index) << 20 | Int64(inverse), place.primaryKey)
        }
        try writeChanges()
    }

    /// Adds a member whose row refers to its owner; returns false if it has another owner.
    private func addMember(
        _ layout: ObjectLayout,
        _ slot: Int,
        _ inverse: ToManyInverse,
        _ memberLayout: ObjectLayout,
        _ place: ImportLedger.Place,
        _ link: ImportLedger.Link
    ) throws -> Bool {
        guard let back = memberLayout.slot(named: inverse.inverse) else {
            changes.owners.append(
                OwnerOperation(layout: layout.stored, slot: slot, source: link.source, member: place.primaryKey)
            )
            if changes.owners.count >= Self.chunk { try writeChanges() }
            return true
        }
        let owner = try current(memberLayout, back, place.primaryKey)
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
        try set(memberLayout, back, place.primaryKey, to: key)
        return true
    }

    /// Adds a pair to a join table, unless the other side has added it.
    private func addPair(_ layout: ObjectLayout, _ slot: Int, _ join: ManyToMany, _ source: Int64, _ member: Int64)
        throws
    {
        try addPair(
            JoinOperation(layout: layout.stored, slot: slot, source: source, destination: member, isInsert: true),
            join
        )
        if join.isReflexive, source != member {
            let back = JoinOperation(
                layout: layout.stored,
                slot: slot,
                source: member,
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
        let dialect = schema.dialect
        let rows = try writer.integers(
            "SELECT 1 FROM \(dialect.table(join.joinTable)) WHERE \(dialect.identifier(join.ownColumn)) = "
                + "\(pair.source) AND \(dialect.identifier(join.otherColumn)) = \(pair.destination)"
        )
        if rows.isEmpty { changes.joins.append(pair) }
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
        defer { changes = StoreChanges() }
        guard changes.rowCount > 0 else { return }
        let outcome = try writer.write(changes)
        guard let missing = outcome.conflicts.first else { return }
        throw EngineError(
            .retry,
            "Another program has deleted a row of \(missing.layout.name) that the files lead to.",
            remedy: "Nothing was imported. Import again."
        )
    }

    /// Removes the members of a relationship that a line replaces.
    func nullifyReferences(_ layout: ObjectLayout, _ slot: Int, _ key: Int64) throws {
        let members = try writer.members(layout: layout.stored, slot: slot, primaryKey: key)
        guard !members.isEmpty else { return }
        defer { owners.removeAll(keepingCapacity: true) }
        switch schema.entities[layout.name]?.properties[layout.slots[slot].name] {
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
                let memberLayout = model.layouts[Int(member.entity)]
                if let back = memberLayout.slot(named: inverse.inverse) {
                    try set(memberLayout, back, member.primaryKey, to: nil)
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

    /// Empties the other side of a one-to-one relationship that a line empties.
    func nullifyInverse(_ layout: ObjectLayout, _ slot: Int, _ key: Int64) throws {
        guard let destination = layout.slots[slot].destination.map({ model.layouts[$0] }),
            let inverse = layout.slots[slot].inverseName, let back = destination.slot(named: inverse),
            destination.slots[back].kind == .toOne,
            destination.slots[back].inverseName == layout.slots[slot].name
        else { return }
        defer { owners.removeAll(keepingCapacity: true) }
        guard let member = try current(layout, slot, key), let entity = schema.entities[destination.name],
            let number = try entityNumber(of: member, in: entity)
        else { return }
        let memberLayout = store.entityIndex(number: number).map { model.layouts[$0] } ?? destination
        guard let memberSlot = memberLayout.slot(named: inverse),
            try current(memberLayout, memberSlot, member) == key
        else { return }
        try set(memberLayout, memberSlot, member, to: nil)
        try writeChanges()
    }

    /// Appends members that refer to their owner but occur in no list to the ordered ones.
    private func completeOrders() throws {
        for layout in model.layouts {
            guard let entity = schema.entities[layout.name] else { continue }
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
        guard let destination = model.byName[inverse.destination], let entity = schema.entities[inverse.destination]
        else { return }
        let dialect = schema.dialect
        let (owner, key) = (dialect.identifier(inverse.column), dialect.identifier(entity.own.key))
        try ledger.eachRows(destination.tree.index, entity: nil, Self.chunk) { rows in
            let pairRows = try writer.integers(
                "SELECT \(owner), \(key) FROM \(dialect.table(inverse.destinationTable)) WHERE \(key) IN "
                    + "(\(Self.list(rows.map(\.key)))) AND \(owner) IS NOT NULL AND \(dialect.identifier(order)) IS NULL "
                    + "ORDER BY 1, 2"
            )
            let pairs = pairRows.compactMap { row in
                row[0].flatMap { owner in row[1].map { (owner: owner, member: $0) } }
            }
            for (owner, members) in Dictionary(grouping: pairs, by: \.owner).sorted(by: { $0.key < $1.key }) {
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
    }

    // MARK: The whole

    /// Checks that objects have the required relationships, with permitted counts.
    private func checkWhole() throws {
        for layout in model.layouts where !layout.isAbstract {
            guard let entity = schema.entities[layout.name] else { continue }
            for slot in layout.toOneSlots + layout.toManySlots {
                guard let rules = layout.validators[slot], rules.model.hasRules,
                    let relationship = layout.slots[slot].property as? NSRelationshipDescription,
                    let condition = condition(entity.properties[layout.slots[slot].name], entity, relationship)
                else { continue }
                for row in try rows(of: layout, entity, where: condition) {
                    isFatal = true
                    let count = relationship.isToMany ? " in the right number" : ""
                    refuse(row.line, layout.slots[slot].name, "\(layout.name) must have related objects here\(count)")
                }
            }
        }
    }

    /// The first imported rows of an entity, by line, whose row `t` in the store satisfies a condition.
    private func rows(of layout: ObjectLayout, _ entity: EntitySchema, where condition: String) throws
        -> [ImportLedger.Row]
    {
        let dialect = schema.dialect
        let key = "t.\(dialect.identifier(entity.own.key))"
        var result: [ImportLedger.Row] = []
        try ledger.eachRows(layout.tree.index, entity: layout.index, Self.chunk) { rows in
            let ownerRows = try writer.integers(
                "SELECT \(key) FROM \(dialect.table(entity.tableName)) AS t WHERE \(key) IN "
                    + "(\(Self.list(rows.map(\.key)))) AND \(condition)"
            )
            guard !ownerRows.isEmpty else { return }
            let keys = Set(ownerRows.compactMap { $0.first ?? nil })
            result += rows.filter { keys.contains($0.key) }
            result = Array(result.sorted { $0.line < $1.line }.prefix(ImportReport.mostRefusals))
        }
        return result
    }

    /// The condition for a row that violates a relationship's rules.
    private func condition(
        _ property: PropertySchema?,
        _ entity: EntitySchema,
        _ relationship: NSRelationshipDescription
    ) -> String? {
        let dialect = schema.dialect
        let key = "t.\(dialect.identifier(entity.own.key))"
        func members(_ table: String, _ column: String) -> String {
            "(SELECT count(*) FROM \(dialect.table(table)) AS m WHERE m.\(dialect.identifier(column)) = \(key))"
        }
        let count: String
        switch property {
        case .toOne(let column):
            return relationship.isOptional ? nil : "t.\(dialect.identifier(column.column)) IS NULL"
        case .toManyInverse(let inverse): count = members(inverse.destinationTable, inverse.column)
        case .manyToMany(let join): count = members(join.joinTable, join.ownColumn)
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
