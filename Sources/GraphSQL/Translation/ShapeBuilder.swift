// First step of a translation: computes the parts that do not depend on the row, puts holes in the place of constants
// and writes the shape down as the cache's key. All later steps receive holes only. A fetch whose shape is known
// needs the key and the constants only.
import GraphEngine
import GraphPredicates

/// Splits a plan into its shape and its constants.
struct ShapeBuilder {
    private(set) var key = ShapeKey()
    private(set) var constants: [Constant] = []
    /// Whether the plan with holes is wanted, and not its key alone.
    private let makesHoles: Bool
    private let reader: ConstantReader
    private let index: SchemaIndex
    private let entity: String

    init(resolvers: ConstantResolvers, index: SchemaIndex, entity: String, makesHoles: Bool) {
        self.makesHoles = makesHoles
        reader = ConstantReader(
            resolvers: resolvers,
            storesNullCharacters: index.schema.dialect.storesNullCharacters
        )
        self.index = index
        self.entity = entity
    }

    /// The parts of a plan that have holes for constants.
    private struct Parts {
        let columns: [PlanColumn]
        let predicate: PredicateNode?
        let groupBy: [PlanColumn]
        let having: PredicateNode?
    }

    /// Makes `key` and `constants` those of a plan.
    mutating func read(_ plan: FetchPlan) throws { _ = try parts(plan) }

    /// The plan with holes for constants; `key` and `constants` are complete afterwards.
    mutating func plan(_ plan: FetchPlan) throws -> FetchPlan {
        let parts = try parts(plan)
        var shape = plan
        (shape.columns, shape.predicate) = (parts.columns, parts.predicate)
        (shape.groupBy, shape.having) = (parts.groupBy, parts.having)
        return shape
    }

    private mutating func parts(_ plan: FetchPlan) throws -> Parts {
        write(plan.entity)
        key.append(
            plan.includesSubentities,
            plan.form == .count,
            plan.isDistinct,
            plan.limit > 0,
            plan.offset > 0,
            plan.isWholeRow
        )
        let columns = plan.isWholeRow ? plan.columns : try self.columns(plan.columns)
        let condition = try plan.predicate.map { try predicate($0) }
        key += ";"
        for term in plan.sort {
            write(term.keyPath)
            key += term.ascending ? "+" : "-"
            if let selector = term.selector { write(selector) }
        }
        key += ";"
        let groups = try self.columns(plan.groupBy)
        let having = try plan.having.map { try predicate($0) }
        return Parts(columns: columns, predicate: condition, groupBy: groups, having: having)
    }

    private mutating func columns(_ columns: [PlanColumn]) throws -> [PlanColumn] {
        guard !columns.isEmpty else {
            key += ";"
            return columns
        }
        let result = try columns.map { column in
            switch column {
            case .entityNumber: key += "E"
            case .primaryKey: key += "P"
            case .version: key += "O"
            case .stored(let name), .large(let name):
                if case .large = column { key += "L" } else { key += "S" }
                write(name)
            case .absent: key += "N"
            case .keyPath(let path):
                key += "K"
                write(path)
            case .expression(let name, let node):
                key += "X"
                write(name)
                return PlanColumn.expression(name: name, try expression(node))
            }
            return column
        }
        key += ";"
        return result
    }

    private mutating func predicate(_ node: PredicateNode) throws -> PredicateNode {
        if let answer = try ConstantFolding.answer(of: node, entity: entity) {
            key += answer ? "T" : "F"
            return .constant(answer)
        }
        switch node {
        case .constant(let value):
            key += value ? "T" : "F"
            return node
        case .comparison(var comparison):
            key += "("
            key.append(comparison.op.rawValue)
            key.append(comparison.modifier.rawValue)
            key.append(comparison.options.rawValue)
            if let selector = comparison.selector { write(selector) }
            if comparison.op == .matches { try checkPattern(comparison) }
            let left = try expression(comparison.left)
            let right = try expression(comparison.right)
            key += ")"
            guard makesHoles else { return node }
            (comparison.left, comparison.right) = (left, right)
            return .comparison(comparison)
        case .and(let parts):
            return .and(try predicates(parts, "&"))
        case .or(let parts):
            return .or(try predicates(parts, "|"))
        case .not(let part):
            key += "!"
            return .not(try predicate(part))
        case .block:
            key += "B"
            return node
        }
    }

