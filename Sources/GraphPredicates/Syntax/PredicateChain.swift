// A compound that can still grow, as a part of CompoundParts. Changed in place, so that joining chains copies few parts.

/// An AND or OR that is being built; parts are added at either end in O(1).
final class PredicateChain {
    enum Kind { case and, or }

    let kind: Kind
    private(set) var isNegated = false
    /// The parts before those of `back`, the last one first.
    private var front: [PredicateNode] = []
    private var back: [PredicateNode] = []
    /// The height of the highest part.
    private(set) var tallest = 0

    init(_ kind: Kind) { self.kind = kind }

    func negate() { isNegated.toggle() }

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
