// One row that a save inserts, updates, deletes or checks.

/// One row to insert, update or delete.
package struct RowOperation {
    /// The version of a row that is written regardless of its current version.
    package static let anyVersion: Int64 = -1

    /// Valid for the life of the process, because layouts are never freed.
    package unowned(unsafe) var layout: EntityLayout
    package var primaryKey: Int64
    /// The version that the row must currently have; 0 for an insert.
    package var version: Int64
    /// The values by slot; empty for a deletion.
    package var values: ContiguousArray<RowValue>
    /// The slots to write; all stored ones for an insert.
    package var slots = SlotSet()

    package init(
        layout: EntityLayout,
        primaryKey: Int64,
        version: Int64,
        values: ContiguousArray<RowValue>,
        slots: SlotSet = SlotSet()
    ) {
        self.layout = layout
        self.primaryKey = primaryKey
        self.version = version
        self.values = values
        self.slots = slots
    }
}
