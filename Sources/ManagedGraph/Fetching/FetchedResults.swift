// The results of a fetch as an asynchronous sequence: rows are read in portions, made objects on the context's queue and
// turned into values there, so that any number of rows takes the memory of one portion. FetchCursor reads.
import Foundation
import GraphEngine

/// Values made of the objects of a fetch, one after the other.
///
/// All rows are those of the moment at which the iteration begins, whatever is saved meanwhile; each iteration begins
/// anew. Made by `NSManagedObjectContext.results(of:batchSize:_:)`.
public struct FetchedResults<Element: Sendable>: AsyncSequence, Sendable {
    fileprivate let context: NSManagedObjectContext
    fileprivate let makeReader: @Sendable () -> any PortionReader<Element>

    /// Begins an iteration; nothing is read before its first element is asked for.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(context: context, reader: makeReader()) }

    /// One iteration.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let context: NSManagedObjectContext
        fileprivate let reader: any PortionReader<Element>
        private var portion: ArraySlice<Element> = []
        private var isAtEnd = false

        fileprivate init(context: NSManagedObjectContext, reader: any PortionReader<Element>) {
            self.context = context
            self.reader = reader
        }

        /// The next value; nil behind the last one.
        ///
        /// - Throws: As `NSManagedObjectContext.fetch(_:)`, what the transformation throws, and `CancellationError`.
        public mutating func next() async throws -> Element? { try await next(isolation: nil) }

        /// The next value, read on the caller's executor but where a portion is fetched.
        ///
        /// - Parameter actor: The caller's.
        /// - Returns: The value; nil behind the last one.
        /// - Throws: As `next()`.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Element? {
            while portion.isEmpty, !isAtEnd {
                try Task.checkCancellation()
                let reader = self.reader
                if let found = try await context.perform({ try reader.next() }) {
                    portion = found[...]
                } else {
                    isAtEnd = true
                }
            }
            return portion.popFirst()
        }
    }
}

extension NSManagedObjectContext {
    /// The results of a request, one after the other, in constant memory.
    ///
    ///     for try await text in context.results(of: request, { $0.text }) { print(text) }
    ///
    /// A SQLite file is read through a connection of its own: one moment is seen, and others may write. Unsaved changes
    /// that the context has at the beginning are taken into account. Requests that one file cannot answer by itself (of
    /// a child context, a pinned one, several stores or stores in memory, dictionaries, an order that tables cannot
    /// make) are fetched whole at the first element.
    ///
    /// - Parameters:
    ///   - request: The request; later changes to it have no effect.
    ///   - batchSize: Rows read at a time, at least 1.
    ///   - transform: Makes a value of a result, on the context's queue; objects must not leave it.
    /// - Returns: The values. Nothing is read before the first one is asked for.
    public final func results<ResultType, Element: Sendable>(
        of request: NSFetchRequest<ResultType>,
        batchSize: Int = 1000,
        _ transform: @escaping @Sendable (ResultType) throws -> Element
    ) -> FetchedResults<Element> {
        let copy = UnsafeTransfer(request.copy() as? NSFetchRequest<ResultType> ?? request)
        return FetchedResults(context: self) { [self] in
            ResultsReader(request: copy.value, context: self, batchSize: max(1, batchSize), transform: transform)
        }
    }

    /// The identifiers that a request finds, one after the other, in constant memory.
    ///
    /// - Parameters:
    ///   - request: The request, of the result type for identifiers.
    ///   - batchSize: Rows read at a time, at least 1.
    /// - Returns: The identifiers.
    public final func results(
        of request: NSFetchRequest<NSManagedObjectID>,
        batchSize: Int = 1000
    ) -> FetchedResults<NSManagedObjectID> {
        results(of: request, batchSize: batchSize) { $0 }
    }
}

/// Reads portions of values; on the context's queue only.
private protocol PortionReader<Element>: AnyObject, Sendable {
    associatedtype Element: Sendable
    /// The next values; nil behind the last ones.
    func next() throws -> [Element]?
}

private final class ResultsReader<ResultType, Element: Sendable>: PortionReader, @unchecked Sendable {
    private let request: NSFetchRequest<ResultType>
    private let context: NSManagedObjectContext
    private let batchSize: Int
    private let transform: @Sendable (ResultType) throws -> Element
    private var cursor: FetchCursor<ResultType>?
    /// What is left of a request that was fetched whole.
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
