// The results of a fetch as an asynchronous sequence: rows are read in portions, and turned into objects and then
// values on the context's queue, so that memory is bounded by one portion. FetchCursor reads the rows.
import Foundation
import GraphEngine

/// Values created from the objects of a fetch, one after the other.
///
/// An iteration sees all rows as of its beginning, regardless of later saves; each iteration reads the rows again.
/// Created by `NSManagedObjectContext.results(of:batchSize:_:)`.
public struct FetchedResults<Element: Sendable>: AsyncSequence, Sendable {
    fileprivate let context: NSManagedObjectContext
    fileprivate let makeReader: @Sendable () -> any PortionReader<Element>

    /// Begins an iteration; nothing is read before the first element is requested.
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

        /// The next value; nil at the end.
        ///
        /// - Throws: As `NSManagedObjectContext.fetch(_:)`, the transformation's error, and `CancellationError`.
        public mutating func next() async throws -> Element? { try await next(isolation: nil) }

        /// The next value; runs on the caller's executor unless a portion must be fetched.
        ///
        /// - Parameter actor: The caller's actor.
        /// - Returns: The value; nil at the end.
        /// - Throws: As `next()`.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Element? {
            while portion.isEmpty, !isAtEnd {
                try Task.checkCancellation()
                let reader = self.reader
                if let elements = try await context.perform({ try reader.next() }) {
                    portion = elements[...]
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
    /// A SQLite file is read through a separate connection: the iteration sees one snapshot, and others can write.
    /// Unsaved changes that the context has at the beginning are included. Requests that a single file cannot answer by
    /// itself (of a child context, a pinned one, several stores or stores in memory, dictionaries, an order that tables
    /// cannot produce) are fetched as a whole at the first element.
    ///
    /// - Parameters:
    ///   - request: The request; later changes to it have no effect.
    ///   - batchSize: The number of rows to read at a time, at least 1.
    ///   - transform: Creates a value from a result, on the context's queue; objects must not escape from it.
    /// - Returns: The values. Nothing is read before the first one is requested.
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
    ///   - request: The request, with the result type for identifiers.
    ///   - batchSize: The number of rows to read at a time, at least 1.
    /// - Returns: The identifiers.
    public final func results(
        of request: NSFetchRequest<NSManagedObjectID>,
        batchSize: Int = 1000
    ) -> FetchedResults<NSManagedObjectID> {
        results(of: request, batchSize: batchSize) { $0 }
    }
}
