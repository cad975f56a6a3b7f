// A result read in portions while writes continue. Created by an engine that supports snapshots; used on one queue.

/// A result read in portions, from the snapshot at which it was opened.
package protocol RowCursor: AnyObject {
    /// Whether the end has not been reached yet; the next portion may be empty.
    var hasMore: Bool { get }
    /// The next rows, at most `count`.
    func next(_ count: Int) throws -> RowBatch
}
