// A row of a DictionaryEngine.
import GraphEngine

/// One row, with its values by slot, unconverted.
struct DictionaryRow: Sendable {
    let layout: EntityLayout
    let primaryKey: Int64
    var version: Int64 = 1
    var values: ContiguousArray<RowValue>

    func value(named name: String) -> RowValue { layout.slot(named: name).map { values[$0] } ?? .null }
    func destination(of toOne: String) -> Int64? {
        if case .key(let key) = value(named: toOne) { key.primaryKey } else { nil }
    }

    /// The row with the columns of its tree.
    var columns: [RowValue] {
        let number: [RowValue] = layout.tree.isInTree ? [.integer(Int64(layout.index) + 1)] : []
        return [.integer(primaryKey), .integer(version)] + number
            + layout.tree.columns.map { column in
                guard let declaring = layout.model.byName[column.entityName], layout.isKind(of: declaring),
                    let slot = layout.slot(named: column.propertyName)
                else { return .null }
                switch values[slot] {
                case .key(let key): return .integer(column.isEntityNumber ? Int64(key.entity) + 1 : key.primaryKey)
                case .data(let data) where layout.properties[slot].allowsExternalStorage:
                    return .data(LargeValue.inline(data))
                case let value: return value
                }
            }
    }
}
