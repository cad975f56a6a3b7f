// Reads an object's values for a predicate without boxing them: by slot number, in the type of the value. Beside
// `SlotReadable`.

/// The content of a slot.
package enum SlotValue<Value> {
    case value(Value)
    case null
    /// A value that does not have the slot's type: it was set, and validation rejects it.
    case other
}
