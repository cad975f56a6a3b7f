// The parts of a compound that is being built. Used by the parser and for Foundation's compounds.

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
