// A translated fetch that the next one is compared with: most differ from it in their constants only, and a comparison
// costs a fraction of writing down a shape. Made by FetchTranslator, kept by readers.
import GraphEngine
import GraphPredicates

/// The shape of a simple fetch of whole rows, and how its values are made.
package final class KnownFetch {
    /// The text of the statement.
    package var text: String { recipe.text }
    /// The predicate without its values, which would stay in memory as long as the connection; nil if there is none.
    private let predicate: [PredicateStep]?
    private let sort: [SortTerm]
    private let includesSubentities: Bool
    private let hasLimit: Bool
    private let hasOffset: Bool
    /// The forms of the constants, from left to right.
    private let shapes: [PlainShape]
    private let recipe: TranslationRecipe
    private let index: SchemaIndex
    /// Empty; the memory for the constants of the fetch that is compared.
    @exclusivity(unchecked) private var scratch: [Constant] = []

    /// Nil if a part of the predicate takes more than a comparison of its form to recognize, or is not a plain value.
    init?(_ plan: FetchPlan, _ constants: [Constant], _ recipe: TranslationRecipe, _ index: SchemaIndex) {
        guard plan.form == .rows, plan.isWholeRow, !plan.isDistinct, plan.groupBy.isEmpty, plan.having == nil else {
            return nil
        }
        var shapes: [PlainShape] = []
        for constant in constants {
            guard let shape = constant.plainShape else { return nil }
            shapes.append(shape)
        }
        if let node = plan.predicate {
            guard let steps = PredicateStep.steps(of: node) else { return nil }
            predicate = steps
        } else {
            predicate = nil
        }
        self.shapes = shapes
        self.recipe = recipe
        self.index = index
        sort = plan.sort
        includesSubentities = plan.includesSubentities
        hasLimit = plan.limit > 0
        hasOffset = plan.offset > 0
    }

    /// The values for the marks of the text; nil if the fetch may have another text.
    package func values(for fetch: StoreFetch) throws -> [SQLValue]? {
        guard fetch.includesSubentities == includesSubentities, (fetch.limit > 0) == hasLimit,
            (fetch.offset > 0) == hasOffset, fetch.sort == sort
        else { return nil }
        var constants: [Constant] = []
        if let node = fetch.predicate {
            guard let predicate else { return nil }
            // Not used in place: a collection of the program's own class may fetch when it is read.
            swap(&constants, &scratch)
            var position = 0
            guard matches(node, predicate, &position, &constants) else { return nil }
        } else if predicate != nil {
            return nil
        }
        let values = try recipe.bindings.map {
            try $0.value(constants, entity: fetch.layout.name, limit: fetch.limit, offset: fetch.offset, index: index)
        }
        constants.removeAll(keepingCapacity: true)
        scratch = constants
        return values
    }

    // MARK: Comparing

    /// Whether a predicate has the steps from a position on; moves the position past them and collects the constants.
    private func matches(
        _ node: PredicateNode,
        _ steps: [PredicateStep],
        _ position: inout Int,
        _ constants: inout [Constant]
    ) -> Bool {
        guard position < steps.count else { return false }
        let step = position
        position += 1
        switch node {
        case .constant(let value):
            guard case .truth(value) = steps[step] else { return false }
            return true
        case .comparison(let comparison):
            guard case .comparison(comparison.op, comparison.modifier, comparison.options) = steps[step],
                comparison.selector == nil
            else { return false }
            return matches(comparison.left, steps, &position, &constants)
                && matches(comparison.right, steps, &position, &constants)
        case .and(let parts):
            guard case .and(parts.count) = steps[step] else { return false }
            return parts.allSatisfy { matches($0, steps, &position, &constants) }
        case .or(let parts):
            guard case .or(parts.count) = steps[step] else { return false }
            return parts.allSatisfy { matches($0, steps, &position, &constants) }
        case .not(let part):
            guard case .not = steps[step] else { return false }
            return matches(part, steps, &position, &constants)
        case .block: return false
        }
    }

    private func matches(
        _ node: ExpressionNode,
        _ steps: [PredicateStep],
        _ position: inout Int,
        _ constants: inout [Constant]
    ) -> Bool {
        guard position < steps.count else { return false }
        defer { position += 1 }
        switch node {
        case .constant(let value):
            guard case .constant = steps[position] else { return false }
            // Objects and entities need the store; they are not plain.
            let reader = ConstantReader(
                resolvers: ConstantResolvers(),
                storesNullCharacters: index.schema.dialect.storesNullCharacters
            )
            let constant = reader.read(value)
            guard let shape = constant.plainShape, shape == shapes[constants.count] else { return false }
            constants.append(constant)
            return true
        case .evaluatedObject:
            guard case .evaluatedObject = steps[position] else { return false }
            return true
        case .keyPath(let path):
            guard case .keyPath(path) = steps[position] else { return false }
            return true
        default: return false
        }
    }
}

extension Constant {
    /// The form of a value of an attribute; nil for everything else.
    var plainShape: PlainShape? {
        switch self {
        case .boolean: .boolean
        case .integer: .integer
        case .real: .real
        case .decimal: .decimal
        case .date: .date
        case .text: .text
        case .url: .url
        case .uuid: .uuid
        case .data: .data
        case .null, .object, .entity, .list, .other, .unstored: nil
        }
    }
}
