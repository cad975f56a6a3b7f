// The values by which objects and rows violate a uniqueness constraint. Compared by ConstraintSearch, texts by their
// bytes as in the stores' unique indexes.
import GraphPredicates

/// The values of a constraint's properties; equal for the objects and the row of one conflict.
enum ConstraintKey: Hashable {
    /// A single text or whole number, as most constraints have, without a box.
    case text(ExactText)
    case integer(Int64)
    /// Texts among them are of the type `ExactText`.
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
                self = .text(ExactText(text))
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
            values.append((value.base as? String).map { AnyHashable(ExactText($0)) } ?? value)
        }
        self = .values(values)
    }

    /// The values that the different keys of a constraint have for one of its properties, each once, for a predicate.
    static func values(of keys: [ConstraintKey], at place: Int) -> [Any] {
        var known: Set<AnyHashable> = []
        return keys.compactMap { key -> Any? in
            switch key {
            case .text(let text): return text.text
            case .integer(let number): return number
            case .values(let values):
                // Keys of several properties may share one of the values.
                guard known.insert(values[place]).inserted else { return nil }
                return (values[place].base as? ExactText)?.text ?? values[place].base
            }
        }
    }
}
