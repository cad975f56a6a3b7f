// An object's own values as its methods read and write them. Created by Edits for each access.

/// The own values of an object by slot; `.absent` if the snapshot's value holds.
struct SlotValues {
    let edits: Edits

    subscript(slot: Int) -> Value {
        @inline(__always)
        get { edits.value(slot) }
        @inline(__always)
        nonmutating set { edits.setValue(newValue, slot) }
    }
}
