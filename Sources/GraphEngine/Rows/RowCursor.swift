// A result that is read bit by bit while others go on writing. Made by an engine that can hold a moment; read on one queue.

/// A result in portions, of the moment at which it was opened.
package protocol RowCursor: AnyObject {
    /// Whether the end was not reached yet; the next portion may be empty.
    var hasMore: Bool { get }
    /// The next rows, at most so many.
    func next(_ count: Int) throws -> RowBatch
}
