// The state of all predicate objects of this module: the tree, and the evaluator once it is needed. Immutable except
// for that cache, so several threads may use one predicate.

import Foundation
import Synchronization

/// A tree and its evaluator.
final class PreparedPredicate: @unchecked Sendable {
    // The tree may hold any objects; it is immutable, and callers are responsible for reading them safely.
    let node: PredicateNode
    /// Created on the first evaluation; retained.
    private let evaluator = Atomic<Unmanaged<Evaluator>?>(nil)
    /// Set if the predicate was decoded securely and evaluation has not been allowed.
    private let isForbidden = Atomic<Bool>(false)

    /// The number of nodes, if the predicate was decoded; set before anyone else has the predicate.
    var archivedWeight = 1

    /// Whether the predicate equals only itself: set for parts of a predicate that is being archived, since the
    /// archiver writes equal objects once, and a compound of one part equals that part.
    let isUnique: Bool

    init(_ node: PredicateNode, isUnique: Bool = false) {
        FoundationPredicates.install()
        self.node = node
        self.isUnique = isUnique
    }

    /// A hash value that equal predicates share.
    var hash: Int { isUnique ? ObjectIdentifier(self).hashValue : node.hashValue }

    deinit { evaluator.load(ordering: .acquiring)?.release() }

    /// Whether the predicate is true for an object; false also if it cannot be evaluated.
    func evaluate(_ object: Any?, _ variables: [String: Any]?) -> Bool {
        guard let evaluator = evaluator.load(ordering: .acquiring) ?? makeEvaluator() else { return false }
        do {
            return try evaluator._withUnsafeGuaranteedRef { evaluator in
                try evaluator.quickAnswer(object) ?? evaluator.evaluate(object, variables: variables ?? [:])
            }
        } catch {
            // Apple's class raises an exception here, which Swift code on other platforms could not catch.
            return false
        }
    }

    /// Makes the predicate false for every object until evaluation is allowed.
    ///
    /// Called before the first evaluation.
    func forbidEvaluation() { isForbidden.store(true, ordering: .relaxed) }

    func allowEvaluation() { isForbidden.store(false, ordering: .relaxed) }

    /// Creates the evaluator, unless another thread has created it; nil if evaluation is forbidden.
    @inline(never)
    private func makeEvaluator() -> Unmanaged<Evaluator>? {
        guard !isForbidden.load(ordering: .relaxed) else {
            EvaluationLog.report(
                "A predicate that was decoded securely holds for nothing until allowEvaluation() is called. Look at it "
                    + "first."
            )
            return nil
        }
        let newEvaluator = Unmanaged.passRetained(Evaluator(node))
        let (isKept, former) = evaluator.compareExchange(
            expected: nil,
            desired: newEvaluator,
            ordering: .acquiringAndReleasing
        )
        guard !isKept, let former else { return newEvaluator }
        newEvaluator.release()
        return former
    }
}
