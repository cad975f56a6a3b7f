// From predicate objects to trees and back. Every NSPredicate has a tree: ours hold it, Foundation's compounds and
// constants are read, and all others are blocks.

import Foundation

extension NSPredicate {
    /// The predicate as a tree of values.
    package var node: PredicateNode {
        if let carrier = self as? any PredicateCarrying { return carrier.prepared.node }
        if let compound = self as? NSCompoundPredicate, type(of: self) == NSCompoundPredicate.self {
            let nodes = compound.subpredicates.map(\.node)
            switch compound.compoundPredicateType {
            case .and: return .and(nodes)
            case .or: return .or(nodes)
            case .not: return nodes.first.map(PredicateNode.not) ?? .constant(true)
            @unknown default: break
            }
        }
        if type(of: self) == NSPredicate.self {
            switch (self as any FormatPrinting).predicateFormat {
            case "TRUEPREDICATE": return .constant(true)
            case "FALSEPREDICATE": return .constant(false)
            default: break
            }
        }
        return .block(PredicateBlock { self.evaluate(with: $0, substitutionVariables: $1) })
    }

    /// The format, also of Foundation's compounds, which cannot print themselves.
    package var printedFormat: String { PredicatePrinter.print(node) }

    /// The object for a tree: an NSComparisonPredicate, an NSCompoundPredicate or a plain predicate, as Apple has it.
    package static func make(_ node: PredicateNode) -> NSPredicate {
        switch node {
        case .comparison(let comparison): return NSComparisonPredicate(node: comparison)
        case .and, .or, .not: return FormatCompoundPredicate(node)
        case .constant(let value): return value ? NSTruePredicate(node) : NSFalsePredicate(node)
        case .block: return FormatPredicate(node)
        }
    }
}

/// Reads `predicateFormat`, which Foundation deprecates, of predicates that it made.
private protocol FormatPrinting {
    var predicateFormat: String { get }
}

extension NSPredicate: FormatPrinting {}
