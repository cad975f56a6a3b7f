// One change of the rows of a live table.

/// A change of one row.
///
/// `at` and `from` are positions before the batch, `to` is a position after it.
enum RowChange {
    case delete(at: Int)
    case insert(to: Int, Row)
    case move(from: Int, to: Int, Row)
    case update(Row)
}
