// The keys that a batched fetch has read, as rows of faults.
import GraphEngine

/// The keys that a fetch has read.
struct PagedRowKeys: PagedObjectRows {
    let keys: RowBatch
    let layouts: RowLayouts
    let store: Int32
    let pageSize: Int
    var page: FaultPage?

    var count: Int { keys.count }

    @inline(__always)
    func primaryKey(_ row: Int) -> Int64 { keys.integer(0, row) }

    @inline(__always)
    func layout(_ row: Int) -> ObjectLayout { layouts.layout(layouts.isInTree ? keys.integer(1, row) : nil) }
}
