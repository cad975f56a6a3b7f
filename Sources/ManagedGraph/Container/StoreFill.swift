// Copies all rows of a store into an empty one of another kind, some thousands at a time: keys stay as they are, so that
// identifiers and relationships do. Called by moves into stores of databases.
import Foundation
import GraphEngine
import GraphModel

/// A copy of rows between stores of any kinds.
struct StoreFill {
    let model: CompiledModel
    let source: any RowStore
    let target: any RowStore
    /// Called with the number of rows copied so far; if it throws, nothing is written.
    var progress: (Int) throws -> Void = { _ in }
    /// The rows in memory at once.
    private static let portion = 2_000

    /// Writes all rows of the source in one transaction of the target; nothing if it throws.
    func run() throws {
        let session = try source.lease(for: nil, holdsSnapshot: true)
        defer { source.giveBack(session) }
        try target.mapErrors {
            try target.beginSave(SaveOrigin(author: nil, contextName: nil), for: nil).transaction { writer in
                guard let filling = writer as? any FillingWriteSession else {
                    throw CoreDataError.unknownType(target.type)
                }
                filling.beginFilling()
                var count = 0
                for tree in model.trees where model.layouts.contains(where: { $0.tree === tree && holds($0) }) {
                    try copy(tree, session, filling, &count)
                }
                // Orders and owners are stored in the members' rows or in pairs, which therefore must be there.
                for step in [Step.members, .orders] {
                    for layout in model.layouts where holds(layout) && !layout.toManySlots.isEmpty {
                        try copyRelationships(of: layout, step, session, filling)
                    }
                }
            }
        }
    }

    private func holds(_ layout: ObjectLayout) -> Bool { target.entityNumber(layout.stored) > 0 }

    private func copy(
        _ tree: TreeLayout,
        _ session: any ReadSession,
        _ writer: any FillingWriteSession,
        _ count: inout Int
    ) throws {
        guard let root = model.byName[tree.rootName] else { return }
        var greatest: Int64 = 0
        try session.eachBatch(StoreFetch(layout: root.stored), size: Self.portion) { batch in
            var changes = StoreChanges()
            for row in 0..<batch.count {
                let key = batch.integer(TreeLayout.primaryKeyColumn, row)
                greatest = max(greatest, key)
                let layout = try layout(of: row, batch, root)
                changes.inserts.append(
                    RowOperation(
                        layout: layout.stored,
                        primaryKey: key,
                        version: max(1, batch.integer(TreeLayout.versionColumn, row)),
                        values: try values(of: row, batch, layout)
                    )
                )
            }
            // Rows in the order of their keys are appended to a SQLite table.
            changes.inserts.sort { ($0.layout.index, $0.primaryKey) < ($1.layout.index, $1.primaryKey) }
            _ = try writer.write(changes)
            // Contexts have read the versions: with others, their next saves would find conflicts.
            try writer.restore(changes.inserts)
            count += batch.count
            try progress(count)
            return true
        }
        try writer.advanceKeys(of: tree, beyond: greatest)
    }

    private func layout(of row: Int, _ batch: RowBatch, _ root: ObjectLayout) throws -> ObjectLayout {
        guard root.tree.isInTree else { return root }
        let number = batch.integer(TreeLayout.entityColumn, row)
        guard let index = source.entityIndex(number: number) else {
            throw EngineError(
                .corrupt,
                "a row of \(root.name) has the entity number \(number), which no entity of the model has",
                remedy: "Check the store with managedgraph store check."
            )
        }
        return model.layouts[index]
    }

    // MARK: Values

    private func values(of row: Int, _ batch: RowBatch, _ layout: ObjectLayout) throws -> ContiguousArray<RowValue> {
        var values = ContiguousArray<RowValue>(repeating: .null, count: layout.slots.count)
        for (slot, description) in layout.slots.enumerated()
        where description.isStored && description.kind != .toMany && layout.columns[slot] >= 0 {
            let column = Int(layout.columns[slot])
            if batch.isNull(column, row) { continue }
            values[slot] = try value(column, row, batch, description)
        }
        return values
    }

