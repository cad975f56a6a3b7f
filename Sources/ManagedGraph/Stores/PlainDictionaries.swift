// Dictionaries of attributes as they are stored: decoded by column from one batch of rows, without a value of the engine
// for each. Made by FetchOperation from a plan.
import Foundation
import GraphEngine
import GraphModel

/// Rows as dictionaries whose values need no more than their column's type.
struct PlainDictionaries {
    private struct Entry {
        let name: String
        let key: NSString
        let type: AttributeType
    }

    private let entries: [Entry]
    /// The columns of the entity's rows to read, one for each entry.
    let columns: [Int]

    /// Nil if a column is computed, belongs to another entity, or has values of which the type is not all.
    init?(_ plan: DictionaryPlan, _ layout: ObjectLayout) {
        guard plan.isFlat, !plan.fetch.isDistinct, plan.fetch.groupBy.isEmpty, plan.fetch.having == nil else {
            return nil
        }
        var entries: [Entry] = []
        var columns: [Int] = []
        for (index, column) in plan.fetch.columns.enumerated() {
            guard case .keyPath(let path) = column, path.count == 1, let slot = layout.slot(named: path[0]),
                layout.slots[slot].kind == .attribute, layout.columns[slot] >= 0,
                !plan.types.indices.contains(index) || plan.types[index] == nil
            else { return nil }
            let type = layout.slots[slot].type
            switch type {
            case .integer16, .integer32, .integer64, .boolean, .double, .float, .date, .string: break
            default: return nil
            }
            let name = plan.places[index][0]
            entries.append(Entry(name: name, key: name as NSString, type: type))
            columns.append(Int(layout.columns[slot]))
        }
        self.entries = entries
        self.columns = columns
    }

    /// Foundation's dictionaries; subclasses would lose their entries when cast to a Swift dictionary.
    func foundation(_ batch: RowBatch) -> [NSDictionary] {
        withUnsafeTemporaryAllocation(of: AnyObject.self, capacity: entries.count) { objects in
            withUnsafeTemporaryAllocation(of: NSObject.self, capacity: entries.count) { keys in
                (0..<batch.count).map { row in
                    var count = 0
                    for (column, entry) in entries.enumerated() where !batch.isNull(column, row) {
                        (objects.baseAddress.unsafelyUnwrapped + count).initialize(
                            to: Self.object(batch, column, row, entry.type)
                        )
                        (keys.baseAddress.unsafelyUnwrapped + count).initialize(to: entry.key)
                        count += 1
                    }
                    defer {
                        objects.prefix(count).deinitialize()
                        keys.prefix(count).deinitialize()
                    }
                    return NSDictionary(objects: objects.baseAddress, forKeys: keys.baseAddress, count: count)
                }
            }
        }
    }

    /// Swift's dictionaries: copies of one, of which the values are replaced at their places, without a look-up.
    func swift(_ batch: RowBatch) -> [[String: Any]] {
        let empty: Any = 0
        let template = Dictionary(entries.map { ($0.name, empty) }) { first, _ in first }
        let places = entries.compactMap { template.index(forKey: $0.name) }
        return (0..<batch.count).map { row in
            var result = template
            var isWhole = true
            for (column, entry) in entries.enumerated() {
                if batch.isNull(column, row) {
                    isWhole = false
                } else {
                    result.values[places[column]] = Self.value(batch, column, row, entry.type)
                }
            }
            if isWhole { return result }
            // Removing a value would invalidate the places.
            for (column, entry) in entries.enumerated() where batch.isNull(column, row) { result[entry.name] = nil }
            return result
        }
    }

    private static func object(_ batch: RowBatch, _ column: Int, _ row: Int, _ type: AttributeType) -> AnyObject {
        switch type {
        case .string: batch.string(column, row) as NSString
        case .date: Date(timeIntervalSinceReferenceDate: batch.real(column, row)) as NSDate
        default: number(batch, column, row, type)
        }
    }

    private static func value(_ batch: RowBatch, _ column: Int, _ row: Int, _ type: AttributeType) -> Any {
        switch type {
        case .string: batch.string(column, row)
        case .date: Date(timeIntervalSinceReferenceDate: batch.real(column, row))
        default: number(batch, column, row, type)
        }
    }

    private static func number(_ batch: RowBatch, _ column: Int, _ row: Int, _ type: AttributeType) -> NSNumber {
        switch type {
        case .boolean: NSNumber(value: batch.integer(column, row) != 0)
        case .float: NSNumber(value: Float(batch.real(column, row)))
        case .double: NSNumber(value: batch.real(column, row))
        default: NSNumber(value: Int(batch.integer(column, row)))
        }
    }
}
