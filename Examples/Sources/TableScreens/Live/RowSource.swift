// The source of a live table's rows. FetchedRows and ComputedRows conform; LiveTable is the only caller. Confined to
// the context's queue.

/// The rows of a table in order, and the changes since they were last taken.
protocol RowSource: AnyObject {
    /// Called, possibly many times, when there are changes to take.
    var changed: () -> Void { get set }

    /// Loads the rows; must be called once before any other member.
    func load() throws

    /// The sections with their row counts. O(sections).
    var sections: [SectionShape] { get }

    /// Returns the rows at these positions in the whole table. O(rows requested).
    func rows(in range: Range<Int>) throws -> [Row]

    /// Returns the changes since the last call.
    func takeChanges() throws -> RowChanges
}

/// A section's title and row count.
struct SectionShape: Sendable, Equatable {
    var title: String
    var count: Int
}

/// The changes of a source's rows.
enum RowChanges {
    case none
    /// Batches in chronological order; the positions in each refer to the table before and after it.
    case batches([RowBatchChange])
    /// Too many changes to report one by one: reload the rows.
    case everything
    /// The object shown does not exist any more.
    case gone
}

/// One batch: the changes that a controller reports between `willChangeContent` and `didChangeContent`.
struct RowBatchChange {
    var changes: [RowChange] = []
    /// The sections after the batch.
    var sections: [SectionShape] = []
}

/// A change of one row.
///
/// `at` and `from` are positions before the batch, `to` is a position after it.
enum RowChange {
    case delete(at: Int)
    case insert(to: Int, Row)
    case move(from: Int, to: Int, Row)
    case update(Row)
}
