// The changes of rows that browsers get together. Made by row sources, published by LiveTable.

/// One batch: of a results controller the changes from `controllerWillChangeContent` to `controllerDidChangeContent`.
struct RowBatchChange {
    var changes: [RowChange] = []
    /// The sections after the batch.
    var sections: [SectionShape] = []
}
