// Comparisons of a property with constants, for objects with slots: the closures read each value in its stored type,
// without creating an evaluated value. All other comparisons are in PredicateCompiler+Comparison.

import Foundation

extension PredicateCompiler {
    /// Evaluates a predicate on an object's slots.
    ///
    /// The closure is in a structure because one in an optional or an array would be called through a thunk.
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
    func slot(_ keys: some Collection<String>) -> ReadableSlot? {
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
        // For values that do not have the slot's type.
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
        if node.op == .in {
            guard let list = IntegerList(constant) else { return nil }
            return SlotTest { object in
                try object.integer(slot).test(null: list.hasNull, other: try inGeneral.holds(object)) {
                    list.contains($0)
                }
            }
        }
        guard let interval = IntegerInterval(node.op, constant) else { return nil }
        return SlotTest { object in
            try object.integer(slot).test(null: interval.isNegated, other: try inGeneral.holds(object)) {
                interval.holds($0)
            }
        }
    }

    /// The test of a comparison with a floating-point number or with two bounds.
    ///
    /// Nil for an operator that does not compare, and if `number` has no number for a constant. `test` makes the test
    /// from its result for a missing value and from the condition for a number.
    @inline(__always)
    private func comparison(
        _ node: ComparisonNode,
        _ constant: EvaluatedValue,
        _ number: (EvaluatedValue) -> Double?,
        _ test: (_ holdsForNull: Bool, _ holds: @escaping (Double) -> Bool) -> SlotTest
    ) -> SlotTest? {
        if node.op == .between {
            guard let bounds = constant.fixedElements, bounds.count == 2, let lower = number(bounds[0]),
                let upper = number(bounds[1])
            else { return nil }
            return test(false) { $0 >= lower && $0 <= upper }
        }
        guard let number = number(constant) else { return nil }
        return switch node.op {
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
        comparison(node, constant, \.exactDouble) { holdsForNull, holds in
            SlotTest { object in
                try object.real(slot).test(null: holdsForNull, other: try inGeneral.holds(object)) { holds($0) }
            }
        }
    }

    private func dateTest(
        _ node: ComparisonNode,
        _ slot: Int,
        _ constant: EvaluatedValue,
        _ inGeneral: SlotTest
    ) -> SlotTest? {
        comparison(node, constant, \.orderedSeconds) { holdsForNull, holds in
            // NaN dates use the general test, as dates have their own order for them.
            SlotTest { object in
                try object.real(slot).test(null: holdsForNull, other: try inGeneral.holds(object)) {
                    $0.isNaN ? try inGeneral.holds(object) : holds($0)
                }
            }
        }
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
        guard let pattern = constant.text else { return nil }
        let matcher: TextMatcher
        do {
            matcher = try TextMatcher(operation, pattern, node.options)
        } catch {
            // The general test reports an invalid pattern for each object.
            return nil
        }
        let isNegated = node.op == .notEqual
        return SlotTest { object in
            try object.text(slot, matches: matcher).test(null: isNegated, other: try inGeneral.holds(object)) {
                $0 != isNegated
            }
        }
    }
}
