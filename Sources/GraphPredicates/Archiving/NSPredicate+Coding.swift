// Keyed archives of predicates, as on Apple's systems; Foundation lacks them. An initializer of a protocol extension
// satisfies the conformance, so every subclass has it. Called by NSKeyedArchiver and NSKeyedUnarchiver.

import Foundation

extension NSPredicate: @retroactive NSSecureCoding {
    /// Always true.
    public static var supportsSecureCoding: Bool { true }

    /// Writes the predicate with Apple's keys.
    ///
    /// A closure cannot be archived: `NSKeyedArchiver.archivedData(withRootObject:requiringSecureCoding:)` throws if it
    /// is called with such a predicate; the archive of another object traps, as Apple's exception does.
    ///
    /// - Parameter coder: A keyed archiver.
    public func encode(with coder: NSCoder) {
        switch node {
        case .constant(let value):
            // Apple's two classes imply the value; Foundation's class on other platforms does not.
            if type(of: self) == NSPredicate.self { coder.encode(value, forKey: ArchivedPredicate.valueKey) }
        case .comparison(let comparison):
            coder.encode(NSExpression.make(comparison.left), forKey: "NSLeftExpression")
            coder.encode(NSExpression.make(comparison.right), forKey: "NSRightExpression")
            coder.encode(NSPredicateOperator.make(comparison), forKey: "NSPredicateOperator")
        case .and(let nodes): encode(.and, nodes, coder)
        case .or(let nodes): encode(.or, nodes, coder)
        case .not(let node): encode(.not, [node], coder)
        case .block: ArchiveFailures.report("A predicate made of a closure cannot be archived.")
        }
    }

    private func encode(_ type: NSCompoundPredicate.LogicalType, _ nodes: [PredicateNode], _ coder: NSCoder) {
        coder.encode(Int(type.rawValue), forKey: "NSCompoundPredicateType")
        coder.encode(NSArray(array: nodes.map { NSPredicate.make($0, isUnique: true) }), forKey: "NSSubpredicates")
    }
}

extension PredicateMaking where Self: NSPredicate {
    /// Reads a predicate from an archive written here or on Apple's systems.
    ///
    /// A predicate that is decoded securely cannot be evaluated before `allowEvaluation()`.
    ///
    /// The result is nil if the archive is damaged.
    ///
    /// - Parameter coder: A keyed unarchiver.
    public init?(coder: NSCoder) {
        let isConstant: Bool? =
            Self.self == NSTruePredicate.self ? true : Self.self == NSFalsePredicate.self ? false : nil
        let read = ArchiveDepth.level(of: coder) { isConstant.map { .constant($0) } ?? ArchivedPredicate.node(coder) }
        guard let read, let predicate = NSPredicate.make(read.result) as? Self else { return nil }
        (predicate as? any PredicateCarrying)?.prepared.archivedWeight = read.weight
        if coder.requiresSecureCoding { (predicate as? any PredicateCarrying)?.prepared.forbidEvaluation() }
        self = predicate
    }

    /// Allows a predicate that was decoded securely to be evaluated.
    ///
    /// Check its key paths and functions first, as they are untrusted input. Without this call such a predicate is
    /// false for every object, and the evaluation is logged; Apple's raises an exception. See
    /// [allowEvaluation()](https://developer.apple.com/documentation/foundation/nspredicate/1412440-allowevaluation).
    public func allowEvaluation() {
        (self as? any PredicateCarrying)?.prepared.allowEvaluation()
    }
}

enum ArchivedPredicate {
    /// A key of this package, for an instance of Foundation's NSPredicate that is always true or always false.
    static let valueKey = "NSPredicateValue"

    /// The tree of an archived predicate; its keys determine the kind.
    static func node(_ coder: NSCoder) -> PredicateNode? {
        if coder.containsValue(forKey: "NSSubpredicates") { return compound(coder) }
        if coder.containsValue(forKey: valueKey) { return .constant(coder.decodeBool(forKey: valueKey)) }
        guard let left = coder.expression("NSLeftExpression"), let right = coder.expression("NSRightExpression"),
            let op = coder.decodeObject(of: [NSPredicateOperator.self], forKey: "NSPredicateOperator")
                as? NSPredicateOperator
        else { return nil }
        return .comparison(op.comparison(left, right))
    }

    private static func compound(_ coder: NSCoder) -> PredicateNode? {
        let list = coder.decodeObject(of: [NSArray.self, NSPredicate.self], forKey: "NSSubpredicates") as? NSArray
        guard let nodes = list?.compactMap({ ($0 as? NSPredicate)?.countedNode }), nodes.count == list?.count else {
            return nil
        }
        switch NSCompoundPredicate.LogicalType(
            rawValue: UInt(bitPattern: coder.decodeInteger(forKey: "NSCompoundPredicateType"))
        ) {
        case .and: return .and(nodes)
        case .or: return .or(nodes)
        case .not: return nodes.count == 1 ? .not(nodes[0]) : nil
        default: return nil
        }
    }
}
