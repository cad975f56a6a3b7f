// A row of a batch insert with uniqueness constraints, before it is known whether a stored row has its unique values.
import GraphEngine

/// A row to insert, or to write over the row that has its unique values.
struct UpsertRow {
    /// The values by slot, with the model's defaults for those that were not given.
    var values: ContiguousArray<RowValue>
    /// The slots of the values that were given.
    var set: SlotSet

    /// Takes some values of a row that is written over this one.
    mutating func merge(_ other: UpsertRow, _ slots: SlotSet) {
        slots.forEach { slot in values[slot] = other.values[slot] }
        set.formUnion(slots)
    }
}
