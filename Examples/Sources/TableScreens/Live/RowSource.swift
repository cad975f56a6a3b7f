// Where a live table's rows come from. FetchedRows and ComputedRows conform; LiveTable is the only caller.
// Everything here happens on the context's queue.

/// A table's rows in order, with a record of how they changed.
protocol RowSource: AnyObject {
    /// Called, possibly many times, when there are changes to take.
    var changed: () -> Void { get set }

    /// Reads the rows; must be called once before anything else.
    func load() throws

    /// The sections with the numbers of their rows. O(sections).
    var sections: [SectionShape] { get }

    /// The rows at these places in the whole table. O(rows asked for).
    func rows(in range: Range<Int>) throws -> [Row]

    /// What happened since the last call.
    func takeChanges() throws -> RowChanges
}

/// A section's title and the number of its rows.
struct SectionShape: Sendable, Equatable {
    var title: String
    var count: Int
}

/// What happened to a source's rows.
enum RowChanges {
    case none
    /// Batches in the order in which they happened; each one's places refer to the table before and after it.
    case batches([RowBatchChange])
    /// Too much to tell one by one: read the rows again.
    case everything
    /// What the rows show does not exist any more.
    case gone
}

/// One batch: what a controller reports between `willChangeContent` and `didChangeContent`.
struct RowBatchChange {
    var changes: [RowChange] = []
    /// The sections after the batch.
    var sections: [SectionShape] = []
}

/// One row's change.
///
/// `at` and `from` are places before the batch, `to` places after it.
enum RowChange {
    case delete(at: Int)
    case insert(to: Int, Row)
    case move(from: Int, to: Int, Row)
    case update(Row)
}
