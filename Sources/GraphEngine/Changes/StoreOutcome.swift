// The result of writing rows in one store.

/// The result of writing rows in one store.
package struct StoreOutcome {
    /// Updated, deleted or checked rows whose version has changed, or that no longer exist.
    package var conflicts: [RowOperation] = []

    package init(conflicts: [RowOperation] = []) { self.conflicts = conflicts }
}
