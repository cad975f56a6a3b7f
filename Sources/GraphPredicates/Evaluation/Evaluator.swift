// Predicates and expressions prepared for objects in memory: a tree is compiled once into closures, which then evaluate
// any number of objects. Used by the predicate objects, in-memory stores and pending changes. GraphSQL translates the
// same tree to SQL.

import Foundation
import Synchronization

/// A predicate prepared for evaluation on any thread.
///
/// The first evaluation compiles it: for objects with slots to a plan for their class, otherwise to a general test.
package final class Evaluator: @unchecked Sendable {
    // Unchecked: a tree may hold any objects; it is immutable, and callers are responsible for reading them safely.
    package let node: PredicateNode
    private let general = AtomicLazyReference<GeneralTest>()
    /// The latest plan, which links to the earlier ones; retained.
    private let plans = Atomic<Unmanaged<SlotPlan>?>(nil)

    private final class GeneralTest: @unchecked Sendable {
        let test: PredicateCompiler.Test
        init(_ node: PredicateNode) { test = PredicateCompiler(sample: nil).test(node) }
    }

    /// Prepares a predicate.
    package init(_ node: PredicateNode) { self.node = node }

    deinit { plans.load(ordering: .acquiring)?.release() }

    /// Whether the predicate holds for an object.
    ///
    /// - Parameters:
    ///   - object: A `KeyValueReadable`, a dictionary, a collection or a plain value; `SELF` in the predicate.
    ///   - variables: The values of `$` variables; NSNull stands for nil.
    /// - Returns: The truth value.
    /// - Throws: `EvaluationError`.
    package func evaluate(_ object: Any?, variables: [String: Any] = [:]) throws -> Bool {
        if let answer = try quickAnswer(object) { return answer }
        return try evaluateByList(object, variables)
    }

    /// The answer of the latest plan; nil if that plan is for other objects.
    @inline(__always)
    func quickAnswer(_ object: Any?) throws -> Bool? {
        guard let plans = plans.load(ordering: .acquiring) else { return nil }
        return try withUnsafePointer(to: object) { pointer in
            try plans._withUnsafeGuaranteedRef { try $0.quickAnswer(pointer) }
        }
    }

    @inline(never)
    private func evaluateByList(_ object: Any?, _ variables: [String: Any]) throws -> Bool {
        guard let object else { return try evaluateInGeneral(nil, variables) }
        if let plans = plans.load(ordering: .acquiring) {
            switch try plans._withUnsafeGuaranteedRef({ try $0.answer(object, variables) }) {
            case .judged(let answer): return answer
            case .general: return try evaluateInGeneral(object, variables)
            case .unknown: break
            }
        }
        if addPlan(for: object) { return try evaluateByList(object, variables) }
        return try evaluateInGeneral(object, variables)
    }

    /// Adds a plan for objects of the class of `object`; returns false if no plan can be made or there are enough.
    private func addPlan(for object: Any) -> Bool {
        var former = plans.load(ordering: .acquiring)
        while let plan = SlotPlan(node, for: object, before: former?.takeUnretainedValue()) {
            let newPlan = Unmanaged.passRetained(plan)
            let (isAdded, current) = plans.compareExchange(
                expected: former,
                desired: newPlan,
                ordering: .acquiringAndReleasing
            )
            if isAdded {
                // The new plan retains the previous one.
                former?.release()
                return true
            }
            newPlan.release()
            former = current
        }
        return false
    }

    private func evaluateInGeneral(_ object: Any?, _ variables: [String: Any]) throws -> Bool {
        let prepared = general.load() ?? general.storeIfNil(GeneralTest(node))
        var scope = EvaluationScope(object, variables: variables)
        return try prepared.test(&scope)
    }
}
