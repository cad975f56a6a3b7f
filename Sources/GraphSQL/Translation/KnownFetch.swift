// A translated fetch that the next one is compared with: most differ from it in their constants only, and a comparison
// costs a fraction of writing down a shape. Made by FetchTranslator, kept by readers.
import GraphEngine
import GraphPredicates

/// The shape of a simple fetch of whole rows, and how its values are made.
package final class KnownFetch {
    /// The text of the statement.
    package var text: String { recipe.text }
    private let predicate: PredicateNode?
    private let sort: [SortTerm]
    private let includesSubentities: Bool
    private let hasLimit: Bool
    private let hasOffset: Bool
    /// The forms of the constants, from left to right.
    private let shapes: [PlainShape]
    private let recipe: TranslationRecipe
    private let index: SchemaIndex

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
            // Values would stay in memory as long as the connection.
            guard let form = Self.form(of: node) else { return nil }
            predicate = form
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
        switch (fetch.predicate, predicate) {
        case (nil, nil): break
        case (let node?, let form?):
            constants.reserveCapacity(shapes.count)
            guard matches(node, form, &constants) else { return nil }
        default: return nil
        }
        return try recipe.bindings.map {
            try $0.value(constants, entity: fetch.layout.name, limit: fetch.limit, offset: fetch.offset, index: index)
        }
    }

    // MARK: Comparing

    private func matches(_ node: PredicateNode, _ form: PredicateNode, _ constants: inout [Constant]) -> Bool {
        switch (node, form) {
        case (.constant(let value), .constant(let other)): return value == other
        case (.comparison(let comparison), .comparison(let other)):
            return comparison.op == other.op && comparison.modifier == other.modifier
                && comparison.options == other.options && comparison.selector == other.selector
                && matches(comparison.left, other.left, &constants)
                && matches(comparison.right, other.right, &constants)
        case (.and(let parts), .and(let others)), (.or(let parts), .or(let others)):
            guard parts.count == others.count else { return false }
            for (part, other) in zip(parts, others) {
                guard matches(part, other, &constants) else { return false }
            }
            return true
        case (.not(let part), .not(let other)): return matches(part, other, &constants)
        default: return false
        }
    }

    private func matches(_ node: ExpressionNode, _ form: ExpressionNode, _ constants: inout [Constant]) -> Bool {
        switch (node, form) {
        case (.constant(let value), .constant):
            // Objects and entities need the store; they are not plain.
            let reader = ConstantReader(
                resolvers: ConstantResolvers(),
                storesNullCharacters: index.schema.dialect.storesNullCharacters
            )
            let constant = reader.read(value)
            guard let shape = constant.plainShape, shape == shapes[constants.count] else { return false }
            constants.append(constant)
            return true
        case (.evaluatedObject, .evaluatedObject): return true
        case (.keyPath(let path), .keyPath(let other)): return path == other
        default: return false
        }
    }

    // MARK: Forms

    /// The predicate without its values; nil if its shape depends on more.
    private static func form(of node: PredicateNode) -> PredicateNode? {
        switch node {
        case .constant: return node
        case .comparison(var comparison):
            // The answer of a comparison of constants, and whether a pattern can be read, depend on the values.
            if case .constant = comparison.left, case .constant = comparison.right { return nil }
            guard comparison.op != .matches, let left = form(of: comparison.left),
                let right = form(of: comparison.right)
            else { return nil }
            (comparison.left, comparison.right) = (left, right)
            return .comparison(comparison)
        case .and(let parts): return forms(of: parts).map { .and($0) }
        case .or(let parts): return forms(of: parts).map { .or($0) }
        case .not(let part): return form(of: part).map { .not($0) }
        case .block: return nil
        }
    }

    private static func forms(of parts: [PredicateNode]) -> [PredicateNode]? {
        var forms: [PredicateNode] = []
        for part in parts {
            guard let form = form(of: part) else { return nil }
            forms.append(form)
        }
        return forms
    }

    private static func form(of node: ExpressionNode) -> ExpressionNode? {
        switch node {
        case .constant: .constant(nil)
        case .evaluatedObject, .keyPath: node
        default: nil
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
