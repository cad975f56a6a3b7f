// Converts one line to one row: its values, its key, the model's rules; rows are written a few hundred at a time.
import Foundation
import GraphArchives
import GraphEngine
import GraphModel
import GraphSQL
import ManagedGraph

extension StoreImport {
    /// A row pending a write.
    struct PendingRow {
        let layout: ObjectLayout
        var operation: RowOperation
        /// The file and the line.
        let position: Int
        let links: [PendingLink]
        /// The name under which the ledger has recorded the row.
        let noted: SQLValue
    }

    /// The store's refusal of rows.
    private struct RefusedRows: Error {
        let reason: String
    }

    /// Related objects that a line names, to be set later.
    struct PendingLink {
        let slot: Int
        let names: [SQLValue]
    }

    /// The number of rows written together.
    private static var chunk: Int { 256 }

    /// A line's values while it is being read.
    private struct Row {
        let layout: ObjectLayout
        /// Whether the line is of a table: all lines have the same columns, and lists are texts.
        let isTable: Bool
        var values: ContiguousArray<Value>
        var givenSlots = SlotSet()
        var links: [PendingLink] = []

        init(_ layout: ObjectLayout, isTable: Bool) {
            self.layout = layout
            self.isTable = isTable
            values = ContiguousArray(layout.defaults)
        }
    }

    /// Imports one line.
    func take(
        _ layout: ObjectLayout,
        name: SQLValue?,
        fields: [JSONMember],
        isTable: Bool,
        line: Int
    ) throws {
        let position = position(line)
        guard !layout.isAbstract else {
            return refuse(position, "$entity", "\(layout.name) is abstract, so it has no rows. Name an entity below it")
        }
        var row = Row(layout, isTable: isTable)
        for field in fields {
            do {
                try set(field.name, field.value, &row)
            } catch let error as FieldError {
                return refuse(position, field.name, error.reason)
            }
        }
        if let key = try existing(row) {
            return try update(key, row, name, position)
        }
        Self.derive(&row)
        if let problem = layout.problem(of: row.values) {
            return refuse(position, nil, problem.reason)
        }
        let key = try newKey(layout.tree, wanted: name)
        guard let noted = try ledger.note(name, layout, key, line: position, isNew: true) else {
            return try refuseName(name, position)
        }
        if let last = lastKeys[layout.tree.index] { lastKeys[layout.tree.index] = max(last, key) }
        let operation = RowOperation(
            layout: layout.stored,
            primaryKey: key,
            version: 0,
            values: try layout.stored(row.values)
        )
        batch.append(
            PendingRow(layout: layout, operation: operation, position: position, links: row.links, noted: noted)
        )
        if let name { waitingNames.insert(name) }
        if batch.count == Self.chunk { try writeRows() }
    }

    private func refuseName(_ name: SQLValue?, _ position: Int) throws {
        let earlierPlace = try name.flatMap { try ledger.place(of: $0) }
        let line = earlierPlace.map { " of line \($0.line & (1 << 40 - 1))" } ?? ""
        refuse(position, "$id", "it is the one\(line) too")
    }

    // MARK: Values

    private func set(_ name: String, _ value: JSONValue, _ row: inout Row) throws {
        let layout = row.layout
        guard let number = layout.slot(named: name) else {
            // A table of several entities has columns for properties that this entity lacks.
            if row.isTable, case .null = value { return }
            let near = NearestName.of(name, among: layout.slots.map(\.name)).map { ". Did you mean \($0)?" } ?? ""
            throw FieldError(reason: "\(layout.name) has no property of this name\(near)")
        }
        let slot = layout.slots[number]
        switch slot.kind {
        case .attribute: try setAttribute(number, value, &row)
        case .toOne, .toMany: try setRelated(number, value, &row)
        case .fetched: throw FieldError(reason: "a fetched property has no value of its own")
        }
    }

    private func setAttribute(_ number: Int, _ value: JSONValue, _ row: inout Row) throws {
        let slot = row.layout.slots[number]
        // Computed and transient values are not imported.
        if slot.derivation != nil || slot.isTransient { return }
        guard slot.type == .composite else {
            row.values[number] = try slot.value(of: value)
            row.givenSlots.insert(number)
            return
        }
        switch value {
        case .null:
            for element in slot.elements { try setAttribute(element.slot, .null, &row) }
        case .object(let members):
            for member in members {
                guard let element = slot.elements.first(where: { $0.name == member.name }) else {
                    throw FieldError(reason: "the composite attribute has no element \(member.name)")
                }
                try setAttribute(element.slot, member.value, &row)
            }
        default: throw FieldError(reason: "it takes an object with its elements, not \(value.kind)")
        }
    }

