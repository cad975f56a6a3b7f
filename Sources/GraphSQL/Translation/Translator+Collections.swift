// Collections as values: @count, @sum, @min, @max, @avg, the union operators, SUBQUERY and indexes.
import GraphEngine
import GraphPredicates

extension Translator {
    /// Applies a collection operator and follows the path after it.
    func apply(
        _ name: String,
        _ rest: ArraySlice<String>,
        to operand: Operand,
        _ node: ExpressionNode
    ) throws -> Operand {
        guard case .collection(let collection) = operand else {
            if kind(of: operand) == .transformable { throw isOfTransformable(node) }
            throw failure(.unsupported, node, "\(name) needs a to-many key path before it")
        }
        switch name {
        case "@count":
            guard rest.isEmpty else { throw failure(.unsupported, node, "nothing can follow @count") }
            return .value(count(collection))
        case "@sum", "@min", "@max", "@avg":
            guard case .collection(let values) = try walk(rest, from: operand, node), !rest.isEmpty else {
                throw failure(.unsupported, node, "\(name) needs the key path of an attribute after it")
            }
            return .value(try reduce(Aggregate(rawValue: name) ?? .sum, values, asOperator: true, node))
        case "@distinctUnionOfObjects", "@unionOfObjects", "@distinctUnionOfSets", "@unionOfSets",
            "@distinctUnionOfArrays", "@unionOfArrays":
            guard !rest.contains(where: { $0.hasPrefix("@") }) else {
                throw failure(
                    .unsupported,
                    node,
                    "an operator after \(name) applies to each element separately",
                    "To count the values, write count:(…\(name)…)"
                )
            }
            guard case .collection(var values) = try walk(rest, from: operand, node) else {
                throw failure(.unsupported, node, "\(name) needs a key path after it")
            }
            values.isDistinct = values.isDistinct || name.hasPrefix("@distinct")
            if values.value.isNullable {
                values.scope.conditions.append(SQLCondition("\(values.value.atom) IS NOT NULL", isNullable: false))
            }
            return .collection(values)
        default:
            throw failure(.unsupported, node, "\(name) is not a collection operator")
        }
    }

    /// The aggregates of a collection; raw values are the operators of key paths.
    enum Aggregate: String {
        case count = "@count"
        case sum = "@sum"
        case average = "@avg"
        case minimum = "@min"
        case maximum = "@max"
        // Functions only: key paths have no such operators.
        case median = "median:"
        case deviation = "stddev:"
    }

    /// The dialect's statistic over the values of all rows.
    func statistic(
        _ aggregate: Aggregate,
        of value: SQLOperand,
        isDistinct: Bool = false,
        _ node: ExpressionNode
    ) throws -> SQLFragment {
        let statistic: DialectStatistic = aggregate == .median ? .median : .deviation
        if let sql = dialect.statistic(statistic, of: value, isDistinct: isDistinct) { return sql }
        throw isMissing(aggregate.rawValue, node)
    }

    /// The number of elements; 0 if the collection itself is nil.
    func count(_ collection: CollectionSource) -> SQLOperand {
        // Rows are counted whether or not their value is NULL; distinct values leave NULL out.
        let counted: SQLFragment = collection.isDistinct ? "DISTINCT \(collection.value.sql)" : "*"
        return SQLOperand(
            sql: select("COUNT(\(counted))", from: collection),
            kind: .integer,
            isNullable: false
        )
    }