    private func value(_ column: Int, _ row: Int, _ batch: RowBatch, _ slot: Slot) throws -> RowValue {
        if slot.kind == .toOne {
            guard let destination = slot.destination else { return .null }
            var entity = destination
            if slot.storesDestinationEntity, !batch.isNull(column + 1, row) {
                entity = source.entityIndex(number: batch.integer(column + 1, row)) ?? destination
            }
            return .key(ObjectKey(entity, store: target.index, batch.integer(column, row)))
        }
        let value = batch.value(column, row)
        switch (slot.type, value) {
        case (.decimal, .string(let text)): return Decimal(string: text).map(RowValue.decimal) ?? .null
        case (.uri, .string(let text)): return URL(string: text).map(RowValue.url) ?? .null
        case (.uuid, .data(let data)) where data.count == 16:
            return .uuid(UUID(uuid: data.withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) }))
        case (_, .data(let stored)) where slot.allowsExternalStorage:
            guard let name = LargeValue.name(in: stored) else { return .data(LargeValue.inlineData(in: stored)) }
            guard let data = try source.externalData(named: name) else {
                throw EngineError(
                    .corrupt,
                    "the file \(name) of a large value is missing beside the store",
                    remedy: "Put the file back, or set the value to nil, before the store is moved."
                )
            }
            return .data(data)
        default: return value
        }
    }

    // MARK: Relationships

    /// The parts of relationships that are not in the owners' rows.
    private enum Step { case members, orders }

    private func copyRelationships(
        of layout: ObjectLayout,
        _ step: Step,
        _ session: any ReadSession,
        _ writer: any FillingWriteSession
    ) throws {
        let slots = layout.toManySlots.filter { slot in
            switch step {
            case .members:
                target.hasOwnerColumn(layout.stored, slot)
                    || (target.hasJoinTable(layout.stored, slot) && layout.writesPairs(slot))
            case .orders: layout.slots[slot].isOrdered
            }
        }
        guard !slots.isEmpty else { return }
        var fetch = StoreFetch(layout: layout.stored)
        fetch.includesSubentities = false
        var portions: [Int: OwnerPortion] = [:]
        try session.eachBatch(fetch, size: Self.portion) { batch in
            let primaryKeys = (0..<batch.count).map { batch.integer(TreeLayout.primaryKeyColumn, $0) }
            for slot in slots {
                var rest = primaryKeys[...]
                while !rest.isEmpty {
                    let owners = portions[slot, default: OwnerPortion()].next(of: rest)
                    rest = rest.dropFirst(owners.count)
                    let members = try session.members(layout: layout.stored, slot: slot, owners: Array(owners))
                    portions[slot, default: OwnerPortion()].note(owners: owners.count, members: members.count)
                    if members.count > 0 { _ = try writer.write(changes(step, members, layout, slot)) }
                }
            }
            return true
        }
    }

    private func changes(_ step: Step, _ members: RowBatch, _ layout: ObjectLayout, _ slot: Int) -> StoreChanges {
        let ownerColumn = members.kinds.count - 1
        let hasOwners = target.hasOwnerColumn(layout.stored, slot)
        var changes = StoreChanges()
        var orders: [Int64: [Int64]] = [:]
        for row in 0..<members.count {
            let member = members.integer(TreeLayout.primaryKeyColumn, row)
            let owner = members.integer(ownerColumn, row)
            switch step {
            case .orders: orders[owner, default: []].append(member)
            case .members where hasOwners:
                changes.owners.append(
                    OwnerOperation(layout: layout.stored, slot: slot, source: owner, member: member)
                )
            case .members:
                changes.joins.append(
                    JoinOperation(
                        layout: layout.stored,
                        slot: slot,
                        source: owner,
                        destination: member,
                        isInsert: true
                    )
                )
            }
        }
        changes.orders = orders.sorted { $0.key < $1.key }
            .map { OrderOperation(layout: layout.stored, slot: slot, source: $0.key, members: $0.value) }
        return changes
    }
}
