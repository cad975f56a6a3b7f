// Builds compounds of any depth. Code that walks over predicates is recursive, so nested compounds of one kind are
// flattened into one list if they would become too deep for it. Used by the parser and for Foundation's compounds.

/// An AND or OR that is being built; parts are added at either end in O(1).
final class PredicateChain {
    enum Kind { case and, or }

    let kind: Kind
    fileprivate(set) var isNegated = false
    /// The parts before those of `back`, the last one first.
    private var front: [PredicateNode] = []
    private var back: [PredicateNode] = []
    /// The height of the highest part.
    private(set) var tallest = 0

    init(_ kind: Kind) { self.kind = kind }

    var count: Int { front.count + back.count }

    func append(_ node: PredicateNode, height: Int) {
        back.append(node)
        tallest = max(tallest, height)
    }

    /// Moves the parts of the shorter chain into the longer one, which it returns; O(parts of the shorter one).
    static func joined(_ first: PredicateChain, _ second: PredicateChain) -> PredicateChain {
        if first.count >= second.count {
            first.back += second.front.reversed()
            first.back += second.back
            first.tallest = max(first.tallest, second.tallest)
            return first
        }
        second.front += first.back.reversed()
        second.front += first.front
        second.tallest = max(first.tallest, second.tallest)
        return second
    }

    var node: PredicateNode {
        let parts = front.reversed() + back
        let node: PredicateNode = kind == .and ? .and(parts) : .or(parts)
        return isNegated ? .not(node) : node
    }

    var height: Int { tallest + (isNegated ? 2 : 1) }
}

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
            chain.isNegated.toggle()
            return self
        }
    }
}

/// The parts of one compound in their order.
struct CompoundParts {
    private let kind: PredicateChain.Kind
    private let isFlattening: Bool
    private var single: CompoundPart?
    private var chain: PredicateChain?

    /// - Parameters:
    ///   - kind: The operator that joins the parts.
    ///   - flattening: Whether the parts of a nested compound of the same kind join this one.
    init(_ kind: PredicateChain.Kind, flattening: Bool) {
        self.kind = kind
        isFlattening = flattening
    }

    var isEmpty: Bool { single == nil && chain == nil }

    mutating func append(_ part: CompoundPart) {
        guard !isEmpty else {
            single = part
            return
        }
        if let first = single {
            chain = list(of: first)
            single = nil
        }
        guard let chain else { return }
        if case .chain(let other) = part, canJoin(other) {
            self.chain = PredicateChain.joined(chain, other)
        } else {
            chain.append(part.node, height: part.height)
        }
    }

    /// The compound, or its only part; nil if there are no parts.
    var result: CompoundPart? {
        if let single { return single }
        guard let chain else { return nil }
        return isFlattening ? .chain(chain) : .node(chain.node, height: chain.height)
    }

    private func list(of part: CompoundPart) -> PredicateChain {
        if case .chain(let chain) = part, canJoin(chain) { return chain }
        let chain = PredicateChain(kind)
        chain.append(part.node, height: part.height)
        return chain
    }

    private func canJoin(_ other: PredicateChain) -> Bool {
        isFlattening && other.kind == kind && !other.isNegated
    }
}