    /// One value of many.
    ///
    /// A function leaves missing values out; for the operators of key paths they count as 0 in an
    /// average, and a collection that is itself nil gives nil.
    func reduce(
        _ aggregate: Aggregate,
        _ collection: CollectionSource,
        asOperator isOperator: Bool,
        _ node: ExpressionNode
    ) throws -> SQLOperand {
        if aggregate == .count { return count(collection) }
        let value = collection.value
        let isDistinct = collection.isDistinct
        try check(aggregate, value.kind, node)
        var result: SQLOperand
        switch aggregate {
        case .sum:
            let number = try addend(value, node)
            let sum = dialect.aggregate(.sum, of: number, isDistinct: isDistinct)
            result = SQLOperand(
                sql: dialect.coalesce(sum, "0"),
                kind: number.kind.summed,
                isNullable: false,
                isMixed: value.isMixed
            )
        case .average:
            var number = try addend(value, node)
            if isOperator, value.isNullable, !isDistinct { number.sql = dialect.coalesce(number.sql, "0") }
            let average = dialect.aggregate(.average, of: number, isDistinct: isDistinct)
            result = SQLOperand(
                sql: dialect.coalesce(average, "0"),
                kind: self.average(of: number.kind),
                isNullable: false
            )
        case .minimum, .maximum, .count:
            let extreme = dialect.aggregate(aggregate == .maximum ? .maximum : .minimum, of: value, isDistinct: false)
            result = SQLOperand(sql: extreme, kind: value.kind, isNullable: true, isMixed: value.isMixed)
        case .median, .deviation:
            let sql = try statistic(aggregate, of: try addend(value, node), isDistinct: isDistinct, node)
            result = SQLOperand(sql: sql, kind: .real, isNullable: true)
        }
        result.sql = select(result.sql, from: collection)
        if isOperator, let owner = collection.owner {
            result.sql = "CASE WHEN \(owner) IS NOT NULL THEN \(result.sql) END"
            result.isNullable = true
            result.isCompound = true
        }
        return result
    }

    private func check(_ aggregate: Aggregate, _ kind: ValueKind, _ node: ExpressionNode) throws {
        switch aggregate {
        case .sum, .average, .median, .deviation:
            guard kind.isNumber else {
                throw failure(.incomparable, node, "\(aggregate.rawValue) computes with numbers, not \(kind.name)")
            }
        case .minimum, .maximum:
            guard kind.isOrdered else { throw failure(.incomparable, node, "\(kind.name) has no order") }
        case .count: break
        }
    }

    /// `(SELECT result FROM … WHERE …)` over a collection.
    func select(_ result: SQLFragment, from collection: CollectionSource, _ tail: SQLFragment = "") -> SQLFragment {
        let condition = SQLCondition.all(collection.scope.conditions)
        return "(SELECT \(result)\(collection.scope.clause)\(whereClause(condition))\(tail))"
    }

    func subquery(
        _ collection: ExpressionNode,
        _ variable: String,
        _ condition: PredicateNode,
        _ environment: Environment,
        _ node: ExpressionNode
    ) throws -> Operand {
        var source: CollectionSource
        switch try expression(collection, environment) {
        case .collection(let rows): source = rows
        // An object is a collection of one, nil an empty one, as in memory.
        case .row(let cursor): source = rows(of: cursor)
        default: throw failure(.unsupported, node, "SUBQUERY needs the key path of a relationship as its collection")
        }
        var inner = environment
        inner.variables[variable] = source.element
        inner.allowsAggregates = false
        source.scope.conditions.append(try predicate(condition, inner))
        // SUBQUERY of a missing collection is an empty collection.
        source.owner = nil
        return .collection(source)
    }

    /// The row of an object as a collection, which is empty if there is no object.
    private func rows(of owner: RowCursor) -> CollectionSource {
        let alias = aliases.next()
        let scope = Scope(table: owner.entity.tableName, alias: alias, path: "", aliasSource: aliases)
        let key = column(alias, owner.entity.own.key)
        scope.conditions = [SQLCondition("\(key) = \(owner.key)", isNullable: owner.isNullable)]
        let row = RowCursor(scope: scope, entity: owner.entity, key: key, path: "", isNullable: false)
        return CollectionSource(scope: scope, element: .row(row), outer: owner.scope)
    }

