// Fetching: from a request to rows, from rows to objects, including unsaved changes.
import Foundation
import GraphEngine
import GraphPredicates
import GraphSQL
import GraphSQLite

extension NSManagedObjectContext {
    /// Fetches the results of a request.
    ///
    /// - Parameter request: The request.
    /// - Returns: Objects, identifiers, dictionaries or one count, by the request's result type.
    /// - Throws: 134060 for a request that names an unknown entity or property or cannot be answered, and the stores'
    ///   errors.
    public func fetch<T>(_ request: NSFetchRequest<T>) throws -> [T] {
        checkQueue("fetch(\(request))")
        let isCount = request.resultType == .countResultType
        return try throwingFailedReads {
            try observed(isCount ? .count(request) : .fetch(request)) { try results(of: request) }
        }
    }

    private func results<T>(of request: NSFetchRequest<T>) throws -> [T] {
        let fetch = try FetchOperation(request, context: self)
        switch request.resultType {
        case .managedObjectResultType:
            let objects = try fetch.objects()
            keepUntilEventEnds(fetched: objects)
            return try fetch.typed(objects)
        case .managedObjectIDResultType: return try fetch.cast(try fetch.identifiers())
        case .countResultType: return try fetch.cast([NSNumber(value: try fetch.count())])
        default: return try fetch.dictionaries()
        }
    }

    /// The keys of the rows that a request finds.
    final func keys(of request: NSFetchRequest<NSManagedObjectID>) throws -> [ObjectKey] {
        try throwingFailedReads {
            try observed(.fetch(request)) { try FetchOperation(request, context: self).keys() }
        }
    }

    /// Fetches the results of a request, type-erased.
    ///
    /// Also works for a request that was force-cast to this type: the results have the type it was created with.
    ///
    /// - Parameter request: The request.
    /// - Returns: As `fetch(_:)`, each result boxed.
    /// - Throws: As `fetch(_:)`.
    public func fetch(_ request: NSFetchRequest<any NSFetchRequestResult>) throws -> [any NSFetchRequestResult] {
        try request.boxedResults(in: self)
    }

    /// The number of objects that a request would fetch.
    ///
    /// - Parameter request: The request; its limit and offset apply.
    /// - Returns: The number.
    /// - Throws: As `fetch(_:)`.
    public func count<T>(for request: NSFetchRequest<T>) throws -> Int {
        checkQueue("count(for: \(request))")
        return try throwingFailedReads {
            try observed(.count(request)) { try FetchOperation(request, context: self).count() }
        }
    }

    /// The objects of a batch's rows; each row has one object in this context.
    ///
    /// With `mayRepeat`, the same row may occur several times.
    final func objects(
        from batch: RowBatch,
        tree: TreeLayout,
        layout: ObjectLayout,
        store: any RowStore,
        asFaults: Bool,
        mayRepeat: Bool = false
    )
        -> [NSManagedObject]
    {
        registry.rowsRead.add(batch.count)
        if batch.count < 2 {
            guard batch.count == 1 else { return [] }
            let object = object(from: batch, tree: tree, layout: layout, store: store)
            if !asFaults { object.fire() }
            return [object]
        }
        let count = batch.count
        // Look up together, create without the lock (a class's initial values can run any code), register together.
        var existing = ContiguousArray<NSManagedObject?>(repeating: nil, count: count)
        let storeIndex = store.index
        registry.withPages(store: storeIndex, tree: tree.index) { pages in
            for row in 0..<count { existing[row] = pages.object(batch.integer(TreeLayout.primaryKeyColumn, row)) }
        }
        var result: [NSManagedObject] = []
        result.reserveCapacity(count)
        var firstNew = count
        var repeated: [Int64: NSManagedObject] = [:]
        for row in 0..<count {
            if let object = existing[row] {
                object.adoptUnlessRead(batch, row: row)
                result.append(object)
            } else if mayRepeat, let object = repeated[batch.integer(TreeLayout.primaryKeyColumn, row)] {
                result.append(object)
            } else {
                let object = newObject(of: batch, row: row, tree: tree, layout: layout, store: store)
                result.append(object)
                if mayRepeat { repeated[object.primaryKey] = object }
                if firstNew == count { firstNew = row }
            }
        }
        if firstNew < count {
            registry.withPages(store: storeIndex, tree: tree.index) { pages in
                for row in firstNew..<count where existing[row] == nil {
                    pages.set(batch.integer(TreeLayout.primaryKeyColumn, row), result[row])
                }
            }
        }
        if !asFaults { for object in result where object.state.contains(.fault) { object.fire() } }
        return result
    }

