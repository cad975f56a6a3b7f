// The functions over the rows of a dictionary fetch, as opposed to those over a collection that each row has: a to-many
// relationship, a subquery or a list. Called by DictionaryPlan and DictionaryFetch.
import GraphEngine
import GraphPredicates
import GraphSQL

extension ExpressionNode {
    /// Whether the expression is a function over the rows of a group.
    func isAggregate(in layout: ObjectLayout) -> Bool {
        aggregated.map { !$0.isCollection(in: layout) } ?? false
    }

    /// Whether the expression contains a function over rows.
    func hasAggregate(in layout: ObjectLayout) -> Bool {
        if isAggregate(in: layout) { return true }
        guard case .function(_, _, let arguments) = self else { return false }
        return arguments.contains { $0.hasAggregate(in: layout) }
    }

    /// The key paths that the expression reads from a row outside functions over rows.
    func pathsOutsideAggregates(in layout: ObjectLayout) -> [[String]] {
        switch self {
        case .keyPath(let path): [path]
        case .function(_, _, let arguments):
            isAggregate(in: layout) ? [] : arguments.flatMap { $0.pathsOutsideAggregates(in: layout) }
        case .aggregate(let members): members.flatMap { $0.pathsOutsideAggregates(in: layout) }
        case .subquery(let collection, _, _): collection.pathsOutsideAggregates(in: layout)
        default: []
        }
    }

    /// The expression with functions in place of the operators that begin a key path: `@sum.price` is the sum over the rows.
    var withFunctionsOverRows: ExpressionNode {
        switch self {
        case .keyPath(let path):
            guard let name = path.first, let function = Self.functionsOverRows[name] else { return self }
            let rest = Array(path.dropFirst())
            return .function(name: function, target: nil, arguments: [rest.isEmpty ? .evaluatedObject : .path(rest)])
        case .function(let name, let target, let arguments):
            return .function(name: name, target: target, arguments: arguments.map(\.withFunctionsOverRows))
        default: return self
        }
    }

    private static let functionsOverRows = [
        "@count": "count:", "@sum": "sum:", "@min": "min:", "@max": "max:", "@avg": "average:",
    ]

    /// The expression for a group of rows: counts, sums and extremes of related objects apply to those of all rows.
    func overTheGroup(in layout: ObjectLayout) -> ExpressionNode {
        switch self {
        case .keyPath(let path):
            guard let name = path.first(where: { $0.hasPrefix("@") }), let function = Self.combining[name] else {
                return self
            }
            return .function(name: function, target: nil, arguments: [self])
        case .function(let name, nil, let arguments):
            if isAggregate(in: layout) { return self }
            if let aggregated, !aggregated.isList,
                let function = FunctionName.named(name, argumentCount: 1).flatMap({ Self.combining[$0.rawValue] })
            {
                return .function(name: function, target: nil, arguments: [self])
            }
            return .function(name: name, target: nil, arguments: arguments.map { $0.overTheGroup(in: layout) })
        default: return self
        }
    }

    /// The functions that combine the values of all rows, by the function or operator that computes that of one row.
    private static let combining = [
        "@count": "sum:", "@sum": "sum:", "@min": "min:", "@max": "max:",
        "count:": "sum:", "sum:": "sum:", "min:": "min:", "max:": "max:",
    ]

    /// The argument of an aggregate function; nil for another expression.
    private var aggregated: ExpressionNode? {
        guard case .function(let name, nil, let arguments) = self, arguments.count == 1,
            FunctionName.named(name, argumentCount: 1)?.isAggregate == true
        else { return nil }
        return arguments[0]
    }

    private var isList: Bool { if case .aggregate = self { true } else { false } }

    /// Whether each row has several values of the expression.
    private func isCollection(in layout: ObjectLayout) -> Bool {
        switch self {
        case .aggregate, .subquery, .union, .intersect, .minus: true
        case .keyPath(let path), .keyPathOf(.evaluatedObject, let path): layout.leadsToMany(path)
        case .keyPathOf(let base, let path): base.isCollection(in: layout) && !path.contains { $0.hasPrefix("@") }
        default: false
        }
    }
}

extension PredicateNode {
    /// The condition with functions in place of the operators that begin a key path.
    var withFunctionsOverRows: PredicateNode {
        mapSides { $0.withFunctionsOverRows }
    }

    /// The condition on a group of rows.
    func overTheGroup(in layout: ObjectLayout) -> PredicateNode {
        mapSides { $0.overTheGroup(in: layout) }
    }

    /// The condition with other expressions on both sides of its comparisons.
    private func mapSides(_ transform: (ExpressionNode) -> ExpressionNode) -> PredicateNode {
        switch self {
        case .comparison(var comparison):
            comparison.left = transform(comparison.left)
            comparison.right = transform(comparison.right)
            return .comparison(comparison)
        case .and(let parts): return .and(parts.map { $0.mapSides(transform) })
        case .or(let parts): return .or(parts.map { $0.mapSides(transform) })
        case .not(let part): return .not(part.mapSides(transform))
        case .constant, .block: return self
        }
    }
}

extension PlanColumn {
    func hasAggregate(in layout: ObjectLayout) -> Bool {
        if case .expression(_, let node) = self { node.hasAggregate(in: layout) } else { false }
    }

    /// The key paths that the column reads from one row.
    func paths(in layout: ObjectLayout) -> [[String]] {
        switch self {
        case .keyPath(let path): [path]
        case .expression(_, let node): node.pathsOutsideAggregates(in: layout)
        case .entityNumber, .primaryKey, .version, .stored, .large, .absent: []
        }
    }
}

extension ObjectLayout {
    /// Whether the values of a key path are those of the members of a to-many relationship.
    fileprivate func leadsToMany(_ path: [String]) -> Bool {
        var owner: ObjectLayout? = self
        var isMany = false
        for key in path {
            if key.hasPrefix("@") { return isMany && (key.hasPrefix("@unionOf") || key.hasPrefix("@distinctUnionOf")) }
            let slot = owner.flatMap { layout in layout.slot(named: key).map { layout.slots[$0] } }
            if slot?.kind == .toMany { isMany = true }
            owner = slot?.destination.flatMap { index in owner.map { $0.model.layouts[index] } }
        }
        return isMany
    }
}
