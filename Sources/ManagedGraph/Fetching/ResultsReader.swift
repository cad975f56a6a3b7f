/// Reads the results of a request for one iteration of FetchedResults, and transforms them.
final class ResultsReader<ResultType, Element: Sendable>: PortionReader, @unchecked Sendable {
    private let request: NSFetchRequest<ResultType>
    private let context: NSManagedObjectContext
    private let batchSize: Int
    private let transform: @Sendable (ResultType) throws -> Element
    private var cursor: FetchCursor<ResultType>?
    /// The remaining results of a request that was fetched as a whole.
    private var rest: ArraySlice<ResultType>?

    init(
        request: NSFetchRequest<ResultType>,
        context: NSManagedObjectContext,
        batchSize: Int,
        transform: @escaping @Sendable (ResultType) throws -> Element
    ) {
        self.request = request
        self.context = context
        self.batchSize = batchSize
        self.transform = transform
    }

    func next() throws -> [Element]? {
        if cursor == nil, rest == nil {
            cursor = try FetchCursor(try FetchOperation(request, context: context))
            if cursor == nil { rest = try context.fetch(request)[...] }
        }
        if let cursor { return try cursor.next(batchSize)?.map(transform) }
        guard let portion = rest?.prefix(batchSize), !portion.isEmpty else { return nil }
        rest = rest?.dropFirst(batchSize)
        return try portion.map(transform)
    }
}