    private func setRelated(_ number: Int, _ value: JSONValue, _ row: inout Row) throws {
        let slot = row.layout.slots[number]
        if slot.isTransient { return }
        row.givenSlots.insert(number)
        var names: [SQLValue] = []
        switch (slot.kind, value) {
        case (_, .null): row.values[number] = .null
        case (.toOne, .string(let text)), (.toOne, .number(let text)): names = [name(text)]
        case (.toMany, .string(let list)) where row.isTable:
            names = list.split(separator: " ").map { name(String($0)) }
        case (.toMany, .array(let list)):
            for member in list {
                switch member {
                case .string(let text), .number(let text): names.append(name(text))
                default: throw FieldError(reason: "it takes a list of names, and \(member.kind) is none")
                }
            }
        case (.toOne, _): throw FieldError(reason: "it takes the name of an object, not \(value.kind)")
        default: throw FieldError(reason: "it takes a list of names, not \(value.kind)")
        }
        guard !names.isEmpty else { return }
        if slot.kind == .toOne, let key = try settled(names[0], slot) {
            row.values[number] = .reference(key)
            report.relationships += 1
        } else {
            row.links.append(PendingLink(slot: number, names: names))
        }
    }

    /// The key of a related object that is already written and whose row needs no change; otherwise nil.
    private func settled(_ name: SQLValue, _ slot: Slot) throws -> ObjectKey? {
        guard let destination = slot.destination.map({ model.layouts[$0] }), !waitingNames.contains(name),
            slot.inverseSlot < 0 || destination.slots[slot.inverseSlot].kind != .toOne,
            let place = try ledger.place(of: name), model.layouts[place.entity].isKind(of: destination)
        else { return nil }
        return ObjectKey(entity: Int32(place.entity), store: store.storeIndex, primaryKey: place.primaryKey)
    }

    /// Computes derived attributes that depend on the row alone; the store computes the others.
    private static func derive(_ row: inout Row) {
        let layout = row.layout
        for number in layout.derivedSlots {
            switch layout.slots[number].derivation {
            case .path(let path) where path.count == 1:
                guard let source = layout.slot(named: path[0]) else { continue }
                row.values[number] = row.values[source]
                if row.givenSlots.contains(source) { row.givenSlots.insert(number) }
            case .function(let name, let path) where path.count == 1:
                guard let source = layout.slot(named: path[0]) else { continue }
                if case .string(let text) = row.values[source] {
                    row.values[number] = Derivation.call(name, text).map(Value.string) ?? .null
                } else {
                    row.values[number] = .null
                }
                if row.givenSlots.contains(source) { row.givenSlots.insert(number) }
            default: continue
            }
        }
    }

    // MARK: Keys

    /// A key for a new row: the one that its name requests, if that is free; in a database the next one that it gives.
    private func newKey(_ tree: TreeLayout, wanted name: SQLValue?) throws -> Int64 {
        if lastKeys[tree.index] == nil, givenKeys[tree.index] == nil {
            let last = try writer.greatestKey(tree)
            lastKeys[tree.index] = last
            firstKeys[tree.index] = last
        }
        guard let last = lastKeys[tree.index] else { return try givenKey(tree) }
        guard case .integer(let number)? = name else { return last + 1 }
        let requestedKey = (firstKeys[tree.index] ?? 0) + number & (1 << 40 - 1)
        if requestedKey > last { return requestedKey }
        guard requestedKey > 0,
            !batch.contains(where: { $0.operation.layout.tree === tree && $0.operation.primaryKey == requestedKey }),
            let root = schema.entities[tree.rootName], try entityNumber(of: requestedKey, in: root) == nil
        else { return last + 1 }
        return requestedKey
    }

    private func givenKey(_ tree: TreeLayout) throws -> Int64 {
        if let key = givenKeys[tree.index]?.popLast() { return key }
        let keys = try writer.reserveKeys(tree: tree, count: Self.chunk).flatMap { Array($0) }
        guard let first = keys.first else { throw EngineError(.failed, "the database has given no key for a new row") }
        givenKeys[tree.index] = keys.dropFirst().reversed()
        return first
    }

    /// The number of the entity of a row in the store; nil if there is no such row.
    func entityNumber(of key: Int64, in entity: EntitySchema) throws -> Int64? {
        let dialect = schema.dialect
        let number = entity.own.entityNumber.map(dialect.identifier) ?? "\(entity.number)"
        let rows = try writer.integers(
            "SELECT \(number) FROM \(dialect.table(entity.tableName)) WHERE "
                + "\(dialect.identifier(entity.own.key)) = \(key)"
        )
        return rows.first?.first ?? nil
    }

    /// Records the used keys in the store.
    func keepKeys() throws {
        for (tree, last) in lastKeys { try writer.keepKeys(model.trees[tree], through: last) }
    }

    // MARK: Existing rows

    /// The row that a line is to update.
    private func existing(_ row: Row) throws -> ObjectKey? {
        guard !options.updateBy.isEmpty else { return nil }
        let layout = row.layout
        let slots = options.updateBy.compactMap { layout.slot(named: $0) }
        guard slots.count == options.updateBy.count, slots.allSatisfy({ row.givenSlots.contains($0) }) else {
            return nil
        }
        // The row may be among the pending ones.
        try writeRows()
        guard let key = try writer.key(layout: layout.stored, slots: slots, values: layout.stored(row.values)),
            model.layouts[Int(key.entity)].isKind(of: layout)
        else { return nil }
        return key
    }

