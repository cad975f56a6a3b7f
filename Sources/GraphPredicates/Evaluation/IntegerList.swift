// A constant list of integers. Used by PredicateCompiler for slots.

/// Integers for the IN operator.
struct IntegerList {
    /// For more elements a set is faster.
    private static let limit = 16

    private let numbers: [Int64]
    private let set: Set<Int64>
    /// Whether the list contains a missing value.
    let hasNull: Bool

    /// The elements of a constant list; nil if one of them is not an integer.
    init?(_ constant: EvaluatedValue) {
        guard let elements = constant.fixedElements else { return nil }
        var numbers: [Int64] = []
        for element in elements where !element.isNull {
            guard let number = element.exactInteger else { return nil }
            numbers.append(number)
        }
        hasNull = numbers.count < elements.count
        self.numbers = numbers.count > Self.limit ? [] : numbers
        set = numbers.count > Self.limit ? Set(numbers) : []
    }

    func contains(_ number: Int64) -> Bool {
        for element in numbers where element == number { return true }
        return !set.isEmpty && set.contains(number)
    }
}
