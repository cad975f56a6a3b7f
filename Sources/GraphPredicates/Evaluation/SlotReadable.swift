// How a prepared predicate reads an object's values without a box for each: by the number of a slot, in the type of the
// value. Adopted by managed objects; asked by SlotPlan when a predicate meets a class, and by its tests for each object.

/// An object whose values have numbered slots.
///
/// The requirements are static and take a reference that is not counted: a predicate reads one object after the other, and
/// counting would cost more than reading.
package protocol SlotReadable: AnyObject {
    /// The slot of a key; nil if only `value(forKey:)` gives what the class answers to it.
    static func slot(of object: Unmanaged<AnyObject>, forKey key: String) -> ReadableSlot?
    /// A number that objects of this class share if their keys have the same slots.
    static func slotsNumber(of object: Unmanaged<AnyObject>) -> UInt32
    /// The value of a slot of the kind `integer`.
    static func integer(of object: Unmanaged<AnyObject>, in slot: Int) -> SlotValue<Int64>
    /// The value of a slot of the kind `real`, or of the kind `date` as seconds since 2001-01-01 UTC.
    static func real(of object: Unmanaged<AnyObject>, in slot: Int) -> SlotValue<Double>
    /// Whether the text of a slot of the kind `text` matches.
    static func text(of object: Unmanaged<AnyObject>, in slot: Int, matches matcher: TextMatcher) -> SlotValue<Bool>
    /// The value of any slot: what `value(forKey:)` gives.
    static func value(of object: Unmanaged<AnyObject>, in slot: Int) -> EvaluatedValue
}

/// The place and the type of a property's values.
package struct ReadableSlot {
    /// How the values of a slot can be read.
    package enum Kind {
        case integer, real, date, text
        /// As evaluated values only.
        case other
    }

    package let index: Int
    package let kind: Kind

    package init(index: Int, kind: Kind) {
        self.index = index
        self.kind = kind
    }
}

/// What a slot holds.
package enum SlotValue<Value> {
    case value(Value)
    case null
    /// A value of another type than the slot's: one that was set and that the model refuses.
    case other
}
