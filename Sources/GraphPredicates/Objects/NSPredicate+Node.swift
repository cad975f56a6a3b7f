// Conversions between predicate objects and trees. Every NSPredicate has a tree: this module's classes store it,
// Foundation's compounds and constants are converted, and all others become blocks.

import Foundation

extension NSPredicate {
    /// The predicate as a tree of values.
    ///
    /// Flattens deeply nested compounds of Foundation's. A compound that still exceeds the maximum height becomes a
    /// block, which can be evaluated in memory; a fetch rejects it.
    package var node: PredicateNode {
        FoundationPredicates.install()
        return node(level: 0) ?? DeepCompound.node(of: self)
    }

    /// The tree; nil if Foundation's compounds are nested too deep for recursion.
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

    /// The tree of a predicate; nil if the predicate is a compound of Foundation's.
    var singleNode: PredicateNode? {
        // A cast to the protocol costs more than all of them.
        if let comparison = self as? NSComparisonPredicate { return comparison.prepared.node }
        if let compound = self as? FormatCompoundPredicate { return compound.prepared.node }
        if let predicate = self as? FormatPredicate { return predicate.prepared.node }
        if let compound = self as? NSCompoundPredicate,
            FoundationPredicates.isPlainCompound(Swift.type(of: compound))
        {
            return nil
        }
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

    /// The format, also of Foundation's compounds, which cannot print theirs.
    package var printedFormat: String { PredicatePrinter.print(node) }

    /// The object for a tree, as on Apple's systems: an NSComparisonPredicate, an NSCompoundPredicate or an
    /// NSPredicate.
    package static func make(_ node: PredicateNode) -> NSPredicate { make(node, isUnique: false) }

    /// The object for a tree; a unique one equals only itself.
    static func make(_ node: PredicateNode, isUnique: Bool) -> NSPredicate {
        switch node {
        case .comparison(let comparison): return NSComparisonPredicate(comparison, node, isUnique: isUnique)
        case .and, .or, .not: return FormatCompoundPredicate(node, isUnique: isUnique)
        case .constant(let value):
            return value
                ? NSTruePredicate(node, isUnique: isUnique) : NSFalsePredicate(node, isUnique: isUnique)
        case .block: return FormatPredicate(node, isUnique: isUnique)
        }
    }
}

/// Reads `predicateFormat`, which Foundation deprecates, of its own predicates.
private protocol FormatPrinting {
    var predicateFormat: String { get }
}

extension NSPredicate: FormatPrinting {}
