// The values that a predicate reads, as far as its text shows. Used to find the changes that can add or remove results.
import GraphPredicates

/// The key paths that a predicate reads from the evaluated object.
struct PredicateKeyPaths {
    /// All key paths, in the order of the predicate; those of a subquery's members begin with the collection's path.
    private(set) var keyPaths: [String] = []
    /// Whether the key paths alone decide: no closure, no computed key, no other object's value.
    private(set) var isComplete = true
    /// Whether the result for the same object can change with time.
    private(set) var dependsOnTime = false
    /// The constants, in the order of the predicate.
    private(set) var constants: [Any?] = []

    init(_ node: PredicateNode) {
        read(node, variables: [:])
    }

    private mutating func read(_ node: PredicateNode, variables: [String: String]) {
        switch node {
        case .constant: break
        case .block: isComplete = false
        case .comparison(let comparison):
            if comparison.op == .customSelector { isComplete = false }
            read(comparison.left, variables: variables)
            read(comparison.right, variables: variables)
        case .and(let parts), .or(let parts): for part in parts { read(part, variables: variables) }
        case .not(let part): read(part, variables: variables)
        }
    }

    private mutating func read(_ node: ExpressionNode, variables: [String: String]) {
        switch node {
        case .keyPath(let keys): keyPaths.append(keys.joined(separator: "."))
        case .function(let name, let target, let arguments):
            if target != nil || name == ExpressionNode.valueForKeyPath { isComplete = false }
            if Self.timely.contains(name) { dependsOnTime = true }
            if let target { read(target, variables: variables) }
            for argument in arguments { read(argument, variables: variables) }
        case .aggregate(let parts): for part in parts { read(part, variables: variables) }
        case .subquery(let collection, let variable, let predicate):
            read(collection, variables: variables)
            var inner = variables
            if let path = path(of: collection, variables) { inner[variable] = path } else { isComplete = false }
            read(predicate, variables: inner)
        case .keyPathOf(let base, let keys):
            if let path = path(of: base, variables) {
                keyPaths.append(([path] + keys).joined(separator: "."))
            } else {
                // The count of a subquery's members depends only on the key paths it reads; other values may not.
                if keys != ["@count"] { isComplete = false }
                read(base, variables: variables)
            }
        case .union(let left, let right), .intersect(let left, let right), .minus(let left, let right):
            read(left, variables: variables)
            read(right, variables: variables)
        case .conditional(let condition, let trueValue, let falseValue):
            read(condition, variables: variables)
            read(trueValue, variables: variables)
            read(falseValue, variables: variables)
        case .assignment(_, let value): read(value, variables: variables)
        case .constant(let value): constants.append(value)
        case .evaluatedObject, .variable, .symbolicIndex: break
        case .anyKey, .block, .fetch: isComplete = false
        }
    }

    private static let timely = Set(
        [FunctionName.now, .random, .randomBelow, .randomN].map(\.rawValue)
    )

    /// The path from the evaluated object to the value of an expression; nil if there is none.
    private func path(of node: ExpressionNode, _ variables: [String: String]) -> String? {
        switch node {
        case .keyPath(let keys): return keys.joined(separator: ".")
        case .variable(let name): return variables[name]
        case .keyPathOf(let base, let keys):
            return path(of: base, variables).map { ([$0] + keys).joined(separator: ".") }
        default: return nil
        }
    }
}
