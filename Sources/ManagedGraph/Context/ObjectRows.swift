// Rows for which a context finds or makes objects, all at once: those of a fetch, the keys of a batched fetch, the
// members of a relationship. Passed to NSManagedObjectContext.objects(of:), which calls them row by row.
import GraphEngine

/// Rows of one tree and one store.
protocol ObjectRows {
    var count: Int { get }

    func primaryKey(_ row: Int) -> Int64

    /// Makes the object of a row, without registering it.
    mutating func make(_ row: Int, _ maker: inout FaultMaker) -> NSManagedObject

    /// Notes that a row's object exists.
    mutating func reuse(_ object: NSManagedObject, _ row: Int)
}

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

/// Keys of one store, each with its entity.
struct PagedObjectKeys: PagedObjectRows {
    let keys: [ObjectKey]
    let layouts: [ObjectLayout]
    let pageSize: Int
    var page: FaultPage?

    init(_ keys: [ObjectKey], _ layouts: [ObjectLayout], pageSize: Int) {
        (self.keys, self.layouts, self.pageSize) = (keys, layouts, pageSize)
    }

    var count: Int { keys.count }

    var store: Int32 { keys.first?.store ?? -1 }

    func primaryKey(_ row: Int) -> Int64 { keys[row].primaryKey }

    func layout(_ row: Int) -> ObjectLayout { layouts[Int(keys[row].entity)] }
}

/// The layouts of the rows of a fetch: all the same one, unless entities share the table.
///
/// Owns nothing: it is passed along inside of one method of the context.
struct RowLayouts {
    unowned(unsafe) let layout: ObjectLayout
    let isInTree: Bool
    private unowned(unsafe) let context: NSManagedObjectContext
    private unowned(unsafe) let store: any RowStore

    init(_ layout: ObjectLayout, _ context: NSManagedObjectContext, _ store: any RowStore) {
        (self.layout, self.context, self.store) = (layout, context, store)
        isInTree = layout.tree.isInTree
    }

    /// The layout of a row with the number of its entity, or without one.
    @inline(__always)
    func layout(_ number: Int64?) -> ObjectLayout {
        number.flatMap { context.layout(number: $0, store: store) } ?? layout
    }
}

extension NSManagedObjectContext {
    /// The objects of rows; each row has one object in this context, and may occur several times.
    ///
    /// The registry's lock is taken twice. Objects are made without it, as a class's initial values can run any code.
    ///
    /// - Parameters:
    ///   - rows: The rows.
    ///   - layout: The layout of most rows.
    ///   - store: The index of the rows' store.
    /// - Returns: The objects in the order of the rows. O(rows).
    final func objects<Rows: ObjectRows>(of rows: Rows, _ layout: ObjectLayout, store: Int32) -> [NSManagedObject] {
        var rows = rows
        let tree = layout.tree.index
        if rows.count == 1 { return [object(of: &rows, layout, store: store)] }
        var repeated: [(row: Int, object: NSManagedObject)] = []
        var result = Array<NSManagedObject>(unsafeUninitializedCapacity: rows.count) { buffer, count in
            guard let base = buffer.baseAddress else { return }
            // The same words in memory, of which nil ones stand for objects that do not exist.
            base.withMemoryRebound(to: NSManagedObject?.self, capacity: rows.count) { places in
                let mayExist = registry.withPages(store: store, tree: tree) { pages in
                    guard pages.count > 0 else { return false }
                    for row in 0..<rows.count { (places + row).initialize(to: pages.object(rows.primaryKey(row))) }
                    return true
                }
                var maker = FaultMaker(self, store: store, layout: layout)
                for row in 0..<rows.count {
                    if mayExist, let object = places[row] {
                        rows.reuse(object, row)
                    } else {
                        (places + row).initialize(to: rows.make(row, &maker))
                        keep(base[row])
                    }
                }
            }
            count = rows.count
            registry.withPages(store: store, tree: tree) { pages in
                for row in 0..<rows.count {
                    if let object = pages.enter(rows.primaryKey(row), base + row) { repeated.append((row, object)) }
                }
            }
        }
        for (row, object) in repeated { result[row] = object }
        return result
    }

    /// The object of the only row.
    private func object<Rows: ObjectRows>(
        of rows: inout Rows,
        _ layout: ObjectLayout,
        store: Int32
    ) -> NSManagedObject {
        let key = ObjectKey(entity: 0, store: store, primaryKey: rows.primaryKey(0))
        if let existing = registry.object(for: key, tree: layout.tree.index) {
            rows.reuse(existing, 0)
            return existing
        }
        var maker = FaultMaker(self, store: store, layout: layout)
        let object = rows.make(0, &maker)
        registry.withPages(store: store, tree: layout.tree.index) { $0.set(object.primaryKey, object) }
        keep(object)
        return object
    }
}
