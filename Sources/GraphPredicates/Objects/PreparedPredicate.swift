// What all predicate objects made here hold: the tree, and the evaluator once it was needed. Immutable but for that
// cache, so one predicate may be used from several threads.

import Foundation

/// A tree and its evaluator.
final class PreparedPredicate: @unchecked Sendable {
    // The tree may hold any objects; it is never changed, and reading them is up to the owner of the objects.
    let node: PredicateNode
    private var evaluator: Evaluator?
    // Set where the predicate was decoded securely and nobody has looked at it yet.
    private var isForbidden = false
    // Guards both.
    private let lock = NSLock()

    /// Whether the predicate equals itself only: a part of one that is being archived, since the archiver writes equal
    /// objects once, and a compound of one part equals that part.
    let isUnique: Bool

    init(_ node: PredicateNode, isUnique: Bool = false) {
        FoundationPredicates.install()
        self.node = node
        self.isUnique = isUnique
    }

    /// A number that equal predicates share.
    var hash: Int { isUnique ? ObjectIdentifier(self).hashValue : node.hashValue }

    /// Whether the predicate holds; false also when it cannot be evaluated on the object.
    func evaluate(_ object: Any?, _ variables: [String: Any]?) -> Bool {
        guard let evaluator = preparedEvaluator() else { return false }
        return (try? evaluator.evaluate(object, variables: variables ?? [:])) ?? false
    }

    /// Makes the predicate hold for nothing until evaluation is allowed.
    func forbidEvaluation() { lock.withLock { isForbidden = true } }

    func allowEvaluation() { lock.withLock { isForbidden = false } }

    private func preparedEvaluator() -> Evaluator? {
        lock.lock()
        defer { lock.unlock() }
        guard !isForbidden else {
            EvaluationLog.report(
                "A predicate that was decoded securely holds for nothing until allowEvaluation() is called. Look at it first."
            )
            return nil
        }
        if let evaluator { return evaluator }
        let made = Evaluator(node)
        evaluator = made
        return made
    }
}

/// A predicate object that holds a tree.
protocol PredicateCarrying: NSPredicate {
    var prepared: PreparedPredicate { get }
}
