// The results of a fetch as a collection that makes objects when they are accessed: an array has to hold all of them from
// the beginning. Created by NSManagedObjectContext.fetchLazily(_:); KeySource reads the keys.
import Foundation
import GraphEngine

/// The results of a fetch, which become objects when they are accessed.
///
///     let tasks = try context.fetchLazily(request)
///     for task in tasks[0..<20] { print(task.title) }
///
/// The list holds 8 bytes for a result (12 if several entities share the table). A SQLite file gives the keys of the
/// results in portions, through a separate connection and from one snapshot: if an index gives the order, the first page
/// of a million rows takes no longer than that of a hundred. The rows of a page, `fetchBatchSize` of them, are read
/// together when a value of one of them is. The last pages accessed keep their objects.
///
/// `count`, `endIndex` and all that needs them, such as `last`, read the keys of all results. A range of positions, an
/// iteration, `first`, `isEmpty` and `prefix(_:)` read no more than they return.
///
/// Later saves do not change the list; an object whose row was deleted is as one that was fetched before. Use the list on
/// the queue of its context only. This type is not Apple's: there, `fetch(_:)` can return an array of this kind.
public final class FetchedList<Element: NSManagedObject>: RandomAccessCollection {
    /// Part of a list.
    public typealias SubSequence = Slice<FetchedList<Element>>
    /// The positions of a list.
    public typealias Indices = Range<Int>

    /// The number of pages whose objects the list keeps.
    private static var keptPages: Int { 3 }

    private let context: NSManagedObjectContext
    private let pageSize: Int
    private let source: ListSource
    /// The pages accessed last, the latest one at the end.
    @exclusivity(unchecked) private var pages: [(number: Int, objects: [NSManagedObject])] = []

    init(_ source: ListSource, _ context: NSManagedObjectContext, pageSize: Int) {
        (self.source, self.context, self.pageSize) = (source, context, pageSize)
    }

    // MARK: Positions

    /// The position of the first result.
    public var startIndex: Int { 0 }

    /// The number of results; the keys of all of them are read the first time.
    public var endIndex: Int { source.count(atLeast: .max) }

    /// The next position.
    public func index(after position: Int) -> Int { position + 1 }

    /// The position before.
    public func index(before position: Int) -> Int { position - 1 }

    /// The position at a distance.
    public func index(_ position: Int, offsetBy distance: Int) -> Int { position + distance }

    /// The distance of two positions.
    public func distance(from start: Int, to end: Int) -> Int { end - start }

    /// Whether there are no results; reads the first keys.
    public var isEmpty: Bool { source.count(atLeast: 1) == 0 }

    // MARK: Objects

    /// The object at a position; the program ends if there is none.
    ///
    /// Makes the objects of a page if none of it is in memory. Its rows are read with the first value.
    ///
    /// - Parameter position: A position from 0 on.
    public subscript(position: Int) -> Element {
        context.checkQueue("FetchedList")
        precondition(
            position >= 0 && position < source.count(atLeast: position + 1),
            "The fetched list has no position \(position)."
        )
        return unsafeDowncast(objects(onPage: position / pageSize)[position % pageSize], to: Element.self)
    }

    /// The first result; reads the first keys.
    public var first: Element? { isEmpty ? nil : self[0] }

    /// A part of the list; nothing is read before its objects are accessed.
    ///
    /// - Parameter bounds: Positions from 0 on.
    public subscript(bounds: Range<Int>) -> Slice<FetchedList<Element>> { Slice(base: self, bounds: bounds) }

    /// The first results; reads no keys beyond them.
    ///
    /// - Parameter maxLength: The maximum number of results, at least 0.
    /// - Returns: At most that many results.
    public func prefix(_ maxLength: Int) -> Slice<FetchedList<Element>> {
        self[0..<Swift.min(maxLength, source.count(atLeast: maxLength))]
    }

    /// An iteration over the list, which reads keys as it goes.
    public func makeIterator() -> Iterator { Iterator(self) }

    private func objects(onPage number: Int) -> [NSManagedObject] {
        if let latest = pages.last, latest.number == number { return latest.objects }
        if let place = pages.firstIndex(where: { $0.number == number }) {
            pages.append(pages.remove(at: place))
        } else {
            let first = number * pageSize
            let end = source.count(atLeast: first + pageSize)
            pages.append((number, source.objects(first..<Swift.min(first + pageSize, end))))
            if pages.count > Self.keptPages { pages.removeFirst() }
        }
        return pages[pages.count - 1].objects
    }

    /// One iteration over a fetched list.
    public struct Iterator: IteratorProtocol {
        private let list: FetchedList<Element>
        private var position = 0

        fileprivate init(_ list: FetchedList<Element>) { self.list = list }

        /// The next object; nil at the end.
        public mutating func next() -> Element? {
            guard position < list.source.count(atLeast: position + 1) else { return nil }
            defer { position += 1 }
            return list[position]
        }
    }
}

extension NSManagedObjectContext {
    /// Fetches the results of a request as a list whose objects are made when they are accessed.
    ///
    /// For long lists of which a part is shown. A fetch that one store cannot answer by itself is run as by `fetch(_:)`,
    /// and the list holds its results: in a child context, with unsaved changes of the entity, with several stores, with
    /// an order or a predicate that tables cannot evaluate, with `shouldRefreshRefetchedObjects`, and in a store of the
    /// program's own class. In memory, and in a pinned context, the keys of all results are read at once.
    ///
    /// - Parameter request: A request for objects. Rows are read `fetchBatchSize` at a time, 100 if it is 0; prefetched
    ///   relationships are read with them.
    /// - Returns: The list. O(1) if an index gives the order.
    /// - Throws: As `fetch(_:)`.
    public final func fetchLazily<Element: NSManagedObject>(
        _ request: NSFetchRequest<Element>
    ) throws -> FetchedList<Element> {
        checkQueue("fetchLazily(\(request))")
        let pageSize = request.fetchBatchSize > 0 ? min(request.fetchBatchSize, FaultPage.limit) : 100
        let source = try throwingFailedReads {
            let copy = request.copy() as? NSFetchRequest<Element> ?? request
            let operation = try FetchOperation(copy, context: self)
            request.noteFetched(operation.layout)
            // The list casts without a check.
            _ = try operation.typed([])
            if let keys = try observed(.fetch(request), { try KeySource(operation) }) { return keys as ListSource }
            return ObjectSource(try fetch(request))
        }
        return FetchedList(source, self, pageSize: pageSize)
    }
}