    /// A regular expression with a mistake in it is refused here, and not in the middle of a result.
    private func checkPattern(_ comparison: ComparisonNode) throws {
        guard case .constant(let value) = comparison.right, let pattern = EvaluatedValue(value).text else { return }
        do {
            _ = try RegularExpressions.compiled(pattern, options: comparison.options)
        } catch {
            throw TranslationError(
                kind: .unsupported,
                entity: entity,
                expression: ConstantFolding.text(of: .comparison(comparison)),
                reason: "\(error)"
            )
        }
    }

    private mutating func predicates(_ parts: [PredicateNode], _ sign: StaticString) throws -> [PredicateNode] {
        key += sign
        key += "("
        defer { key += ")" }
        return try parts.map { try predicate($0) }
    }

    private mutating func expression(_ node: ExpressionNode) throws -> ExpressionNode {
        if let constant = try ConstantFolding.constant(of: node, entity: entity) { return hole(constant.value) }
        switch node {
        case .constant(let value): return hole(value)
        case .evaluatedObject:
            key += "@"
            return node
        case .variable(let name):
            key += "$"
            write(name)
            return node
        case .keyPath(let path):
            key += "k"
            write(path)
            return node
        case .keyPathOf(let base, let path):
            key += "p"
            write(path)
            return .keyPathOf(try expression(base), path)
        case .function(let name, let target, let arguments):
            key += "f"
            write(name)
            if name == FunctionName.cast.rawValue, arguments.count == 2,
                case .constant(let type as String) = arguments[1]
            {
                // The cast decides the kind of the result, so it is part of the shape.
                write(type)
                return .function(name: name, target: nil, arguments: [try expression(arguments[0]), arguments[1]])
            }
            let target = try target.map { try expression($0) }
            return .function(name: name, target: target, arguments: try expressions(arguments))
        case .aggregate(let elements):
            key += "a"
            return .aggregate(try expressions(elements))
        case .subquery(let collection, let variable, let condition):
            key += "q"
            write(variable)
            let collection = try expression(collection)
            return .subquery(collection: collection, variable: variable, predicate: try predicate(condition))
        case .union(let left, let right):
            key += "u"
            return .union(try expression(left), try expression(right))
        case .intersect(let left, let right):
            key += "n"
            return .intersect(try expression(left), try expression(right))
        case .minus(let left, let right):
            key += "m"
            return .minus(try expression(left), try expression(right))
        case .conditional(let condition, let left, let right):
            key += "t"
            let condition = try predicate(condition)
            return .conditional(condition, try expression(left), try expression(right))
        case .assignment(let name, let value):
            key += "="
            write(name)
            return .assignment(name, try expression(value))
        case .symbolicIndex(let symbol):
            key += "i"
            write(symbol.rawValue)
            return node
        case .anyKey, .block, .fetch:
            // None of them becomes SQL: the translator throws, and nothing is kept under this key.
            key += "Z"
            return node
        }
    }

    private mutating func expressions(_ nodes: [ExpressionNode]) throws -> [ExpressionNode] {
        key += "("
        defer { key += ")" }
        return try nodes.map { try expression($0) }
    }

    private mutating func hole(_ value: Any?) -> ExpressionNode {
        let constant = reader.read(value)
        let shape = shape(of: constant)
        key += "?"
        write(shape.tag)
        constants.append(constant)
        guard makesHoles else { return .evaluatedObject }
        return .constant(Hole(index: constants.count - 1, shape: shape, original: value))
    }

    private func shape(of constant: Constant) -> ConstantShape {
        if let plain = constant.plainShape { return .plain(plain) }
        switch constant {
        case .object(let reference): return .object(table: index.table(ofEntity: reference.entityNumber))
        case .entity: return .entity
        case .other(let type): return .other(type)
        case .list(let list): return shape(of: list)
        case .unstored(let value): return .unstored(value)
        default: return .null
        }
    }

    private func shape(of list: ConstantList) -> ConstantShape {
        var shapes: Set<ConstantShape> = []
        var last: ConstantShape?
        // Most lists have elements of one form: hash it once.
        for element in list.elements {
            let next = shape(of: element)
            if next == last { continue }
            shapes.insert(next)
            last = next
        }
        return .list(shapes, places: ListPlaces(count: list.elements.count), hasNull: list.hasNull)
    }

    private mutating func write(_ name: String) { key.append(name) }

    private mutating func write(_ path: [String]) {
        key.append(UInt(path.count))
        for name in path { write(name) }
    }
}
