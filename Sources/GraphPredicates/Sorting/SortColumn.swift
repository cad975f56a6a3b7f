// The values of one key of all elements that are sorted together. Used by `sorted(using:)`: a comparison of two numbers
// or of two texts in one block of memory takes a fifth of the time that one of two evaluated values takes.
import Foundation

/// A column of values that are compared with one another.
// A class whose parts are constant: comparing copies none of them.
final class SortColumn {
    private enum Form {
        case integers
        /// Numbers that are ordered, and dates.
        case reals
        case texts
        case other
    }

    private let form: Form
    private let isAscending: Bool
    private let textSort: TextSort
    private let valueOrder: ValueOrder
    private let integers: [Int64?]
    private let reals: [Double?]
    private let texts: TextColumn
    private let others: [EvaluatedValue]

    /// Reads the key of a descriptor from all elements.
    init(_ descriptor: KeySortDescriptor, of elements: [some Any]) {
        let values = elements.map { descriptor.value(of: $0) }
        isAscending = descriptor.ascending
        textSort = descriptor.textSort
        valueOrder = ValueOrder(descriptor)
        let usesClosure = descriptor.hasComparator
        let integers = usesClosure ? nil : Self.integers(values)
        let reals = usesClosure || integers != nil ? nil : Self.reals(values)
        let texts = usesClosure || integers != nil || reals != nil ? nil : TextColumn(values)
        form = integers != nil ? .integers : reals != nil ? .reals : texts != nil ? .texts : .other
        self.integers = integers ?? []
        self.reals = reals ?? []
        self.texts = texts ?? TextColumn()
        others = form == .other ? values : []
    }

    /// Whole numbers; nil if there are other values.
    private static func integers(_ values: [EvaluatedValue]) -> [Int64?]? {
        numbers(values) { if case .integer(let number) = $0 { number } else { nil } }
    }

    /// Real numbers, or the seconds of dates; nil if there are other values, or both.
    private static func reals(_ values: [EvaluatedValue]) -> [Double?]? {
        numbers(values) { if case .real(let number) = $0, !number.isNaN { number } else { nil } }
            ?? numbers(values) { if case .date(let date) = $0 { date.timeIntervalSinceReferenceDate } else { nil } }
    }

    /// Numbers from values, nil for missing ones; nil if another value has none.
    private static func numbers<Number>(
        _ values: [EvaluatedValue],
        _ number: (EvaluatedValue) -> Number?
    ) -> [Number?]? {
        var numbers: [Number?] = []
        numbers.reserveCapacity(values.count)
        for value in values {
            let number = number(value)
            guard number != nil || value.isNull else { return nil }
            numbers.append(number)
        }
        return numbers
    }

    /// The order of the values of two elements, in the direction of the descriptor.
    func compare(_ first: Int, _ second: Int) -> ComparisonResult {
        let order: ComparisonResult
        switch form {
        case .integers: order = Self.compare(integers[first], integers[second])
        case .reals: order = Self.compare(reals[first], reals[second])
        case .texts: order = texts.compare(first, second, textSort)
        case .other: return valueOrder.compare(others[first], others[second])
        }
        return isAscending ? order : order.reversed
    }

    /// The order of two numbers, nil first.
    private static func compare<Number: Comparable>(_ first: Number?, _ second: Number?) -> ComparisonResult {
        guard let first, let second else {
            return first == nil ? (second == nil ? .orderedSame : .orderedAscending) : .orderedDescending
        }
        return first < second ? .orderedAscending : first > second ? .orderedDescending : .orderedSame
    }
}