    private func update(_ key: ObjectKey, _ row: Row, _ name: SQLValue?, _ position: Int) throws {
        var row = row
        let layout = row.layout
        Self.derive(&row)
        let targetLayout = model.layouts[Int(key.entity)]
        var values = ContiguousArray(targetLayout.defaults)
        var slots = SlotSet()
        /// The to-many relationships whose members the line replaces.
        var replaced: [Int] = []
        /// The to-one relationships that the line empties.
        var emptied: [Int] = []
        for (number, slot) in layout.slots.enumerated() where row.givenSlots.contains(number) {
            guard let target = targetLayout.slot(named: slot.name) else { continue }
            if slot.kind == .toMany {
                replaced.append(target)
                continue
            }
            if row.links.contains(where: { $0.slot == number }) { continue }
            values[target] = row.values[number]
            if slot.kind == .toOne, case .null = row.values[number] { emptied.append(target) }
            if slot.kind == .attribute, let rules = targetLayout.validators[target], slot.type != .transformable,
                slot.derivation == nil,
                let error = rules.model.error(for: values[target].publicAttribute(slot.type), of: nil)
            {
                return refuse(position, slot.name, error.localizedDescription)
            }
            slots.insert(target)
        }
        // Two lines may match the same row by its values, but not under the same name.
        guard try name == nil || ledger.place(of: name ?? .null) == nil else { return try refuseName(name, position) }
        _ = try ledger.note(name, targetLayout, key.primaryKey, line: position, isNew: false)
        var changes = StoreChanges()
        if !slots.isEmpty {
            let operation = RowOperation(
                layout: targetLayout.stored,
                primaryKey: key.primaryKey,
                version: RowOperation.anyVersion,
                values: try targetLayout.stored(values),
                slots: slots
            )
            changes.updates = [operation]
        }
        do {
            try inSavepoint {
                for target in replaced { try nullifyReferences(targetLayout, target, key.primaryKey) }
                for target in emptied { try nullifyInverse(targetLayout, target, key.primaryKey) }
                if !slots.isEmpty { _ = try writer.write(changes) }
            }
        } catch let error as RefusedRows {
            return refuse(position, nil, error.reason)
        }
        report.updated += 1
        for link in row.links {
            guard let target = targetLayout.slot(named: layout.slots[link.slot].name) else { continue }
            try note(PendingLink(slot: target, names: link.names), targetLayout, key.primaryKey, position)
        }
    }

    // MARK: Writing

    /// Writes the pending rows.
    func writeRows() throws {
        guard !batch.isEmpty else { return }
        let rows = batch
        batch.removeAll(keepingCapacity: true)
        waitingNames.removeAll(keepingCapacity: true)
        var changes = StoreChanges()
        changes.inserts = rows.map(\.operation)
        do {
            try inSavepoint { _ = try writer.write(changes) }
            for row in rows { try settle(row) }
        } catch is RefusedRows {
            // The store rejected one row; write them one by one to keep the others.
            for row in rows {
                changes.inserts = [row.operation]
                do {
                    try inSavepoint { _ = try writer.write(changes) }
                    try settle(row)
                } catch let error as RefusedRows {
                    try ledger.forget(row.noted)
                    refuse(row.position, nil, error.reason)
                }
            }
        }
    }

    private func settle(_ row: PendingRow) throws {
        report.inserted += 1
        for link in row.links { try note(link, row.layout, row.operation.primaryKey, row.position) }
    }

    private func note(_ link: PendingLink, _ layout: ObjectLayout, _ key: Int64, _ position: Int) throws {
        let slot = Int64(layout.index) << 20 | Int64(link.slot)
        for (place, name) in link.names.enumerated() { try ledger.link(slot, key, place, name, line: position) }
    }

    /// Writes rows; if the store refuses them, nothing of them stays.
    ///
    /// - Throws: `RefusedRows` if the store refuses the rows alone, and not the whole transaction.
    private func inSavepoint(_ body: () throws -> Void) throws {
        do {
            try writer.inSavepoint(body)
        } catch let error as EngineError where Self.isOfTheRows(error) {
            throw RefusedRows(reason: sentence(error))
        }
    }

    private static func isOfTheRows(_ error: EngineError) -> Bool {
        switch error.kind {
        case .uniqueValue, .invalidValue: return true
        default:
            let constraint = 19
            return error.code.map { $0 & 0xFF == constraint } ?? false
        }
    }

    private func sentence(_ error: EngineError) -> String {
        guard error.kind == .uniqueValue else {
            return [error.message, error.remedy].compactMap(\.self).joined(separator: " ")
        }
        let message = error.message.split(separator: ": ").last.map(String.init) ?? ""
        return "a row with these values is there already (\(message)). Change them, or import with --update-by"
    }
}
