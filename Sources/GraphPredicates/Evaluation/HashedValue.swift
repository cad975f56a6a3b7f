// A value as an element of a Swift set, with the equality of the `==` operator. Used for IN with long lists and for
// distinct values.

struct HashedValue: Hashable {
    let value: EvaluatedValue

    static func == (a: HashedValue, b: HashedValue) -> Bool { a.value.isEqual(to: b.value) }

    func hash(into hasher: inout Hasher) { value.hash(into: &hasher) }

    /// The values without duplicates, in their original order.
    static func distinct(_ values: [EvaluatedValue]) -> [EvaluatedValue] {
        var seen: Set<HashedValue> = []
        return values.filter { seen.insert(HashedValue(value: $0)).inserted }
    }
}
