// The rows of a save as values: built by saves, batch requests and imports, written by engines.

/// The rows that a save writes to one store.
package struct StoreChanges {
    package var inserts: [RowOperation] = []
    package var updates: [RowOperation] = []
    package var deletes: [RowOperation] = []
    /// Rows whose version must be unchanged although they are not written.
    package var checks: [RowOperation] = []
    package var joins: [JoinOperation] = []
    /// Members that lose their owners, written before `owners`.
    package var releases: [OwnerOperation] = []
    package var owners: [OwnerOperation] = []
    package var orders: [OrderOperation] = []
    /// Whether the unique values of updated rows are cleared before any of the rows is written.
    package var freesUniqueValues = false

    package init(inserts: [RowOperation] = []) { self.inserts = inserts }

    /// The number of rows to write.
    package var rowCount: Int {
        inserts.count + updates.count + deletes.count + joins.count + releases.count + owners.count + orderedCount
    }
    private var orderedCount: Int { orders.reduce(0) { $0 + $1.members.count } }
}

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

/// One pair to insert into or delete from a join table.
package struct JoinOperation {
    package var layout: EntityLayout
    package var slot: Int
    package var source: Int64
    package var destination: Int64
    package var isInsert: Bool

    package init(layout: EntityLayout, slot: Int, source: Int64, destination: Int64, isInsert: Bool) {
        self.layout = layout
        self.slot = slot
        self.source = source
        self.destination = destination
        self.isInsert = isInsert
    }
}

/// A member gained or lost by a to-many relationship without an inverse: the member's row stores the owner.
package struct OwnerOperation {
    package var layout: EntityLayout
    package var slot: Int
    /// The owner's key; nil if the relationship lost the member.
    package var source: Int64?
    package var member: Int64

    package init(layout: EntityLayout, slot: Int, source: Int64? = nil, member: Int64) {
        self.layout = layout
        self.slot = slot
        self.source = source
        self.member = member
    }
}

/// The order of an ordered to-many relationship.
package struct OrderOperation {
    package var layout: EntityLayout
    package var slot: Int
    package var source: Int64
    /// All members, or those that follow all others.
    package var members: [Int64]
    package var isAppended = false

    package init(layout: EntityLayout, slot: Int, source: Int64, members: [Int64], isAppended: Bool = false) {
        self.layout = layout
        self.slot = slot
        self.source = source
        self.members = members
        self.isAppended = isAppended
    }
}

/// The result of writing rows in one store.
package struct StoreOutcome {
    /// Updated, deleted or checked rows whose version has changed, or that no longer exist.
    package var conflicts: [RowOperation] = []

    package init(conflicts: [RowOperation] = []) { self.conflicts = conflicts }
}
