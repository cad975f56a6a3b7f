// The values by which objects and rows violate a uniqueness constraint. Compared by ConstraintSearch.

/// The values of a constraint's properties; equal for the objects and the row of one conflict.
enum ConstraintKey: Hashable {
    /// A single text or whole number, as most constraints have, without a box.
    case text(String)
    case integer(Int64)
    case values([AnyHashable])

    /// The values of an object or a row; nil if one of them is nil, because nil never conflicts.
    ///
    /// - Parameters:
    ///   - slots: The properties of the constraint.
    ///   - stored: The value of a slot.
    ///   - shown: The same value as programs see it.
    init?(_ slots: [Int], stored: (Int) -> Value, shown: (Int) -> Any?) {
        if slots.count == 1 {
            switch stored(slots[0]) {
            case .string(let text):
                self = .text(text)
                return
            case .integer(let number):
                self = .integer(number)
                return
            default: break
            }
        }
        var values: [AnyHashable] = []
        for slot in slots {
            guard let value = shown(slot) as? AnyHashable else { return nil }
            values.append(value)
        }
        self = .values(values)
    }

    /// The value of one of the properties, for a predicate.
    func value(_ place: Int) -> AnyHashable {
        switch self {
        case .text(let text): text
        case .integer(let number): number
        case .values(let values): values[place]
        }
    }
}
