// The content of a slot as a predicate reads it: a value in the slot's type, null or another value.

/// The content of a slot.
package enum SlotValue<Value> {
    case value(Value)
    case null
    /// A value that does not have the slot's type: it was set, and validation rejects it.
    case other
}
