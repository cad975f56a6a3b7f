// What all predicate objects made here hold: the tree, and the evaluator once it was needed. Immutable but for that
// cache, so one predicate may be used from several threads.

import Foundation
import Synchronization

/// A tree and its evaluator.
final class PreparedPredicate: @unchecked Sendable {
    // The tree may hold any objects; it is never changed, and reading them is up to the owner of the objects.
    let node: PredicateNode
    /// Made when the predicate is first evaluated; owned.
    private let evaluator = Atomic<Unmanaged<Evaluator>?>(nil)
    /// Set where the predicate was decoded securely and nobody has looked at it yet.
    private let isForbidden = Atomic<Bool>(false)

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

    deinit { evaluator.load(ordering: .acquiring)?.release() }

    /// Whether the predicate holds; false also when it cannot be evaluated on the object.
    func evaluate(_ object: Any?, _ variables: [String: Any]?) -> Bool {
        guard !isForbidden.load(ordering: .relaxed) else {
            EvaluationLog.report(
                "A predicate that was decoded securely holds for nothing until allowEvaluation() is called. Look at it first."
            )
            return false
        }
        let evaluator = evaluator.load(ordering: .acquiring) ?? makeEvaluator()
        do {
            return try evaluator._withUnsafeGuaranteedRef { evaluator in
                try evaluator.quickAnswer(object) ?? evaluator.evaluate(object, variables: variables ?? [:])
            }
        } catch {
            // Apple's raises an exception here, which no caller off Apple could catch.
            return false
        }
    }

    /// Makes the predicate hold for nothing until evaluation is allowed.
    func forbidEvaluation() { isForbidden.store(true, ordering: .relaxed) }

    func allowEvaluation() { isForbidden.store(false, ordering: .relaxed) }

    /// Makes the evaluator, unless another thread was first.
    @inline(never)
    private func makeEvaluator() -> Unmanaged<Evaluator> {
        let made = Unmanaged.passRetained(Evaluator(node))
        let (isKept, former) = evaluator.compareExchange(expected: nil, desired: made, ordering: .acquiringAndReleasing)
        guard !isKept, let former else { return made }
        made.release()
        return former
    }
}

/// A predicate object that holds a tree.
protocol PredicateCarrying: NSPredicate {
    var prepared: PreparedPredicate { get }
}
