// From predicate objects to trees and back. Every NSPredicate has a tree: ours hold it, Foundation's compounds and
// constants are read, and all others are blocks.

import Foundation

extension NSPredicate {
    /// The predicate as a tree of values.
    ///
    /// Compounds of Foundation's that are nested deep are flattened. What stays higher than trees may be becomes a
    /// block, which judges objects in memory; a fetch refuses it.
    package var node: PredicateNode {
        FoundationPredicates.install()
        return node(level: 0) ?? DeepCompound.node(of: self)
    }

    /// The tree; nil where Foundation's compounds are nested too deep for recursion.
    private func node(level: Int) -> PredicateNode? {
        if let node = singleNode { return node }
        guard let compound = self as? NSCompoundPredicate else { return nil }
        guard level < PredicateParser.maximumNesting else { return nil }
        var nodes: [PredicateNode] = []
        nodes.reserveCapacity(compound.subpredicates.count)
        for part in compound.subpredicates {
            guard let node = part.node(level: level + 1) else { return nil }
            nodes.append(node)
        }
        return NSPredicate.compound(compound.compoundPredicateType, nodes)
    }

    /// The tree of a predicate that is no compound of Foundation's; nil for one of those.
    var singleNode: PredicateNode? {
        if let carrier = self as? any PredicateCarrying { return carrier.prepared.node }
        if type(of: self) == NSCompoundPredicate.self { return nil }
        if type(of: self) == NSPredicate.self {
            switch (self as any FormatPrinting).predicateFormat {
            case "TRUEPREDICATE": return .constant(true)
            case "FALSEPREDICATE": return .constant(false)
            default: break
            }
        }
        return .block(PredicateBlock(source: self) { self.evaluate(with: $0, substitutionVariables: $1) })
    }

    private static func compound(_ type: NSCompoundPredicate.LogicalType, _ nodes: [PredicateNode]) -> PredicateNode {
        switch type {
        case .or: .or(nodes)
        case .not: nodes.first.map(PredicateNode.not) ?? .constant(true)
        default: .and(nodes)
        }
    }

    /// The format, also of Foundation's compounds, which cannot print themselves.
    package var printedFormat: String { PredicatePrinter.print(node) }

    /// The object for a tree: an NSComparisonPredicate, an NSCompoundPredicate or a plain predicate, as Apple has it.
    package static func make(_ node: PredicateNode) -> NSPredicate { make(node, isUnique: false) }

    /// The object for a tree, which equals itself only where it is unique.
    static func make(_ node: PredicateNode, isUnique: Bool) -> NSPredicate {
        switch node {
        case .comparison(let comparison): return NSComparisonPredicate(node: comparison, isUnique: isUnique)
        case .and, .or, .not: return FormatCompoundPredicate(node, isUnique: isUnique)
        case .constant(let value):
            return value
                ? NSTruePredicate(node, isUnique: isUnique) : NSFalsePredicate(node, isUnique: isUnique)
        case .block: return FormatPredicate(node, isUnique: isUnique)
        }
    }
}

/// Reads `predicateFormat`, which Foundation deprecates, of predicates that it made.
private protocol FormatPrinting {
    var predicateFormat: String { get }
}

extension NSPredicate: FormatPrinting {}
