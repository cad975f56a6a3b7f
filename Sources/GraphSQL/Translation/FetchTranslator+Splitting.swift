// Parts a fetch that tables cannot answer whole: tables answer the parts they can, and objects the rest. Called
// by the store after `translate` has thrown `.needsMemory`, so that it need not read every row.
import GraphEngine
import GraphPredicates

/// A fetch in two steps: rows by SQL, then objects by the evaluator.
package struct SplitFetch {
    /// The part answered by the database, without limit and offset, which apply after the second step.
    package var plan: FetchPlan
    /// The additional condition on the objects; nil for none.
    package var remainder: PredicateNode?
    /// Whether the objects come in the order that was asked for.
    package var isSorted: Bool
}

extension FetchTranslator {
    /// Leaves to the database every part of a top-level AND that it can answer, and the order if it can make it.
    ///
    /// - Parameters:
    ///   - plan: A fetch for which `translate` has thrown.
    ///   - resolvers: The store's knowledge about constants that are objects or entities.
    /// - Returns: The two steps.
    /// - Throws: `TranslationError` of another kind than `.needsMemory`.
    package func split(
        _ plan: FetchPlan,
        constants resolvers: ConstantResolvers = ConstantResolvers()
    ) throws -> SplitFetch {
        var admitted: [PredicateNode] = []
        var rest: [PredicateNode] = []
        for part in plan.predicate.map({ conjuncts($0) }) ?? [] {
            if try isTranslatable(FetchPlan(entity: plan.entity, predicate: part), resolvers) {
                admitted.append(part)
            } else {
                rest.append(part)
            }
        }
        var result = plan
        result.predicate = admitted.isEmpty ? nil : .and(admitted)
        result.limit = 0
        result.offset = 0
        let isSorted = try isTranslatable(FetchPlan(entity: plan.entity, sort: plan.sort), resolvers)
        if !isSorted { result.sort = [] }
        return SplitFetch(plan: result, remainder: rest.isEmpty ? nil : .and(rest), isSorted: isSorted)
    }

    private func conjuncts(_ node: PredicateNode) -> [PredicateNode] {
        if case .and(let parts) = node { parts.flatMap { conjuncts($0) } } else { [node] }
    }

    private func isTranslatable(_ plan: FetchPlan, _ resolvers: ConstantResolvers) throws -> Bool {
        do {
            _ = try translate(plan, constants: resolvers)
            return true
        } catch let error as TranslationError where error.kind == .needsMemory {
            return false
        }
    }
}
