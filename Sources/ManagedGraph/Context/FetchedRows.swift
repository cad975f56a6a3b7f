// The rows of a fetch with their values.
import GraphEngine

/// Rows with their values.
struct FetchedRows: ObjectRows {
    let batch: RowBatch
    let layouts: RowLayouts

    var count: Int { batch.count }

    @inline(__always)
    func primaryKey(_ row: Int) -> Int64 { batch.integer(TreeLayout.primaryKeyColumn, row) }

    @inline(__always)
    func make(_ row: Int, _ maker: inout FaultMaker) -> NSManagedObject {
        let object =
            layouts.isInTree
            ? maker.make(layouts.layout(batch.integer(TreeLayout.entityColumn, row)), primaryKey: primaryKey(row))
            : maker.make(primaryKey: primaryKey(row))
        object.content.setRows(batch)
        object.row = Int32(truncatingIfNeeded: row)
        return object
    }

    /// Takes the newest row, unless a value was read from the object.
    @inline(__always)
    func reuse(_ object: NSManagedObject, _ row: Int) {
        guard object.state.contains(.fault) else { return }
        if object.rows == nil || object.edits == nil {
            object.adopt(batch, row: row)
        } else {
            object.adoptOtherVersion(batch, row: row)
        }
    }
}
