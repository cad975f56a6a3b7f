// The changes that the source of a live table delivers.

/// The changes of a source's rows.
enum RowChanges {
    case none
    /// Batches in chronological order; the positions in each refer to the table before and after it.
    case batches([RowBatchChange])
    /// Too many changes to report one by one: reload the rows.
    case everything
    /// The shown object no longer exists.
    case gone
}
