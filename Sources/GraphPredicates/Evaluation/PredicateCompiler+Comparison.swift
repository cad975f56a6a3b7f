// The comparison operators. Nil equals only nil; it has no order, and no text operator matches it. Values of different
// kinds are unequal and unordered. A constant on the right is folded, hashed or compiled once.

import Foundation

extension PredicateCompiler {
    /// Compares a left value with a right one.
    typealias Match = (EvaluatedValue, EvaluatedValue) throws -> Bool

    func test(_ node: ComparisonNode) -> Test {
        let left = read(node.left)
        let right = read(node.right)
        if case .anyKey = node.left, node.modifier == .direct {
            var any = node
            any.modifier = .any
            return test(any)
        }
        let match = match(node)
        switch node.modifier {
        case .direct:
            return { try match(try left(&$0), try right(&$0)) }
        case .any:
            return { scope in
                let value = try left(&scope)
                let operand = try right(&scope)
                guard !value.isNull else { return false }
                return try (value.elements ?? [value]).contains { try match($0, operand) }
            }
        case .all:
            return { scope in
                let value = try left(&scope)
                let operand = try right(&scope)
                guard !value.isNull else { return true }
                return try (value.elements ?? [value]).allSatisfy { try match($0, operand) }
            }
        }
    }

    func match(_ node: ComparisonNode) -> Match {
        let options = node.options
        let constant = constantValue(of: node.right)
        switch node.op {
        case .equal: return equality(options, constant)
        case .notEqual:
            let equal = equality(options, constant)
            return { try !equal($0, $1) }
        case .lessThan: return ordering(options) { $0 == .orderedAscending }
        case .lessThanOrEqual: return ordering(options) { $0 != .orderedDescending }
        case .greaterThan: return ordering(options) { $0 == .orderedDescending }
        case .greaterThanOrEqual: return ordering(options) { $0 != .orderedAscending }
        case .beginsWith: return text(.beginsWith, options, constant)
        case .endsWith: return text(.endsWith, options, constant)
        case .like: return text(.like, options, constant)
        case .matches: return text(.matches, options, constant)
        case .in: return membership(options, constant)
        case .contains:
            if node.modifier == .direct, let list = constantValue(of: node.left), list.fixedElements != nil {
                // A constant list is hashed once, as for IN.
                let isMember = membership(options, list)
                return { container, value in try isMember(value, container) }
            }
            let isText = text(.contains, options, constant)
            return { container, value in
                if case .text = container { return try isText(container, value) }
                return container.elements?.contains { areEqual(value, $0, options) } ?? false
            }
        case .between: return between(options)
        case .customSelector: return custom(node.selector ?? "")
        }
    }

    /// The value of an expression that does not depend on an object.
    func constantValue(of node: ExpressionNode) -> EvaluatedValue? {
        switch node {
        case .constant(let value): return EvaluatedValue(value)
        case .aggregate(let nodes):
            var elements: [EvaluatedValue] = []
            for node in nodes {
                guard let element = constantValue(of: node) else { return nil }
                elements.append(element)
            }
            return EvaluatedValue(elements: elements)
        default: return nil
        }
    }

    // MARK: - Equality and order

    private func equality(_ options: ComparisonOptions, _ constant: EvaluatedValue?) -> Match {
        guard options.folds else { return { $0.isEqual(to: $1) } }
        if let text = constant?.text {
            return self.text(.equals, options, .text(text))
        }
        return { areEqual($0, $1, options) }
    }

    private func areEqual(_ a: EvaluatedValue, _ b: EvaluatedValue, _ options: ComparisonOptions) -> Bool {
        guard options.folds, let first = a.text, let second = b.text else { return a.isEqual(to: b) }
        return TextOrder.areEqual(TextFolding.fold(first, options), TextFolding.fold(second, options))
    }

    /// A text without the differences that the options overlook; any other value as it is.
    private func folded(_ value: EvaluatedValue, _ options: ComparisonOptions) -> EvaluatedValue {
        guard options.folds, let text = value.text else { return value }
        return .text(TextFolding.fold(text, options))
    }

    private func ordering(
        _ options: ComparisonOptions,
        _ accept: @escaping (ComparisonResult) -> Bool
    ) -> Match {
        { order($0, $1, options).map(accept) ?? false }
    }

    private func order(
        _ a: EvaluatedValue,
        _ b: EvaluatedValue,
        _ options: ComparisonOptions
    ) -> ComparisonResult? {
        guard options.folds || options.contains(.localeSensitive), let first = a.text, let second = b.text else {
            return a.order(against: b)
        }
        let left = TextFolding.fold(first, options)
        let right = TextFolding.fold(second, options)
        return TextSort.compare(left, right, options.contains(.localeSensitive) ? .localized : .plain)
    }

    private func between(_ options: ComparisonOptions) -> Match {
        { value, bounds in
            guard let bounds = bounds.elements, bounds.count == 2 else { throw EvaluationError.badBounds }
            guard let lower = order(value, bounds[0], options), let upper = order(value, bounds[1], options) else {
                return false
            }
            return lower != .orderedAscending && upper != .orderedDescending
        }
    }

    // MARK: - Text

    /// An operator on texts; false for all other values.
    private func text(
        _ operation: TextMatcher.Kind,
        _ options: ComparisonOptions,
        _ constant: EvaluatedValue?
    ) -> Match {
        if let pattern = constant?.text {
            let matcher = Result { try TextMatcher(operation, pattern, options) }
            return { value, _ in
                let matcher = try matcher.get()
                return try value.text.map { try matcher.holds($0) } ?? false
            }
        }
        return { value, other in
            guard let text = value.text, let pattern = other.text else { return false }
            return try TextMatcher(operation, pattern, options).holds(text)
        }
    }

    // MARK: - Membership

    /// `IN`: a text in a text, or a value in a collection or among a dictionary's values.
    private func membership(_ options: ComparisonOptions, _ constant: EvaluatedValue?) -> Match {
        if let elements = constant?.fixedElements, elements.count > 8 {
            let members = Set(elements.map { HashedValue(value: folded($0, options)) })
            return { value, _ in members.contains(HashedValue(value: folded(value, options))) }
        }
        if let elements = constant?.fixedElements {
            return { value, _ in elements.contains { areEqual(value, $0, options) } }
        }
        return { value, container in
            if let whole = container.text {
                guard let part = value.text else { return false }
                return TextOrder.contains(TextFolding.fold(whole, options), TextFolding.fold(part, options))
            }
            return container.elements?.contains { areEqual(value, $0, options) } ?? false
        }
    }

    // MARK: - Methods

    private func custom(_ selector: String) -> Match {
        { value, other in
            switch selector {
            case "UTI-EQUALS": return areEqual(value, other, .caseInsensitive)
            case "UTI-CONFORMS-TO": throw EvaluationError.unsupported("UTI-CONFORMS-TO")
            default: return try SelectorCall.call(selector, on: value, [other]).truth ?? false
            }
        }
    }
}

extension ComparisonOptions {
    /// Whether texts are folded before they are compared.
    package var folds: Bool { contains(.caseInsensitive) || contains(.diacriticInsensitive) }
}
