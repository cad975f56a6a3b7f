// The values of one key of all elements that are sorted together. Used by `sorted(using:)`: a comparison of two numbers
// or of two texts in one block of memory takes a fifth of the time that one of two evaluated values takes.
import Foundation

/// A column of values that are compared with one another.
struct SortColumn {
    private enum Values {
        case integers([Int64?])
        /// Numbers that are ordered, and dates.
        case reals([Double?])
        case texts(TextColumn, TextSort)
        case other([EvaluatedValue], ValueOrder)
    }

    private let values: Values
    private let isAscending: Bool

    /// Reads the key of a descriptor from all elements.
    init(_ descriptor: KeySortDescriptor, of elements: [some Any]) {
        let values = elements.map { descriptor.value(of: $0) }
        isAscending = descriptor.ascending
        self.values =
            switch descriptor.rule {
            case .selector?, nil: Self.uniform(values, descriptor) ?? .other(values, ValueOrder(descriptor))
            case .comparator?, .whole?: .other(values, ValueOrder(descriptor))
            }
    }

    /// Values of one kind, and missing ones; nil if there are several kinds, or another one.
    private static func uniform(_ values: [EvaluatedValue], _ descriptor: KeySortDescriptor) -> Values? {
        guard let first = values.first(where: { !$0.isNull }) else { return nil }
        switch first {
        case .integer:
            return numbers(values) { if case .integer(let number) = $0 { number } else { nil } }.map(Values.integers)
        case .real:
            return numbers(values) {
                if case .real(let number) = $0, !number.isNaN { number } else { nil }
            }.map(Values.reals)
        case .date:
            return numbers(values) {
                if case .date(let date) = $0 { date.timeIntervalSinceReferenceDate } else { nil }
            }.map(Values.reals)
        case .text: return TextColumn(values).map { .texts($0, descriptor.textSort) }
        default: return nil
        }
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
        switch values {
        case .integers(let numbers): order = Self.compare(numbers[first], numbers[second])
        case .reals(let numbers): order = Self.compare(numbers[first], numbers[second])
        case .texts(let texts, let textSort): order = texts.compare(first, second, textSort)
        case .other(let values, let valueOrder): return valueOrder.compare(values[first], values[second])
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

/// Texts in UTF-8, one after another.
private struct TextColumn {
    private var bytes: [UInt8] = []
    /// Where the text of each element ends; it starts where the one before ends.
    private var ends: [Int] = []
    /// Whether an element has no text, if there are such.
    private var isMissing: [Bool] = []

    /// Returns nil if a value is neither a text nor missing.
    init?(_ values: [EvaluatedValue]) {
        ends.reserveCapacity(values.count)
        for value in values {
            switch value {
            case .text(let text): bytes.append(contentsOf: text.utf8)
            case .null:
                if isMissing.isEmpty { isMissing = Array(repeating: false, count: values.count) }
                isMissing[ends.count] = true
            default: return nil
            }
            ends.append(bytes.count)
        }
    }

    /// The order of two texts, missing ones first.
    func compare(_ first: Int, _ second: Int, _ order: TextSort) -> ComparisonResult {
        if !isMissing.isEmpty, isMissing[first] || isMissing[second] {
            return isMissing[first] ? (isMissing[second] ? .orderedSame : .orderedAscending) : .orderedDescending
        }
        return bytes.withUnsafeBufferPointer {
            TextSort.compare(
                UnsafeBufferPointer(rebasing: $0[range(first)]),
                UnsafeBufferPointer(rebasing: $0[range(second)]),
                order
            )
        }
    }

    private func range(_ place: Int) -> Range<Int> { (place == 0 ? 0 : ends[place - 1])..<ends[place] }
}
