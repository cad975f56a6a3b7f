// Equality of trees by meaning. Constants compare by value, so that `TRUE` equals `1` and an inserted array equals a
// literal list; a compound of one part equals that part, nested compounds of one kind equal the flat one, and NOT NOT
// cancels out. Used by isEqual and by tests.

import Foundation

extension PredicateNode: Hashable {
    package static func == (a: PredicateNode, b: PredicateNode) -> Bool {
        areAlike(a.simplified, b.simplified)
    }

    /// Whether two simplified trees are equal.
    private static func areAlike(_ a: PredicateNode, _ b: PredicateNode) -> Bool {
        switch (a, b) {
        case (.constant(let a), .constant(let b)): return a == b
        case (.comparison(let a), .comparison(let b)): return a == b
        case (.and(let a), .and(let b)), (.or(let a), .or(let b)):
            return a.count == b.count && zip(a, b).allSatisfy { areAlike($0, $1) }
        case (.not(let a), .not(let b)): return areAlike(a, b)
        case (.block(let a), .block(let b)): return a.isSame(as: b)
        default: return false
        }
    }

    package func hash(into hasher: inout Hasher) { simplified.combine(into: &hasher) }

    private func combine(into hasher: inout Hasher) {
        switch self {
        case .constant(let value): hasher.combine(value)
        case .comparison(let node): hasher.combine(node)
        case .and(let nodes):
            hasher.combine(1)
            for node in nodes { node.combine(into: &hasher) }
        case .or(let nodes):
            hasher.combine(2)
            for node in nodes { node.combine(into: &hasher) }
        case .not(let node):
            hasher.combine(3)
            node.combine(into: &hasher)
        case .block: hasher.combine(4)
        }
    }

    /// The tree without redundant layers; O(n).
    private var simplified: PredicateNode {
        switch self {
        case .constant, .comparison, .block: return self
        case .and(let nodes):
            let parts = PredicateNode.parts(nodes) { if case .and(let inner) = $0 { inner } else { nil } }
            return parts.isEmpty ? .constant(true) : parts.count == 1 ? parts[0] : .and(parts)
        case .or(let nodes):
            let parts = PredicateNode.parts(nodes) { if case .or(let inner) = $0 { inner } else { nil } }
            return parts.isEmpty ? .constant(false) : parts.count == 1 ? parts[0] : .or(parts)
        case .not(let node):
            let part = node.simplified
            if case .not(let inner) = part { return inner }
            return .not(part)
        }
    }

    /// The parts of a compound, with nested compounds of its kind flattened.
    private static func parts(
        _ nodes: [PredicateNode],
        _ inner: (PredicateNode) -> [PredicateNode]?
    ) -> [PredicateNode] {
        var result: [PredicateNode] = []
        result.reserveCapacity(nodes.count)
        for node in nodes {
            let part = node.simplified
            if let parts = inner(part) { result += parts } else { result.append(part) }
        }
        return result
    }
}

extension ExpressionNode: Hashable {
    package static func == (a: ExpressionNode, b: ExpressionNode) -> Bool {
        switch (a, b) {
        case (.constant(let a), .constant(let b)): return EvaluatedValue(a).isEqual(to: EvaluatedValue(b))
        case (.constant(let value), .aggregate(let nodes)), (.aggregate(let nodes), .constant(let value)):
            return areEqual(nodes, value)
        case (.evaluatedObject, .evaluatedObject), (.anyKey, .anyKey): return true
        case (.variable(let a), .variable(let b)): return a == b
        case (.keyPath(let a), .keyPath(let b)): return a == b
        case (.keyPathOf(let a, let path), .keyPathOf(let b, let other)): return path == other && a == b
        case (.function(let a, let target, let arguments), .function(let b, let receiver, let others)):
            return a == b && target == receiver && arguments == others
        case (.aggregate(let a), .aggregate(let b)): return a == b
        case (.subquery(let a, let variable, let predicate), .subquery(let b, let other, let test)):
            return variable == other && a == b && predicate == test
        case (.union(let a, let b), .union(let c, let d)): return a == c && b == d
        case (.intersect(let a, let b), .intersect(let c, let d)): return a == c && b == d
        case (.minus(let a, let b), .minus(let c, let d)): return a == c && b == d
        case (.conditional(let a, let b, let c), .conditional(let d, let e, let f)): return a == d && b == e && c == f
        case (.assignment(let a, let value), .assignment(let b, let other)): return a == b && value == other
        case (.symbolicIndex(let a), .symbolicIndex(let b)): return a == b
        case (.block(let a, let arguments), .block(let b, let others)): return a === b && arguments == others
        case (.fetch(let a, let b, let c), .fetch(let d, let e, let f)): return a == d && b == e && c == f
        default: return false
        }
    }

    private static func areEqual(_ nodes: [ExpressionNode], _ value: Any?) -> Bool {
        guard case .collection(let collection) = EvaluatedValue(value), collection.evaluatedCount == nodes.count else {
            return false
        }
        var values: [EvaluatedValue] = []
        for node in nodes {
            guard case .constant(let element) = node else { return false }
            values.append(EvaluatedValue(element))
        }
        let elements = collection.evaluatedElements()
        guard collection.isUnordered else { return zip(values, elements).allSatisfy { $0.isEqual(to: $1) } }
        return Set(values.map(HashedValue.init)) == Set(elements.map(HashedValue.init))
    }

    package func hash(into hasher: inout Hasher) {
        switch self {
        case .constant(let value): EvaluatedValue(value).hash(into: &hasher)
        // An aggregate may equal an inserted collection, and all collections have the same hash.
        case .aggregate: break
        case .evaluatedObject: hasher.combine("SELF")
        case .anyKey: hasher.combine("ANYKEY")
        case .variable(let name): hasher.combine(name)
        case .keyPath(let keys): hasher.combine(keys)
        case .keyPathOf(let base, let keys):
            hasher.combine(base)
            hasher.combine(keys)
        case .function(let name, let target, let arguments):
            hasher.combine(name)
            hasher.combine(target)
            hasher.combine(arguments)
        case .subquery(let collection, let variable, let predicate):
            hasher.combine(collection)
            hasher.combine(variable)
            hasher.combine(predicate)
        case .union(let a, let b), .intersect(let a, let b), .minus(let a, let b):
            hasher.combine(a)
            hasher.combine(b)
        case .conditional(let predicate, let yes, let no):
            hasher.combine(predicate)
            hasher.combine(yes)
            hasher.combine(no)
        case .assignment(let name, let value):
            hasher.combine(name)
            hasher.combine(value)
        case .symbolicIndex(let index): hasher.combine(index)
        case .block(let block, let arguments):
            hasher.combine(ObjectIdentifier(block))
            hasher.combine(arguments)
        case .fetch(let request, let context, let countOnly):
            hasher.combine(request)
            hasher.combine(context)
            hasher.combine(countOnly)
        }
    }
}
