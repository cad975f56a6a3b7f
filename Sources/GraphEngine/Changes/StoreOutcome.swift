/// The result of writing rows in one store.
package struct StoreOutcome {
    /// Updated, deleted or checked rows whose version has changed, or that no longer exist.
    package var conflicts: [RowOperation] = []

    /// Whether some of the rows written together are in conflict: the caller rolls back, and writes them one by one.
    package var hasUnknownConflicts = false

    package init(conflicts: [RowOperation] = []) { self.conflicts = conflicts }
}
