// The parts of an object's own values that few changed objects have. Owned by its Edits.
import GraphEngine

/// The less usual parts of `Edits`.
final class EditsExtension {
    /// The values by slot, owned; nil while the edits have one value at most.
    @exclusivity(unchecked) var table: ValueTable?
    /// The sets of slots, if one of the slots is too large for the edits.
    @exclusivity(unchecked) var changed = SlotSet()
    @exclusivity(unchecked) var changedInEvent = SlotSet()
    @exclusivity(unchecked) var formerValues: [(slot: Int, value: Value)] = []
    @exclusivity(unchecked) var announced: [(slot: Int, members: [NSManagedObject])] = []
    @exclusivity(unchecked) var committed: [Int: Value]?
    @exclusivity(unchecked) var version: Int64 = 0
    @exclusivity(unchecked) var page: FaultPage?

    init(table: ValueTable?) { self.table = table }

    deinit { table?.free() }

    /// Whether it contains nothing but values.
    var holdsValuesOnly: Bool {
        formerValues.isEmpty && announced.isEmpty && committed == nil && version == 0 && page == nil
    }
}
