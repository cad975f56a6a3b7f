// Checks whether a fetch fits a model: its names exist, and the values that it compares are comparable. FetchTranslator
// calls it once for each shape, fetches that never reach SQL call it themselves, and the generator calls it for the
// requests in a model. It depends on the model only: no tables, no objects.
import GraphModel
import GraphPredicates

/// Checks fetches against a model.
package struct FetchChecker: Sendable {
    let model: CheckedModel
    /// Whether unbound variables are allowed, as in a request that is still to be bound.
    package var allowsVariables = false

    /// - Parameters:
    ///   - model: The model, as values.
    ///   - isComputed: Whether the class of an entity has a member of this name that key-value coding finds.
    package init(
        model: Model,
        isComputed: @escaping @Sendable (_ entity: String, _ property: String) -> Bool = { _, _ in false }
    ) {
        self.model = CheckedModel(model, isComputed: isComputed)
    }

    /// Checks all parts of a fetch.
    ///
    /// - Throws: `TranslationError`, never of the kind `.needsMemory`.
    package func check(_ plan: FetchPlan) throws {
        var walk = try CheckWalk(self, entity: plan.entity)
        for column in plan.columns { try walk.check(column) }
        if let predicate = plan.predicate { try walk.check(predicate) }
        for column in plan.groupBy { try walk.check(column) }
        walk.names = Set(plan.columns.compactMap { if case .expression(let name, _) = $0 { name } else { nil } })
        for term in plan.sort { try walk.checkSort(term.keyPath) }
        if let having = plan.having { try walk.check(having) }
    }

    /// Checks a predicate.
    ///
    /// - Parameters:
    ///   - predicate: The predicate.
    ///   - entity: The name of the entity whose objects it judges.
    ///   - sources: Entities of the objects that variables will stand for, by variable.
    /// - Throws: `TranslationError`.
    package func check(_ predicate: PredicateNode, entity: String, sources: [String: String] = [:]) throws {
        var walk = try CheckWalk(self, entity: entity)
        for (name, entity) in sources { walk.variables[name] = try walk.object(of: entity) }
        try walk.check(predicate)
    }

    /// Checks a key path to sort by.
    ///
    /// - Throws: `TranslationError`.
    package func checkSort(_ keyPath: [String], entity: String) throws {
        let walk = try CheckWalk(self, entity: entity)
        try walk.checkSort(keyPath)
    }

    /// Checks that a key path names something that an object has, such as the name of its section.
    ///
    /// - Throws: `TranslationError`.
    package func checkPath(_ keyPath: [String], entity: String) throws {
        let walk = try CheckWalk(self, entity: entity)
        _ = try walk.value(of: .keyPath(keyPath))
    }
}
