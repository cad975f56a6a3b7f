// Compares two stores object by object, in the memory of a portion. Called by `managedgraph store compare`. It reads rows
// as exports do, so that stores of different types can be compared.
import Foundation
import GraphEngine
import GraphModel
import ManagedGraph

/// A comparison of two stores of one model.
package final class StoreComparison {
    /// The result of a comparison.
    package struct Outcome: Sendable {
        /// The objects of the first store.
        package var objects = 0
        /// The values and relationships compared.
        package var values = 0
        /// Sentences about differences: the first of each kind, and the number of the others.
        package var differences: [String] = []
    }

    private let first: StoreReading
    private let second: StoreReading
    private var findings = Findings()
    private var outcome = Outcome()
    private static let portion = 1_000

    /// - Parameters:
    ///   - first: A store.
    ///   - second: Another store, made with the same model.
    /// - Throws: If the models differ.
    package init(_ first: StoreReading, _ second: StoreReading) throws {
        (self.first, self.second) = (first, second)
        let hashes = [first, second].map(\.coordinator.managedObjectModel.entityVersionHashesByName)
        guard hashes[0] == hashes[1] else {
            throw CoreDataError.make(
                NSPersistentStoreIncompatibleVersionHashError,
                "The stores have different models: " + VersionDifference.list(found: hashes[0], wanted: hashes[1])
                    + ".",
                remedy: "Migrate one of them to the model of the other first."
            )
        }
    }

    /// The number of objects in the first store.
    package func total() throws -> Int { try first.counts().reduce(0) { $0 + $1.rows } }

    /// Compares all objects by their keys: entity, attributes, and relationships with their order.
    ///
    /// Versions are not compared. Dates are equal if they are less than a microsecond apart, as databases keep
    /// microseconds.
    ///
    /// - Parameter progress: Called with the number of objects compared; if it throws, the comparison ends.
    /// - Returns: The outcome.
    /// - Throws: If a store cannot be read, and errors of `progress`.
    package func run(progress: (Int) throws -> Void) throws -> Outcome {
        for tree in first.model.trees {
            let layouts = first.model.layouts.filter { $0.tree === tree && first.holds($0) && !$0.isAbstract }
            guard let root = first.model.byName[tree.rootName], !layouts.isEmpty else { continue }
            let common = try compare(tree, root, layouts, progress)
            try findExcess(tree.rootName, common: common)
        }
        outcome.differences = findings.list()
        return outcome
    }

    /// Compares the objects of a tree of entities; returns the number of those that both stores have.
    private func compare(
        _ tree: TreeLayout,
        _ root: ObjectLayout,
        _ layouts: [ObjectLayout],
        _ progress: (Int) throws -> Void
    ) throws -> Int {
        guard let otherRoot = second.model.byName[tree.rootName] else { return 0 }
        var common = 0
        var portion = OwnerPortion()
        try first.read { session in
            try session.eachPortion(of: tree, entities: layouts.map(\.stored), size: Self.portion) { batch in
                let keys = (0..<batch.count).map { batch.integer(TreeLayout.primaryKeyColumn, $0) }
                let otherRows = try second.read { try $0.rows(tree: otherRoot.tree, keys: keys) }
                let places = Dictionary(
                    (0..<otherRows.count).map { (otherRows.integer(TreeLayout.primaryKeyColumn, $0), $0) }
                ) { first, _ in first }
                let layouts = (0..<batch.count).map { first.layout(of: batch, $0, in: root) }
                let otherLayouts = (0..<otherRows.count).map { second.layout(of: otherRows, $0, in: otherRoot) }
                var start = 0
                while start < keys.count {
                    let rows = start..<min(start + portion.count, keys.count)
                    start = rows.upperBound
                    let left = try Side(first, batch, layouts, rows)
                    let right = try Side(second, otherRows, otherLayouts, rows.compactMap { places[keys[$0]] })
                    portion.note(owners: rows.count, members: RecordReader.count(left.members))
                    for row in rows {
                        let key = keys[row]
                        outcome.objects += 1
                        guard let otherRow = places[key] else {
                            let name = left.layouts[row].name
                            findings.add(
                                "\(name)/p\(key) is in the first store only.",
                                kind: "\(name): missing objects"
                            )
                            continue
                        }
                        common += 1
                        try compare(left, row, right, otherRow, key)
                    }
                }
                try progress(outcome.objects)
            }
        }
        return common
    }

    /// A portion of the rows of one store.
    private struct Side {
        let reader: RecordReader
        let batch: RowBatch
        let layouts: [ObjectLayout]
        let members: [Int: RecordReader.Members]

        /// Reads the members of some rows of a portion.
        init(_ reading: StoreReading, _ batch: RowBatch, _ layouts: [ObjectLayout], _ rows: some Sequence<Int>) throws {
            reader = RecordReader(reading, form: .short)
            self.batch = batch
            self.layouts = layouts
            members = try reader.members(of: batch, rows: rows, layouts: layouts) { _, slot in !slot.isTransient }
        }

        /// The value of a property as it is compared: unordered members are sorted.
        func value(_ row: Int, _ key: Int64, _ name: String) throws -> FieldValue {
            let layout = layouts[row]
            guard let number = layout.slot(named: name) else { return .null }
            let slot = layout.slots[number]
            guard slot.kind == .toMany else { return try reader.value(layout, number, batch, row) }
            let names = members[layout.index]?[number]?[key] ?? []
            return .references(slot.isOrdered ? names : names.sorted())
        }
    }

    private func compare(_ left: Side, _ row: Int, _ right: Side, _ rightRow: Int, _ key: Int64) throws {
        let layout = left.layouts[row]
        guard layout.name == right.layouts[rightRow].name else {
            findings.add(
                "\(layout.name)/p\(key) is of the entity \(right.layouts[rightRow].name) in the second store.",
                kind: "\(layout.name): other entities"
            )
            return
        }
        for slot in layout.slots where slot.kind == .toMany ? !slot.isTransient : slot.isStored {
            outcome.values += 1
            let (leftValue, rightValue) = (
                try left.value(row, key, slot.name), try right.value(rightRow, key, slot.name)
            )
            guard !leftValue.isSame(as: rightValue) else { continue }
            findings.add(
                "\(layout.name)/p\(key): \(slot.name) is \(leftValue.excerpt) in the first store and \(rightValue.excerpt) in the second.",
                kind: "\(layout.name).\(slot.name): other values"
            )
        }
    }

    /// Searches for objects that only the second store has, if it has more than those that both have.
    private func findExcess(_ entity: String, common: Int) throws {
        guard let firstLayout = first.model.byName[entity], let secondLayout = second.model.byName[entity] else {
            return
        }
        guard try second.read({ try $0.count(StoreFetch(layout: secondLayout.stored)) }) > common else { return }
        let layouts = second.model.layouts.filter {
            $0.tree === secondLayout.tree && second.holds($0) && !$0.isAbstract
        }
        try second.read { session in
            try session.eachPortion(of: secondLayout.tree, entities: layouts.map(\.stored), size: Self.portion) {
                batch in
                let keys = (0..<batch.count).map { batch.integer(TreeLayout.primaryKeyColumn, $0) }
                let rows = try first.read { try $0.rows(tree: firstLayout.tree, keys: keys) }
                let present = Set((0..<rows.count).map { rows.integer(TreeLayout.primaryKeyColumn, $0) })
                for (row, key) in keys.enumerated() where !present.contains(key) {
                    let name = second.layout(of: batch, row, in: secondLayout).name
                    findings.add("\(name)/p\(key) is in the second store only.", kind: "\(name): additional objects")
                }
            }
        }
    }
}

extension FieldValue {
    /// Whether two stores hold the same value.
    fileprivate func isSame(as other: FieldValue) -> Bool {
        switch (self, other) {
        case (.null, .null): true
        case (.boolean(let one), .boolean(let two)): one == two
        case (.integer(let one), .integer(let two)): one == two
        case (.real(let one), .real(let two)): one == two || (one.isNaN && two.isNaN)
        case (.float(let one), .float(let two)): one == two || (one.isNaN && two.isNaN)
        case (.date(let one), .date(let two)): one == two || abs(one - two) < 1e-6
        case (.text(let one), .text(let two)): one.utf8.elementsEqual(two.utf8)
        case (.reference(let one), .reference(let two)): one == two
        case (.decimal(let one), .decimal(let two)): one == two || Decimal(string: one) == Decimal(string: two)
        case (.data(let one), .data(let two)): one == two
        case (.references(let one), .references(let two)): one == two
        default: false
        }
    }

    /// The value in a sentence.
    fileprivate var excerpt: String {
        guard text != nil else { return "no value" }
        let shown = tableText
        return shown.count > 60 ? "\"\(shown.prefix(60))…\"" : "\"\(shown)\""
    }
}
