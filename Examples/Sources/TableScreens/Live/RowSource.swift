// The source of a live table's rows. FetchedRows and ComputedRows conform; LiveTable is the only caller. Confined to
// the context's queue.

/// The rows of a table in order, and the changes since they were last taken.
protocol RowSource: AnyObject {
    /// Called, possibly many times, when there are changes to take.
    var changed: () -> Void { get set }

    /// Receives the changes of results controllers while a panel is open.
    var activity: ActivityFeed? { get set }

    /// Loads the rows; must be called before any other member, and again if changes were missed.
    func load() throws

    /// The sections with their row counts. O(sections).
    var sections: [SectionShape] { get }

    /// Returns the rows at these positions in the whole table. O(rows requested).
    func rows(in range: Range<Int>) throws -> [Row]

    /// Returns the changes since the last call.
    func takeChanges() throws -> RowChanges
}

extension RowSource {
    /// Nil: the rows have no results controller.
    var activity: ActivityFeed? {
        get { nil }
        set { _ = newValue }
    }
}
