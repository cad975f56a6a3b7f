// Exports a store's rows as text, any number of them in the memory of a portion. Called by `managedgraph store export`;
// the caller chooses the destination. Only the properties that an import needs are written: derived attributes are left
// out, as are to-many relationships that the members' rows imply.
import Foundation
import GraphArchives
import GraphEngine
import GraphModel
import GraphSQLite
import ManagedGraph

/// Writes the rows of an opened store as text, and reports the progress by rows.
package struct StoreExport {
    private let reading: StoreReading
    /// The exported entities, by tree.
    private let trees: [(tree: TreeLayout, layouts: [ObjectLayout])]
    private let progress: (Int, Int) throws -> Void
    /// The total number of rows to export.
    package let total: Int
    private static let portion = 500

    /// The outcome of an export.
    package struct Outcome {
        package var rows = 0
        /// External values whose files are missing.
        package var missing: [String] = []
    }

    /// Prepares an export.
    ///
    /// - Parameters:
    ///   - reading: The store.
    ///   - entity: The entity to export, with its subentities; nil for all.
    ///   - progress: Called periodically with the number of rows written so far and the total; if it throws, the export
    ///     ends.
    /// - Throws: If the model has no entity of this name.
    package init(
        _ reading: StoreReading,
        entity: String?,
        progress: @escaping (Int, Int) throws -> Void = { _, _ in }
    ) throws {
        self.reading = reading
        self.progress = progress
        let layouts: [ObjectLayout]
        if let entity {
            layouts = try reading.layout(entity).family.map { reading.model.layouts[$0] }
        } else {
            layouts = reading.model.layouts.filter(reading.holds)
        }
        trees = Self.ordered(reading.model, layouts)
        total = try layouts.filter { !$0.isAbstract }.reduce(0) {
            let fetch = StoreFetch(layout: $1.stored, includesSubentities: false)
            return $0 + (try reading.read { try $0.count(fetch) })
        }
    }

    /// Orders the trees so that to-one relationships refer to earlier rows as far as possible.
    private static func ordered(_ model: CompiledModel, _ requested: [ObjectLayout]) -> [(TreeLayout, [ObjectLayout])] {
        let groups = Dictionary(grouping: requested, by: \.tree.index)
        var visited: Set<Int> = []
        var result: [(TreeLayout, [ObjectLayout])] = []
        func visit(_ index: Int) {
            guard let layouts = groups[index], visited.insert(index).inserted else { return }
            for layout in layouts {
                for slot in layout.toOneSlots {
                    if let destination = layout.slots[slot].destination { visit(model.layouts[destination].tree.index) }
                }
            }
            result.append((model.trees[index], layouts))
        }
        for index in groups.keys.sorted(by: { model.trees[$0].rootName < model.trees[$1].rootName }) { visit(index) }
        return result
    }

    /// The concrete entities, each of which gets a file of its own in an export to a folder of tables.
    package var entityNames: [String] {
        trees.flatMap(\.layouts).filter { !$0.isAbstract }.map(\.name).sorted()
    }

    // MARK: Properties

    /// Whether a property is written.
    static func isWritten(_ layout: ObjectLayout, _ slot: Slot) -> Bool {
        switch slot.kind {
        case .attribute: return slot.isStored && slot.derivation == nil
        case .toOne: return slot.isStored
        case .toMany:
            guard !slot.isTransient else { return false }
            guard slot.inverseSlot >= 0, let destination = slot.destination else { return true }
            // The members' rows name their owner.
            return slot.isOrdered || layout.model.layouts[destination].slots[slot.inverseSlot].kind != .toOne
        case .fetched: return false
        }
    }

    // MARK: Writing

    /// Writes all rows as JSON, one object per line.
    ///
    /// - Parameter write: Receives the text of some rows.
    /// - Returns: The number of rows, and the missing values.
    /// - Throws: If the store cannot be read, and errors of `write`.
    package func writeLines(_ write: ([UInt8]) throws -> Void) throws -> Outcome {
        var outcome = Outcome()
        var heads: [Int: [(slot: Int, head: [UInt8])]] = [:]
        for (_, layouts) in trees {
            for layout in layouts {
                heads[layout.index] = layout.slots.indices.filter { Self.isWritten(layout, layout.slots[$0]) }.map {
                    var head: [UInt8] = [UInt8(ascii: ",")]
                    JSONWriter.append(layout.slots[$0].name, to: &head)
                    return ($0, head + [UInt8(ascii: ":")])
                }
            }
        }
        for (tree, layouts) in trees {
            try eachRow(tree, layouts, &outcome) { reader, layout, key, value in
                var line = Array("{\"$id\":".utf8)
                JSONWriter.append(reader.name(layout, key), to: &line)
                line += ",\"$entity\":".utf8
                JSONWriter.append(layout.name, to: &line)
                for (slot, head) in heads[layout.index] ?? [] {
                    line += head
                    try value(slot).appendJSON(to: &line)
                }
                try write(line + Array("}\n".utf8))
            }
        }
        return outcome
    }

    /// Writes the rows of one entity as a table.
    ///
    /// - Parameters:
    ///   - entity: An entity; nil for all exported ones, which then must belong to one tree.
    ///   - write: Receives the text of some rows.
    /// - Returns: The number of rows, and the missing values.
    /// - Throws: If the store cannot be read, and errors of `write`.
    package func writeTable(of entity: String? = nil, _ write: ([UInt8]) throws -> Void) throws -> Outcome {
        var outcome = Outcome()
        for (tree, all) in trees {
            let layouts = all.filter { entity == nil || $0.name == entity }
            guard !layouts.isEmpty else { continue }
            var names: [String] = []
            for layout in layouts {
                for slot in layout.slots where Self.isWritten(layout, slot) && !names.contains(slot.name) {
                    names.append(slot.name)
                }
            }
            var head: [UInt8] = Array("$id,$entity".utf8)
            for name in names {
                head.append(UInt8(ascii: ","))
                FieldValue.appendCSV(name, to: &head)
            }
            try write(head + [UInt8(ascii: "\n")])
            let places = Dictionary(
                uniqueKeysWithValues: layouts.map { layout in (layout.index, names.map { layout.slot(named: $0) }) }
            )
            try eachRow(tree, layouts, &outcome) { reader, layout, key, value in
                var line: [UInt8] = []
                FieldValue.appendCSV(reader.name(layout, key), to: &line)
                line.append(UInt8(ascii: ","))
                FieldValue.appendCSV(layout.name, to: &line)
                for slot in places[layout.index] ?? [] {
                    line.append(UInt8(ascii: ","))
                    if let slot { try value(slot).appendCSV(to: &line) }
                }
                try write(line + [UInt8(ascii: "\n")])
            }
        }
        return outcome
    }

    private func eachRow(
        _ tree: TreeLayout,
        _ requested: [ObjectLayout],
        _ outcome: inout Outcome,
        _ body: (RecordReader, ObjectLayout, Int64, (Int) throws -> FieldValue) throws -> Void
    ) throws {
        var missing: [String] = []
        var rows = 0
        let before = outcome.rows
        guard let root = reading.model.byName[tree.rootName] else { return }
        var reader = RecordReader(reading, form: .short)
        reader.missing = { missing.append($0) }
        var portion = OwnerPortion()
        try reading.read {
            try $0.eachPortion(of: tree, entities: requested.map(\.stored), size: Self.portion) { batch in
                let layouts = (0..<batch.count).map { reading.layout(of: batch, $0, in: root) }
                var start = 0
                while start < batch.count {
                    let part = start..<min(start + portion.count, batch.count)
                    start = part.upperBound
                    let members = try reader.members(of: batch, rows: part, layouts: layouts) {
                        Self.isWritten($0, $1)
                    }
                    portion.note(owners: part.count, members: RecordReader.count(members))
                    for row in part {
                        let layout = layouts[row]
                        let key = batch.integer(TreeLayout.primaryKeyColumn, row)
                        try body(reader, layout, key) { slot in
                            layout.slots[slot].kind == .toMany
                                ? .references(members[layout.index]?[slot]?[key] ?? [])
                                : try reader.value(layout, slot, batch, row)
                        }
                    }
                }
                rows += batch.count
                try progress(before + rows, total)
            }
        }
        outcome.rows += rows
        outcome.missing += missing
    }
}