    /// The object of a batch's only row.
    private func object(
        from batch: RowBatch,
        tree: TreeLayout,
        layout: ObjectLayout,
        store: any RowStore
    ) -> NSManagedObject {
        let primaryKey = batch.integer(TreeLayout.primaryKeyColumn, 0)
        let key = ObjectKey(entity: 0, store: store.index, primaryKey: primaryKey)
        if let existing = registry.object(for: key, tree: tree.index) {
            existing.adoptUnlessRead(batch, row: 0)
            return existing
        }
        let object = newObject(of: batch, row: 0, tree: tree, layout: layout, store: store)
        registry.withPages(store: store.index, tree: tree.index) { $0.set(primaryKey, object) }
        return object
    }

    /// A new object of a row, not registered yet.
    @inline(__always)
    private func newObject(
        of batch: RowBatch,
        row: Int,
        tree: TreeLayout,
        layout: ObjectLayout,
        store: any RowStore
    ) -> NSManagedObject {
        let rowLayout =
            tree.isInTree
            ? self.layout(number: batch.integer(TreeLayout.entityColumn, row), store: store) ?? layout : layout
        let key = ObjectKey(
            entity: Int32(truncatingIfNeeded: rowLayout.index),
            store: store.index,
            primaryKey: batch.integer(TreeLayout.primaryKeyColumn, row)
        )
        let object = makeFault(rowLayout, key: key)
        object.snapshot = batch
        object.row = Int32(truncatingIfNeeded: row)
        keep(object)
        return object
    }

    /// The objects of a batch of keys: faults whose rows are read one page at a time.
    final func pagedObjects(
        _ keys: RowBatch,
        tree: TreeLayout,
        layout: ObjectLayout,
        store: any RowStore,
        pageSize: Int
    ) -> [NSManagedObject] {
        var result: [NSManagedObject] = []
        result.reserveCapacity(keys.count)
        // Whole pages: for each few thousand rows the registry's lock is taken twice.
        let portion = pageSize * max(1, 4_096 / pageSize)
        for first in stride(from: 0, to: keys.count, by: portion) {
            let rows = first..<min(first + portion, keys.count)
            appendPagedObjects(keys, rows, to: &result, tree: tree, layout: layout, store: store, pageSize: pageSize)
        }
        return result
    }

    private func appendPagedObjects(
        _ keys: RowBatch,
        _ rows: Range<Int>,
        to result: inout [NSManagedObject],
        tree: TreeLayout,
        layout: ObjectLayout,
        store: any RowStore,
        pageSize: Int
    ) {
        var existing = ContiguousArray<NSManagedObject?>(repeating: nil, count: rows.count)
        registry.withPages(store: store.index, tree: tree.index) { pages in
            for row in rows { existing[row - rows.lowerBound] = pages.object(keys.integer(0, row)) }
        }
        for start in stride(from: rows.lowerBound, to: rows.upperBound, by: pageSize) {
            let pageRows = start..<min(start + pageSize, rows.upperBound)
            // A fault by itself reads its row by its key.
            let page =
                pageRows.count == 1
                ? nil : FaultPage(keys: pageRows.map { keys.integer(0, $0) }, layout: layout, store: store.index)
            for row in pageRows {
                if let object = existing[row - rows.lowerBound] {
                    if object.snapshot == nil, object.state.contains(.fault), object.page == nil { object.page = page }
                    result.append(object)
                    continue
                }
                let (rowLayout, key) = identity(
                    keys.integer(0, row),
                    entity: tree.isInTree ? keys.integer(1, row) : nil,
                    layout,
                    store
                )
                let object = makeFault(rowLayout, key: key)
                object.page = page
                keep(object)
                result.append(object)
            }
        }
        let first = result.count - rows.count
        registry.withPages(store: store.index, tree: tree.index) { pages in
            for row in rows where existing[row - rows.lowerBound] == nil {
                pages.set(keys.integer(0, row), result[first + row - rows.lowerBound])
            }
        }
    }
}

extension NSManagedObject {
    /// Takes the newest row, unless a value was read from the object.
    @inline(__always)
    fileprivate func adoptUnlessRead(_ batch: RowBatch, row: Int) {
        if state.contains(.fault), rows == nil || edits == nil { adopt(batch, row: row) }
    }
}
