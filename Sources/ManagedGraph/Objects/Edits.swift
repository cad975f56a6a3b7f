// An object's own values: those set and not saved, and those saved that no snapshot holds yet.
// Owned by one managed object; a clean object fresh from a fetch has none.
import GraphEngine

/// An object's own values beside its snapshot.
final class Edits: ObjectParts {
    /// By slot; `.absent` if the snapshot's value holds.
    @exclusivity(unchecked) var values: ContiguousArray<Value>
    /// Slots changed since the last save or fetch.
    @exclusivity(unchecked) var changed = SlotSet()
    /// The context's event in which `changedInEvent` was written.
    @exclusivity(unchecked) var event = 0
    /// Slots changed since the last `processPendingChanges`.
    @exclusivity(unchecked) var changedInEvent = SlotSet()
    /// The values at the beginning of the event; for a to-many relationship its changes.
    ///
    /// Not kept for objects that are new in the event.
    @exclusivity(unchecked) var eventValues: [(slot: Int, value: Value)] = []
    /// Relationships whose change was announced, with their destinations.
    @exclusivity(unchecked) var announced: [(slot: Int, members: [NSManagedObject])] = []
    /// Own values that were current before a change, if they differ from the snapshot's.
    @exclusivity(unchecked) var committed: [Int: Value]?
    /// Whether the values stand for the whole row, so that no snapshot is needed.
    @exclusivity(unchecked) var isWholeRow: Bool
    /// Whether the values are those that a fetch of some properties has read for a fault.
    @exclusivity(unchecked) var isPartial = false
    /// Whether a value may have been set that the model cannot take; see `RefusedValues`.
    @exclusivity(unchecked) var hasRefusedValues = false
    /// Whether the save at work has written the row of this changed object.
    @exclusivity(unchecked) var isRowWritten = false
    /// The row's version after this object's last save, 0 if the snapshot's counts.
    @exclusivity(unchecked) var version: Int64 = 0

    /// Nothing was changed in this event.
    func forgetEvent() {
        changedInEvent.removeAll()
        if !eventValues.isEmpty { eventValues = [] }
    }

    init(count: Int) {
        values = ContiguousArray(repeating: .absent, count: count)
        isWholeRow = false
        super.init()
    }

    init(values: [Value]) {
        self.values = ContiguousArray(values)
        isWholeRow = true
        super.init()
    }

    deinit {
        if hasRefusedValues { RefusedValues.forget(self) }
    }
}
