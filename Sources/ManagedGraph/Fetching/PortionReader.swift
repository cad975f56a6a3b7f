// The source of FetchedResults, which hides the result type of the request. ResultsReader is the only one.

/// Reads portions of values; on the context's queue only.
protocol PortionReader<Element>: AnyObject, Sendable {
    associatedtype Element: Sendable
    /// The next values; nil at the end.
    func next() throws -> [Element]?
}
