// The facts about a value on which a rule for presence depends. Read from own values of an object by its validation.

/// Whether a slot has an own value.
enum ValuePresence {
    /// There is none: the row's value holds.
    case absent
    case null
    case integer(Int64)
    case real(Double)
    /// A value that is neither nil nor a number.
    case other

    @inline(__always)
    init(_ value: Value) {
        switch value {
        case .absent: self = .absent
        case .null: self = .null
        case .integer(let number): self = .integer(number)
        case .real(let number): self = .real(number)
        default: self = .other
        }
    }
}
