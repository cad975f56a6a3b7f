// The rows of a save as values: built by saves, batch requests and imports, written by engines.

/// The rows that a save writes to one store.
package struct StoreChanges {
    package var inserts: [RowOperation] = []
    package var updates: [RowOperation] = []
    package var deletes: [RowOperation] = []
    /// Whether an engine may update and delete rows together and, if not all of them have their versions, set
    /// `StoreOutcome.hasUnknownConflicts` instead of naming those that have not.
    package var writesTogether = false
    /// Rows whose version must be unchanged although they are not written.
    package var checks: [RowOperation] = []
    package var joins: [JoinOperation] = []
    /// Members that lose their owners, written before `owners`.
    package var releases: [OwnerOperation] = []
    package var owners: [OwnerOperation] = []
    package var orders: [OrderOperation] = []
    /// Whether the unique values of updated rows are cleared before any of the rows is written.
    package var freesUniqueValues = false

    package init() {}

    package init(inserts: [RowOperation]) { self.inserts = inserts }

    /// Sets the same values in rows of one entity, regardless of their versions.
    package init(updating keys: [Int64], of layout: EntityLayout, to values: ContiguousArray<RowValue>, slots: SlotSet)
    {
        updates = keys.map { key in
            RowOperation(
                layout: layout,
                primaryKey: key,
                version: RowOperation.anyVersion,
                values: values,
                slots: slots
            )
        }
    }

    /// Adds the changes of the same save that follow.
    package mutating func append(_ other: StoreChanges) {
        inserts += other.inserts
        updates += other.updates
        deletes += other.deletes
        checks += other.checks
        joins += other.joins
        releases += other.releases
        owners += other.owners
        orders += other.orders
        writesTogether = writesTogether || other.writesTogether
        freesUniqueValues = freesUniqueValues || other.freesUniqueValues
    }

    /// Whether there is nothing to write or to check.
    package var isEmpty: Bool {
        inserts.isEmpty && updates.isEmpty && deletes.isEmpty && checks.isEmpty && joins.isEmpty && releases.isEmpty
            && owners.isEmpty && orders.isEmpty
    }

    /// The number of rows to write.
    package var rowCount: Int {
        inserts.count + updates.count + deletes.count + joins.count + releases.count + owners.count + orderedCount
    }
    private var orderedCount: Int { orders.reduce(0) { $0 + $1.members.count } }
}
