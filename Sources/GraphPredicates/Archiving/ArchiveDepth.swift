// Limits how deep an archive may nest, and how large the tree in it may be: an archive may refer to itself, and a part that
// it has once can be in many places of the tree, so that few bytes describe a tree that no memory can hold. Called
// whenever an archived predicate or expression is read.

import Foundation

enum ArchiveDepth {
    /// Enough for every nesting that the parser accepts.
    private static let depthLimit = 1_100
    /// The nodes of a tree beyond those that the archive has once.
    private static let weightLimit = 50_000
    private static let key = "GraphPredicates.ArchiveDepth"

    /// The parts that are being read on this thread.
    private final class State {
        var depth = 0
        /// The parts that were read, each once.
        var count = 0
        /// The nodes that were read so far for the part at the present depth.
        var weight = 0
    }

    private static var state: State? { Thread.current.threadDictionary[key] as? State }

    /// Runs one level of reading, or fails if the archive nests too deep, or if the tree is too large.
    ///
    /// - Returns: The result and the number of its nodes, which parts of other trees count again.
    static func level<Result>(of coder: NSCoder, _ read: () -> Result?) -> (result: Result, weight: Int)? {
        let state: State
        if let existing = Self.state {
            state = existing
        } else {
            state = State()
            Thread.current.threadDictionary[key] = state
        }
        guard state.depth < depthLimit else { return fail(coder, "The archive nests too deep.") }
        let outer = state.weight
        state.depth += 1
        state.count += 1
        state.weight = 1
        defer {
            state.depth -= 1
            state.weight = outer
            if state.depth == 0 { Thread.current.threadDictionary.removeObject(forKey: key) }
        }
        guard let result = read() else { return nil }
        guard state.weight <= weightLimit + 16 * state.count else {
            return fail(coder, "The tree in the archive is too large.")
        }
        return (result, state.weight)
    }

    private static func fail<Result>(_ coder: NSCoder, _ reason: String) -> Result? {
        coder.failWithError(CocoaError(.coderReadCorrupt, userInfo: [NSDebugDescriptionErrorKey: reason]))
        return nil
    }

    /// Counts the nodes of a part that was read before.
    static func add(_ weight: Int) {
        guard let state else { return }
        // Each part is below the limit, and so their sum is far from an overflow.
        state.weight += weight
    }
}

extension NSCoder {
    /// The string for a key.
    func text(_ key: String) -> String? {
        (decodeObject(of: [NSString.self], forKey: key) as? NSString).map { String(describing: $0) }
    }

    func expression(_ key: String) -> ExpressionNode? {
        (decodeObject(of: [NSExpression.self], forKey: key) as? NSExpression)?.countedNode
    }

    func expressions(_ key: String) -> [ExpressionNode]? {
        (decodeObject(of: [NSArray.self, NSExpression.self], forKey: key) as? NSArray).flatMap { list in
            let nodes = list.compactMap { ($0 as? NSExpression)?.countedNode }
            return nodes.count == list.count ? nodes : nil
        }
    }

    func predicate(_ key: String) -> PredicateNode? {
        (decodeObject(of: [NSPredicate.self], forKey: key) as? NSPredicate)?.countedNode
    }
}

extension NSExpression {
    /// The tree, counted as a part of the one that is being read.
    fileprivate var countedNode: ExpressionNode {
        ArchiveDepth.add(archivedWeight)
        return node
    }
}

extension NSPredicate {
    /// The tree, counted as a part of the one that is being read.
    var countedNode: PredicateNode {
        ArchiveDepth.add((self as? any PredicateCarrying)?.prepared.archivedWeight ?? 1)
        return node
    }
}
