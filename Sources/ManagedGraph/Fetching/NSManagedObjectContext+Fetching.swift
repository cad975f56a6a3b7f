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
    /// - Returns: As `fetch(_:)`.
    /// - Throws: As `fetch(_:)`.
    public func fetch(_ request: NSFetchRequest<any NSFetchRequestResult>) throws -> [any NSFetchRequestResult] {
        try request.erasedResults(in: self)
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

    /// The objects of a batch's rows.
    final func objects(
        from batch: RowBatch,
        layout: ObjectLayout,
        store: any RowStore,
        asFaults: Bool
    ) -> [NSManagedObject] {
        registry.rowsRead.add(batch.count)
        let rows = FetchedRows(batch: batch, layouts: RowLayouts(layout, self, store))
        let objects = objects(of: rows, layout, store: store.index)
        if !asFaults { for object in objects where object.state.contains(.fault) { object.fire() } }
        return objects
    }
}
