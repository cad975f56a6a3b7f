// Compiles predicate trees to closures that evaluate objects in memory. Called by the evaluators and by SlotPlan.

import Foundation

/// Compiles trees; `PredicateCompiler+Comparison` has the operators, `PredicateCompiler+Slots` the operators on slots.
struct PredicateCompiler {
    typealias Test = (inout EvaluationScope) throws -> Bool
    typealias Read = (inout EvaluationScope) throws -> EvaluatedValue

    /// An object like the ones to evaluate, by its slots; nil if they may be of any type.
    let sample: SlotReference?

    func test(_ node: PredicateNode) -> Test {
        switch node {
        case .constant(let value): return { _ in value }
        case .comparison(let comparison):
            let inGeneral = test(comparison)
            guard let quick = slotTest(comparison) else { return inGeneral }
            return { scope in
                guard let slots = scope.slots else { return try inGeneral(&scope) }
                return try quick.holds(slots)
            }
        case .and(let nodes):
            let tests = nodes.map { test($0) }
            return { scope in
                for test in tests where try !test(&scope) { return false }
                return true
            }
        case .or(let nodes):
            let tests = nodes.map { test($0) }
            return { scope in
                for test in tests where try test(&scope) { return true }
                return false
            }
        case .not(let node):
            let inner = test(node)
            return { try !inner(&$0) }
        case .block(let block): return { block.evaluate($0.source, $0.plainVariables) }
        }
    }

    func read(_ node: ExpressionNode) -> Read {
        switch node {
        case .constant(let value):
            let value = EvaluatedValue(value)
            return { _ in value }
        case .evaluatedObject: return { $0.object }
        case .variable(let name): return { try $0.value(of: name) }
        case .keyPath(let keys): return path(keys, of: nil)
        case .keyPathOf(let base, let keys): return path(keys, of: read(base))
        case .function(let name, let target, let arguments): return call(name, target, arguments)
        case .aggregate(let nodes):
            if let constant = constantValue(of: node) { return { _ in constant } }
            let reads = nodes.map { read($0) }
            return { scope in EvaluatedValue(elements: try reads.map { try $0(&scope) }) }
        case .subquery(let collection, let variable, let predicate): return subquery(collection, variable, predicate)
        case .union(let a, let b): return set(a, b) { left, right in HashedValue.distinct(left + right) }
        case .intersect(let a, let b): return set(a, b) { left, right in filter(left, in: right, keep: true) }
        case .minus(let a, let b): return set(a, b) { left, right in filter(left, in: right, keep: false) }
        case .conditional(let predicate, let yes, let no):
            let test = test(predicate)
            let first = read(yes)
            let second = read(no)
            return { try test(&$0) ? try first(&$0) : try second(&$0) }
        case .assignment(let name, let node):
            let inner = read(node)
            return { scope in
                let value = try inner(&scope)
                scope.bind(value, to: name)
                return value
            }
        case .anyKey: return anyKey
        case .symbolicIndex(let index): return { _ in .other(index) }
        case .block(let block, let arguments):
            let reads = arguments.map { read($0) }
            return { scope in
                let values = try reads.map { try $0(&scope).anyValue }
                return EvaluatedValue(block.evaluate(scope.source, values, scope.plainVariables))
            }
        case .fetch(let request, let context, let countOnly): return fetch(request, context, countOnly)
        }
    }

    // MARK: - Expressions

    private func path(_ keys: [String], of base: Read?) -> Read {
        let reader = KeyPathReader(keys, isRepeated: true)
        if base == nil, let slot = slot(keys.prefix(1))?.index {
            let rest = KeyPathReader(Array(keys.dropFirst()), isRepeated: true)
            return { scope in
                guard let slots = scope.slots else { return try reader.read(from: scope.object) }
                return try rest.read(from: slots.value(slot))
            }
        }
        guard let base else { return { try reader.read(from: $0.object) } }
        return { try reader.read(from: try base(&$0)) }
    }

    private func call(_ name: String, _ target: ExpressionNode?, _ arguments: [ExpressionNode]) -> Read {
        let reads = arguments.map { read($0) }
        if let target {
            let receiver = read(target)
            return { scope in
                let object = try receiver(&scope)
                return try SelectorCall.call(name, on: object, try reads.map { try $0(&scope) })
            }
        }
        guard let function = FunctionName(rawValue: name) else {
            return { _ in throw EvaluationError.unknownFunction(name) }
        }
        return { scope in try function.call(try reads.map { try $0(&scope) }) }
    }

    private func subquery(_ node: ExpressionNode, _ variable: String, _ predicate: PredicateNode) -> Read {
        let collection = read(node)
        let test = test(predicate)
        return { scope in
            let value = try collection(&scope)
            guard !value.isNull else { return EvaluatedValue(elements: []) }
            var inner = scope
            let matches = try (value.elements ?? [value]).filter { element in
                inner.bind(element, to: variable)
                return try test(&inner)
            }
            return EvaluatedValue(elements: matches, isUnordered: value.isUnordered)
        }
    }

    private func set(
        _ a: ExpressionNode,
        _ b: ExpressionNode,
        _ join: @escaping ([EvaluatedValue], [EvaluatedValue]) -> [EvaluatedValue]
    ) -> Read {
        let first = read(a)
        let second = read(b)
        return { scope in
            let left = try first(&scope)
            let right = try second(&scope)
            let result = join(elements(of: left), elements(of: right))
            return EvaluatedValue(elements: result, isUnordered: true)
        }
    }

    private func elements(of value: EvaluatedValue) -> [EvaluatedValue] {
        value.isNull ? [] : value.elements ?? [value]
    }

    private func filter(_ left: [EvaluatedValue], in right: [EvaluatedValue], keep: Bool) -> [EvaluatedValue] {
        let members = Set(right.map(HashedValue.init))
        return HashedValue.distinct(left.filter { members.contains(HashedValue(value: $0)) == keep })
    }

    private func anyKey(_ scope: inout EvaluationScope) throws -> EvaluatedValue {
        switch scope.object {
        case .dictionary(let dictionary): return EvaluatedValue(elements: dictionary.evaluatedValues())
        case .readable(let object as any KeyValueReadable & KeyEnumerable):
            return EvaluatedValue(elements: object.readableKeys.map { EvaluatedValue(object.value(forKey: $0)) })
        default: throw EvaluationError.unsupported("ANYKEY on an object whose keys are unknown")
        }
    }

    private func fetch(_ request: ExpressionNode, _ context: ExpressionNode, _ countOnly: Bool) -> Read {
        let first = read(request)
        let second = read(context)
        return { scope in
            let request = try first(&scope)
            guard let context = try second(&scope).anyValue as? any FetchEvaluating,
                let request = request.anyValue
            else { throw EvaluationError.unsupported("FETCH without a fetch request and a context") }
            return EvaluatedValue(try context.evaluateFetch(request, countOnly: countOnly))
        }
    }
}

extension EvaluatedValue {
    var isUnordered: Bool {
        if case .collection(let collection) = self { return collection.isUnordered }
        return false
    }
}
