// Comparisons of a property with constants, for objects with slots: the closures read each value in its stored type,
// without creating an evaluated value. All other comparisons are in PredicateCompiler+Comparison.

import Foundation

extension PredicateCompiler {
    /// Evaluates a predicate on an object's slots.
    ///
    /// A structure, as a bare closure in an optional or an array would be called through a thunk.
    struct SlotTest {
        let holds: (SlotReference) throws -> Bool
        init(_ holds: @escaping (SlotReference) throws -> Bool) { self.holds = holds }
    }

    /// The test of a predicate if all its parts compare slots with constants; otherwise nil.
    func slotTest(_ node: PredicateNode) -> SlotTest? {
        switch node {
        case .constant(let value): return SlotTest { _ in value }
        case .comparison(let comparison): return slotTest(comparison)
        case .and(let nodes): return slotTests(nodes).map { Self.joined($0[...], isAll: true) }
        case .or(let nodes): return slotTests(nodes).map { Self.joined($0[...], isAll: false) }
        case .not(let node): return slotTest(node).map { test in SlotTest { try !test.holds($0) } }
        case .block: return nil
        }
    }

    private func slotTests(_ nodes: [PredicateNode]) -> [SlotTest]? {
        var tests: [SlotTest] = []
        for node in nodes {
            guard let test = slotTest(node) else { return nil }
            tests.append(test)
        }
        return tests
    }

    /// Joins tests in pairs, as calling them in an array would retain each one.
    private static func joined(_ tests: ArraySlice<SlotTest>, isAll: Bool) -> SlotTest {
        guard tests.count > 1 else { return tests.first ?? SlotTest { _ in isAll } }
        let middle = tests.startIndex + tests.count / 2
        let first = joined(tests[..<middle], isAll: isAll).holds
        let second = joined(tests[middle...], isAll: isAll).holds
        if isAll { return SlotTest { try first($0) && second($0) } }
        return SlotTest { try first($0) || second($0) }
    }

    /// The slot of a key path from the object under evaluation.
    func slot(_ keys: [String]) -> ReadableSlot? {
        guard let sample, keys.count == 1, let key = keys.first else { return nil }
        // These have a special meaning in a key path.
        guard !key.hasPrefix("@"), key != "self", key != "SELF" else { return nil }
        return sample.slot(forKey: key)
    }

    /// The test of a comparison if it compares a slot with a constant; otherwise nil.
    func slotTest(_ node: ComparisonNode) -> SlotTest? {
        guard node.modifier == .direct, case .keyPath(let keys) = node.left, let slot = slot(keys),
            let constant = constantValue(of: node.right)
        else { return nil }
        let match = match(node)
        /// For a value that does not have the slot's type.
        let inGeneral = SlotTest { try match($0.value(slot.index), constant) }
        if constant.isNull {
            switch node.op {
            case .equal, .notEqual:
                let isEqual = node.op == .equal
                return SlotTest { $0.value(slot.index).isNull == isEqual }
            default: return inGeneral
            }
        }
        switch slot.kind {
        case .integer: return integerTest(node, slot.index, constant, inGeneral) ?? inGeneral
        case .real: return realTest(node, slot.index, constant, inGeneral) ?? inGeneral
        case .date: return dateTest(node, slot.index, constant, inGeneral) ?? inGeneral
        case .text: return textTest(node, slot.index, constant, inGeneral) ?? inGeneral
        case .other: return inGeneral
        }
    }

    // MARK: - Numbers

    private func integerTest(
        _ node: ComparisonNode,
        _ slot: Int,
        _ constant: EvaluatedValue,
        _ inGeneral: SlotTest
    ) -> SlotTest? {
        /// `holdsForNull`: the result for an object without a value.
        func test(holdsForNull: Bool = false, _ holds: @escaping (Int64) -> Bool) -> SlotTest {
            SlotTest { object in
                switch object.integer(slot) {
                case .value(let value): holds(value)
                case .null: holdsForNull
                case .other: try inGeneral.holds(object)
                }
            }
        }
        switch node.op {
        case .in:
            guard let list = IntegerList(constant) else { return nil }
            return test(holdsForNull: list.hasNull, list.contains)
        case .between:
            guard let bounds = constant.fixedElements, bounds.count == 2, let lower = bounds[0].wholeNumber,
                let upper = bounds[1].wholeNumber
            else { return nil }
            return test { $0 >= lower && $0 <= upper }
        default: break
        }
        guard let number = constant.wholeNumber else { return nil }
        return comparison(node, number, test)
    }

