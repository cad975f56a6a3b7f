// The content of a slot as a predicate reads it: a value in the slot's type, null or another value.

/// The content of a slot.
package enum SlotValue<Value> {
    case value(Value)
    case null
    /// A value that does not have the slot's type: it was set, and validation rejects it.
    case other
}

extension SlotValue {
    /// The answer of `holds` for a value of the slot's type, and of one of the other two for other content.
    ///
    /// Inlined with its closures into the test of a slot.
    @inline(__always)
    func test(
        null: @autoclosure () -> Bool,
        other: @autoclosure () throws -> Bool,
        holds: (Value) throws -> Bool
    ) rethrows -> Bool {
        switch self {
        case .value(let value): try holds(value)
        case .null: null()
        case .other: try other()
        }
    }
}