    /// UNION, INTERSECT and MINUS over to-many key paths: SQL's own set operators, which leave repetitions out too.
    func set(
        _ word: SQLFragment,
        _ left: ExpressionNode,
        _ right: ExpressionNode,
        _ environment: Environment,
        _ node: ExpressionNode
    ) throws -> Operand {
        guard case .collection(let first) = try expression(left, environment),
            case .collection(let second) = try expression(right, environment),
            let kind = first.value.kind.merged(with: second.value.kind)
        else {
            throw failure(
                .needsMemory,
                node,
                "the database joins to-many key paths of one kind only",
                "Use ANY, IN or SUBQUERY, or filter the fetched objects"
            )
        }
        let rows = "\(elements(of: first, as: kind)) \(word) \(elements(of: second, as: kind))" as SQLFragment
        let alias = aliases.next()
        let scope = Scope(subselect: rows, alias: alias, aliasSource: aliases)
        let value = SQLOperand(
            sql: column(alias, "v"),
            kind: kind,
            isNullable: first.value.isNullable || second.value.isNullable,
            isMixed: first.value.isMixed || second.value.isMixed
                || first.value.kind.isMixed(with: second.value.kind)
        )
        guard case .row(let firstRow) = first.element, case .row(let secondRow) = second.element else {
            return .collection(CollectionSource(scope: scope, element: .value(value), outer: first.outer))
        }
        // Objects of different entities have the properties of their root in common.
        let common =
            firstRow.entity.name == secondRow.entity.name ? firstRow.entity : try entity(firstRow.entity.rootName)
        let cursor = RowCursor(
            scope: scope,
            entity: common,
            key: value.sql,
            path: scope.newPath(),
            isNullable: value.isNullable
        )
        return .collection(CollectionSource(scope: scope, element: .row(cursor), outer: first.outer))
    }

    private func elements(of collection: CollectionSource, as kind: ValueKind) -> SQLFragment {
        let condition = SQLCondition.all(collection.scope.conditions)
        let value = dialect.converted(collection.value, to: kind) ?? collection.value
        return "SELECT \(value.sql) AS v\(collection.scope.clause)\(whereClause(condition))"
    }

    /// The row of an ordered relationship's objects, and the column of their order.
    private func orderedRow(
        of collection: CollectionSource,
        _ node: ExpressionNode
    ) throws -> (row: RowCursor, order: SQLFragment) {
        guard case .row(let cursor) = collection.element, let order = collection.order else {
            throw failure(
                .unsupported,
                node,
                "only the objects of an ordered relationship have positions",
                "Make the relationship ordered, or use SUBQUERY"
            )
        }
        return (cursor, order)
    }

    /// `collection[position]`, of an ordered relationship.
    func element(
        of collection: CollectionSource,
        at position: Operand,
        _ node: ExpressionNode
    ) throws -> Operand {
        let (cursor, order) = try orderedRow(of: collection, node)
        guard case .hole(let hole) = position, hole.shape == .plain(.integer) else {
            throw failure(.needsMemory, node, "only a whole number can be a position in the database")
        }
        let place = SQLFragment.bind(.hole(hole.index, .value(.number)))
        let key = dialect.sortKey(order, collation: nil, isAscending: true, isNullable: true)
        return pick(cursor, of: collection, " ORDER BY \(key)\(dialect.row(at: place))")
    }

    /// `collection[FIRST]`, `[LAST]` and `[SIZE]`.
    func element(
        of collection: CollectionSource,
        at symbol: SymbolicIndex,
        _ node: ExpressionNode
    ) throws -> Operand {
        if symbol == .size { return .value(count(collection)) }
        let (cursor, order) = try orderedRow(of: collection, node)
        let key = dialect.sortKey(order, collation: nil, isAscending: symbol == .first, isNullable: true)
        return pick(cursor, of: collection, " ORDER BY \(key)\(dialect.page(limit: "1", offset: nil))")
    }

    /// A row whose key a subselect computes; the SELECT around the collection reads the row through a separate join.
    private func pick(_ cursor: RowCursor, of collection: CollectionSource, _ tail: SQLFragment) -> Operand {
        let key = select(cursor.key, from: collection, tail)
        let scope = collection.outer ?? cursor.scope
        return .row(
            RowCursor(
                scope: scope,
                entity: cursor.entity,
                key: key,
                path: "[\(key.text)]\(key.bindings)",
                isNullable: true
            )
        )
    }
}

extension ValueKind {
    /// The kind of a sum of such values.
    var summed: ValueKind { self == .boolean ? .integer : self }

    /// Whether a computation depends on which of the two kinds a number has in a row.
    func isMixed(with other: ValueKind) -> Bool {
        (self == .real) != (other == .real) || (summed == .integer) != (other.summed == .integer)
    }
}
