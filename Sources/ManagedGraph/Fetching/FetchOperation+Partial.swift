// Partial faults: objects of which a fetch reads only some properties (`propertiesToFetch`). They stay faults. The
// values read are available; accessing any other property fires them.
import Foundation
import GraphEngine
import GraphSQLite

extension FetchOperation {
    /// The slots that a partial fetch reads, with their columns in the tree's rows.
    typealias PartialColumns = [(slot: Int, column: Int)]

    /// The columns to read; nil if all are requested, or if the requested properties are not stored.
    func partialColumns() -> PartialColumns? {
        guard request.resultType == .managedObjectResultType, request.returnsObjectsAsFaults,
            !request.shouldRefreshRefetchedObjects, let properties = request.propertiesToFetch
        else { return nil }
        var result: PartialColumns = []
        for property in properties {
            guard let name = property as? String ?? (property as? NSPropertyDescription)?.name,
                let slot = layout.slot(named: name)
            else { continue }
            let column = Int(layout.columns[slot])
            if column >= 0 { result.append((slot, column)) }
        }
        return result
    }

    /// The objects of rows of which only some columns are read.
    func partial(_ fetch: StoreFetch, _ store: any RowStore, _ columns: PartialColumns) throws -> [NSManagedObject] {
        let tree = layout.tree
        // The key, the version and, in a tree, the entity come first; a to-one key may be followed by its entity.
        let first = tree.kinds.count - tree.columns.count
        var fetchedColumns = Array(0..<first)
        var places: PartialColumns = []
        for (slot, column) in columns {
            places.append((slot, fetchedColumns.count))
            fetchedColumns.append(column)
            let next = column + 1 - first
            if tree.columns.indices.contains(next), tree.columns[next].isEntityNumber {
                fetchedColumns.append(column + 1)
            }
        }
        let batch = try context.reading(store) { try $0.rows(fetch, columns: fetchedColumns) }
        context.registry.rowsRead.add(batch.count)
        return (0..<batch.count).map { row in
            let number = tree.isInTree ? batch.integer(TreeLayout.entityColumn, row) : nil
            let primaryKey = batch.integer(TreeLayout.primaryKeyColumn, row)
            let (rowLayout, key) = context.identity(primaryKey, entity: number, layout, store)
            let object = context.object(for: key)
            guard object.isUnread, object.edits == nil else { return object }
            let edits = object.ensureEdits()
            edits.isPartial = true
            for place in places {
                guard let slot = rowLayout.slot(named: layout.slots[place.slot].name) else { continue }
                edits.values[slot] = Value(
                    batch,
                    column: place.column,
                    row: row,
                    slot: rowLayout.slots[slot],
                    object: object
                )
            }
            return object
        }
    }
}
