// The part of a predicate by which a context looks up the controllers that a change affects: `list == …`, `done == 0`.
// Created by ResultsConfiguration, used by ResultsRouter.
import Foundation
import GraphPredicates

/// A condition `key == value` that every object of the results satisfies.
struct IndexedCondition {
    let key: String
    let value: IndexedValue

    /// Selects the best such condition of a predicate: one on a to-one relationship, else the first on an attribute.
    init?(_ node: PredicateNode, layout: ObjectLayout, context: NSManagedObjectContext) {
        let all = Self.conditions(node, layout, context)
        guard let best = all.first(where: { if case .object = $0.value { true } else { false } }) ?? all.first else {
            return nil
        }
        self = best
    }

    private init(key: String, value: IndexedValue) {
        self.key = key
        self.value = value
    }

    private static func conditions(
        _ node: PredicateNode,
        _ layout: ObjectLayout,
        _ context: NSManagedObjectContext
    ) -> [IndexedCondition] {
        switch node {
        case .and(let parts): return parts.flatMap { conditions($0, layout, context) }
        case .comparison(let comparison):
            guard comparison.op == .equal, comparison.modifier == .direct, comparison.options.isEmpty else { return [] }
            switch (comparison.left, comparison.right) {
            case (.keyPath(let keys), .constant(let value)), (.constant(let value), .keyPath(let keys)):
                return [condition(keys, value, layout, context)].compactMap { $0 }
            default: return []
            }
        default: return []
        }
    }

    private static func condition(
        _ keys: [String],
        _ constant: Any?,
        _ layout: ObjectLayout,
        _ context: NSManagedObjectContext
    ) -> IndexedCondition? {
        guard keys.count == 1, let slot = layout.slot(named: keys[0]).map({ layout.slots[$0] }), slot.isStored,
            slot.derivation == nil, let value = IndexedValue(constant)
        else { return nil }
        let fits: Bool
        switch (slot.kind, value) {
        case (.attribute, .null), (.toOne, .null): fits = true
        case (.attribute, .integer): fits = [.integer16, .integer32, .integer64, .boolean].contains(slot.type)
        case (.attribute, .text): fits = slot.type == .string
        case (.attribute, .uuid): fits = slot.type == .uuid
        // A context has one object for each row, so identity suffices.
        case (.toOne, .object): fits = (constant as? NSManagedObject)?.managedObjectContext === context
        default: fits = false
        }
        return fits ? IndexedCondition(key: keys[0], value: value) : nil
    }
}
