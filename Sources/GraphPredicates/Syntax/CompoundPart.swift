// Builds compounds of any depth. Code that walks over predicates is recursive, so nested compounds of one kind are
// flattened into one list if they would become too deep for it. Used by the parser and for Foundation's compounds.

/// A predicate that is a part of a compound: complete, or a chain that may still grow.
enum CompoundPart {
    case node(PredicateNode, height: Int)
    case chain(PredicateChain)

    var node: PredicateNode {
        switch self {
        case .node(let node, _): node
        case .chain(let chain): chain.node
        }
    }

    var height: Int {
        switch self {
        case .node(_, let height): height
        case .chain(let chain): chain.height
        }
    }

    /// The negated part; with flattening, two negations cancel out.
    func negated(flattening: Bool) -> CompoundPart {
        switch self {
        case .node(.not(let inner), let height) where flattening: return .node(inner, height: height - 1)
        case .node(let node, let height): return .node(.not(node), height: height + 1)
        case .chain(let chain):
            chain.negate()
            return self
        }
    }
}
