// The predicate object for the trees of AND, OR and NOT, which is an NSCompoundPredicate as on Apple's systems.

import Foundation

/// A compound that results from a format or a substitution.
final class FormatCompoundPredicate: NSCompoundPredicate, PredicateCarrying {
    let prepared: PreparedPredicate

    init(_ node: PredicateNode, isUnique: Bool = false) {
        prepared = PreparedPredicate(node, isUnique: isUnique)
        switch node {
        case .and(let nodes): super.init(type: .and, subpredicates: nodes.map { NSPredicate.make($0) })
        case .or(let nodes): super.init(type: .or, subpredicates: nodes.map { NSPredicate.make($0) })
        case .not(let node): super.init(type: .not, subpredicates: [NSPredicate.make(node)])
        default: super.init(type: .and, subpredicates: [NSPredicate.make(node)])
        }
    }

    override var predicateFormat: String { PredicatePrinter.print(prepared.node) }
    override var description: String { predicateFormat }
    override func copy() -> Any { self }
    override func copy(with zone: NSZone?) -> Any { self }

    override var classForCoder: AnyClass { NSCompoundPredicate.self }
    override func isEqual(_ object: Any?) -> Bool { isEqualTree(object) }
    override var hash: Int { prepared.hash }

    override func evaluate(with object: Any?) -> Bool { prepared.evaluate(object, nil) }
    override func evaluate(with object: Any?, substitutionVariables bindings: [String: Any]?) -> Bool {
        prepared.evaluate(object, bindings)
    }
}
