// The predicate object for trees without a public class, constants and blocks, and the equality of predicates.

import Foundation

/// A constant or a block.
class FormatPredicate: NSPredicate, PredicateCarrying {
    let prepared: PreparedPredicate

    init(_ node: PredicateNode, isUnique: Bool = false) {
        prepared = PreparedPredicate(node, isUnique: isUnique)
        super.init(value: true)
    }

    override var predicateFormat: String { PredicatePrinter.print(prepared.node) }
    override var description: String { predicateFormat }
    override func copy() -> Any { self }
    override func copy(with zone: NSZone?) -> Any { self }
    override func isEqual(_ object: Any?) -> Bool { isEqualTree(object) }
    override var hash: Int { prepared.hash }
    override func evaluate(with object: Any?) -> Bool { prepared.evaluate(object, nil) }
    override func evaluate(with object: Any?, substitutionVariables bindings: [String: Any]?) -> Bool {
        prepared.evaluate(object, bindings)
    }
}

extension NSPredicate {
    /// Whether another predicate object has an equal tree.
    func isEqualTree(_ object: Any?) -> Bool {
        guard let other = object as? NSPredicate else { return false }
        if self === other { return true }
        if (self as? any PredicateCarrying)?.prepared.isUnique == true { return false }
        if (other as? any PredicateCarrying)?.prepared.isUnique == true { return false }
        return node == other.node
    }
}