    /// The test of a comparison with a number; nil for an operator that does not compare.
    @inline(__always)
    private func comparison<Number: Comparable>(
        _ node: ComparisonNode,
        _ number: Number,
        _ test: (_ holdsForNull: Bool, _ holds: @escaping (Number) -> Bool) -> SlotTest
    ) -> SlotTest? {
        switch node.op {
        case .equal: test(false) { $0 == number }
        case .notEqual: test(true) { $0 != number }
        case .lessThan: test(false) { $0 < number }
        case .lessThanOrEqual: test(false) { $0 <= number }
        case .greaterThan: test(false) { $0 > number }
        case .greaterThanOrEqual: test(false) { $0 >= number }
        default: nil
        }
    }

    private func realTest(
        _ node: ComparisonNode,
        _ slot: Int,
        _ constant: EvaluatedValue,
        _ inGeneral: SlotTest
    ) -> SlotTest? {
        func test(holdsForNull: Bool = false, _ holds: @escaping (Double) -> Bool) -> SlotTest {
            SlotTest { object in
                switch object.real(slot) {
                case .value(let value): holds(value)
                case .null: holdsForNull
                case .other: try inGeneral.holds(object)
                }
            }
        }
        if node.op == .between {
            guard let bounds = constant.fixedElements, bounds.count == 2, let lower = bounds[0].exactDouble,
                let upper = bounds[1].exactDouble
            else { return nil }
            return test { $0 >= lower && $0 <= upper }
        }
        guard let number = constant.exactDouble else { return nil }
        return comparison(node, number, test)
    }

    private func dateTest(
        _ node: ComparisonNode,
        _ slot: Int,
        _ constant: EvaluatedValue,
        _ inGeneral: SlotTest
    ) -> SlotTest? {
        /// NaN dates use the general test, as dates have their own order for them.
        func test(holdsForNull: Bool = false, _ holds: @escaping (Double) -> Bool) -> SlotTest {
            SlotTest { object in
                switch object.real(slot) {
                case .value(let value): value.isNaN ? try inGeneral.holds(object) : holds(value)
                case .null: holdsForNull
                case .other: try inGeneral.holds(object)
                }
            }
        }
        func seconds(_ value: EvaluatedValue) -> Double? {
            guard case .date(let date) = value, !date.timeIntervalSinceReferenceDate.isNaN else { return nil }
            return date.timeIntervalSinceReferenceDate
        }
        if node.op == .between {
            guard let bounds = constant.fixedElements, bounds.count == 2, let lower = seconds(bounds[0]),
                let upper = seconds(bounds[1])
            else { return nil }
            return test { $0 >= lower && $0 <= upper }
        }
        guard let number = seconds(constant) else { return nil }
        return comparison(node, number, test)
    }

    // MARK: - Texts

    private func textTest(
        _ node: ComparisonNode,
        _ slot: Int,
        _ constant: EvaluatedValue,
        _ inGeneral: SlotTest
    ) -> SlotTest? {
        let operation: TextMatcher.Kind
        switch node.op {
        case .equal, .notEqual: operation = .equals
        case .contains: operation = .contains
        case .beginsWith: operation = .beginsWith
        case .endsWith: operation = .endsWith
        case .like: operation = .like
        case .matches: operation = .matches
        default: return nil
        }
        guard let text = constant.text else { return nil }
        let matcher: TextMatcher
        do {
            matcher = try TextMatcher(operation, text, node.options)
        } catch {
            // The general test reports an invalid pattern for each object.
            return nil
        }
        let isNegated = node.op == .notEqual
        return SlotTest { object in
            switch object.text(slot, matches: matcher) {
            case .value(let answer): answer != isNegated
            case .null: isNegated
            case .other: try inGeneral.holds(object)
            }
        }
    }
}

/// Integers for the IN operator.
private struct IntegerList {
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
            guard let number = element.wholeNumber else { return nil }
            numbers.append(number)
        }
        hasNull = numbers.count < elements.count
        self.numbers = numbers.count > Self.limit ? [] : numbers
        set = numbers.count > Self.limit ? Set(numbers) : []
    }

    func contains(_ number: Int64) -> Bool {
        for known in numbers where known == number { return true }
        return !set.isEmpty && set.contains(number)
    }
}

extension EvaluatedValue {
    /// The integer that equals this number; nil if there is none.
    fileprivate var wholeNumber: Int64? {
        switch self {
        case .boolean(let value): value ? 1 : 0
        case .integer(let value): value
        case .real(let value): Int64(exactly: value)
        default: nil
        }
    }

    /// The Double that compares as this number does; nil if there is none.
    fileprivate var exactDouble: Double? {
        switch self {
        case .boolean(let value): value ? 1 : 0
        case .integer(let value): Double(exactly: value)
        case .real(let value): value
        default: nil
        }
    }
}
