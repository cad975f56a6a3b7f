// The changes that a controller reports between willChangeContent and didChangeContent.

/// One batch: the changes that a controller reports between `willChangeContent` and `didChangeContent`.
struct RowBatchChange {
    var changes: [RowChange] = []
    /// The sections after the batch.
    var sections: [SectionShape] = []
}
