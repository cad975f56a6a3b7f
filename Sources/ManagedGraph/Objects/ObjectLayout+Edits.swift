// The stored form of changed values. Called by saves.
import GraphEngine

extension ObjectLayout {
    /// Writes the stored form of some of an object's values into a row; a row without values gets null for the others.
    func store(_ edits: Edits, _ selectedSlots: SlotSet, in row: inout ContiguousArray<RowValue>) throws {
        if row.count != slots.count { row = ContiguousArray(repeating: .null, count: slots.count) }
        try selectedSlots.forEach { slot in
            if slots[slot].kind != .toMany { row[slot] = try edits.value(slot).row(slot, of: self) }
        }
    }
}
