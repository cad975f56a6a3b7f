// The slot that holds a key in objects of one class. It is looked up once, and the values of all objects are read
// without boxing them; created and kept by KeySlots.

/// The place of a key's value in the objects of one class and layout.
final class KeySlot: @unchecked Sendable {
    // Unchecked: immutable, and `next` is as well.

    /// The maximum number of slots of a key; the values of objects of further classes are read by key.
    private static let limit = 8

    private let box: ObjectBox
    /// The class; nil if it has no slots.
    private let readable: (any SlotReadable.Type)?
    private let number: UInt32
    /// Nil if only `value(forKey:)` returns the value.
    private let slot: ReadableSlot?
    /// The slot of another class.
    private let next: KeySlot?
    private let length: Int

    /// Finds the slot of a key in an object; nil for a value that is not an object, or if there are enough.
    init?(_ key: String, of object: Any, before next: KeySlot?) {
        length = (next?.length ?? 0) + 1
        guard length <= Self.limit, let reference = ObjectBox.reference(object) else { return nil }
        defer { withExtendedLifetime(object) {} }
        self.next = next
        box = ObjectBox(object)
        readable = Swift.type(of: object) as? any SlotReadable.Type
        number = readable?.slotsNumber(of: reference) ?? 0
        slot = readable?.slot(of: reference, forKey: key)
    }

    /// The result of looking for a value.
    enum Answer {
        case value(EvaluatedValue)
        /// The value must be read by its key.
        case general
        /// No slot is known for objects of this class.
        case unknown
    }

    /// The value of an object; O(number of classes).
    func value(of object: UnsafePointer<Any?>) -> Answer {
        var current: KeySlot? = self
        while let candidate = current {
            current = candidate.next
            guard let reference = candidate.box.reference(object) else { continue }
            guard let readable = candidate.readable else { return .general }
            guard readable.slotsNumber(of: reference) == candidate.number else { continue }
            guard let slot = candidate.slot else { return .general }
            return .value(Self.read(slot, of: reference, readable))
        }
        return .unknown
    }

    private static func read(
        _ slot: ReadableSlot,
        of object: Unmanaged<AnyObject>,
        _ readable: any SlotReadable.Type
    ) -> EvaluatedValue {
        guard case .integer = slot.kind else { return readable.value(of: object, in: slot.index) }
        switch readable.integer(of: object, in: slot.index) {
        case .value(let number): return .integer(number)
        case .null: return .null
        case .other: return readable.value(of: object, in: slot.index)
        }
    }
}
