// Rows whose objects are faults at first, and are filled one page at a time.
import GraphEngine

/// Rows of which only the keys are known: their objects are faults that are filled one page at a time.
protocol PagedObjectRows: ObjectRows {
    var store: Int32 { get }
    var pageSize: Int { get }
    /// The page of the latest row; made by the extension below.
    var page: FaultPage? { get set }

    func layout(_ row: Int) -> ObjectLayout
}

extension PagedObjectRows {
    @inline(__always)
    mutating func make(_ row: Int, _ maker: inout FaultMaker) -> NSManagedObject {
        turnPage(row)
        let object = maker.make(layout(row), primaryKey: primaryKey(row))
        object.content.setPage(page)
        return object
    }

    /// Puts an object of which nothing was read on the page.
    mutating func reuse(_ object: NSManagedObject, _ row: Int) {
        turnPage(row)
        if object.snapshot == nil, object.state.contains(.fault), object.page == nil { object.page = page }
    }

    @inline(__always)
    private mutating func turnPage(_ row: Int) {
        guard row % pageSize == 0 else { return }
        let rows = row..<min(row + pageSize, count)
        // A fault by itself reads its row by its key.
        guard rows.count > 1 else {
            page = nil
            return
        }
        let keys = Array<Int64>(unsafeUninitializedCapacity: rows.count) { keys, count in
            for row in rows { keys.initializeElement(at: row - rows.lowerBound, to: primaryKey(row)) }
            count = rows.count
        }
        page = FaultPage(keys: keys, layout: layout(row), store: store)
    }
}
