// Reads an object's values for a predicate without boxing them: by slot number, in the type of the value. Adopted by
// managed objects; SlotPlan asks for the slots of a class once, and its tests read them for each object.

/// An object whose values have numbered slots.
///
/// The requirements are static and take an unretained reference: a predicate reads many objects in a row, and reference
/// counting would cost more than reading.
package protocol SlotReadable: AnyObject {
    /// The slot of a key; nil if the class customizes the value and only `value(forKey:)` returns it.
    static func slot(of object: Unmanaged<AnyObject>, forKey key: String) -> ReadableSlot?
    /// A number that objects of this class share if their keys have the same slots.
    static func slotsNumber(of object: Unmanaged<AnyObject>) -> UInt32
    /// The value of a slot of the kind `integer`.
    static func integer(of object: Unmanaged<AnyObject>, in slot: Int) -> SlotValue<Int64>
    /// The value of a slot of the kind `real`, or of the kind `date` as seconds since 2001-01-01 UTC.
    static func real(of object: Unmanaged<AnyObject>, in slot: Int) -> SlotValue<Double>
    /// Whether the text of a slot of the kind `text` matches.
    static func text(of object: Unmanaged<AnyObject>, in slot: Int, matches matcher: TextMatcher) -> SlotValue<Bool>
    /// The value of any slot, equal to that of `value(forKey:)`.
    static func value(of object: Unmanaged<AnyObject>, in slot: Int) -> EvaluatedValue
}
