// The whole statement: columns, tables, conditions, groups, order and limits.
import GraphEngine
import GraphModel
import GraphPredicates

extension Translator {
    /// A statement's text with the values of its marks.
    struct Output {
        var sql: SQLFragment
        var columns: [ResultColumn]
    }

    func select(_ plan: FetchPlan) throws -> Output {
        let row = try firstRow(plan.entity, alias: aliases.next())
        let scope = row.scope
        var environment = Environment(element: .row(row))
        let isGrouped = !plan.groupBy.isEmpty
        guard isGrouped || plan.having == nil else {
            throw failure(
                .unsupported,
                printed: "HAVING",
                "a having predicate needs propertiesToGroupBy",
                "Set it, too"
            )
        }

        // Each column before `WHERE`, so that joins are numbered in the order of the text.
        environment.allowsAggregates = true
        var columns = try plan.columns.map { try column($0, row, environment) }
        environment.allowsAggregates = false
        var tail = whereClause(try condition(plan, row, environment))

        environment.named = Dictionary(
            columns.compactMap { column in column.isExpression ? (column.result.name, column.operand) : nil },
            uniquingKeysWith: { first, _ in first }
        )
        environment.allowsAggregates = isGrouped
        if isGrouped {
            let groups = try plan.groupBy.map { try group($0, row, environment) }
            try checkGroups(columns, groups)
            pickValues(of: &columns, besides: groups)
            tail += " GROUP BY \(groups.map(\.sql).joined(", "))"
            if let having = plan.having {
                tail += " HAVING \(sql(try predicate(having, environment)))"
            }
        }
        let isPlain = !isGrouped && !plan.isDistinct
        let isOneRow = columns.contains { $0.isAggregate } && !isGrouped
        if isOneRow { pickValues(of: &columns, besides: []) }
        if plan.form == .rows, !isOneRow {
            let order = try order(plan, row, environment, columns: isPlain ? nil : columns.map(\.operand))
            if order.picks, !isGrouped {
                // The rows of a group are one row, as those of DISTINCT are.
                tail += " GROUP BY \(columns.map(\.operand.sql).joined(", "))"
            }
            tail += order.sql
            if order.picks {
                var plan = plan
                plan.isDistinct = false
                return finish(plan, scope, columns, tail, isPlain: false)
            }
        }
        return finish(plan, scope, columns, tail, isPlain: isPlain && !isOneRow)
    }

    /// The table of a plan's entity, with its alias, the condition of the rows and the plan's columns; nil if tables are
    /// joined.
    func rows(of plan: FetchPlan) throws -> (table: String, condition: SQLFragment, columns: [SQLFragment])? {
        let row = try firstRow(plan.entity, alias: aliases.next())
        let environment = Environment(element: .row(row))
        let columns = try plan.columns.map { try column($0, row, environment).operand.sql }
        let tail = whereClause(try condition(plan, row, environment))
        guard !row.scope.hasJoins, row.scope.conditions.isEmpty else { return nil }
        return ("\(dialect.table(row.entity.tableName)) AS \(row.alias)", tail, columns)
    }

    /// The row of a statement's own entity, before anything is joined to it.
    func firstRow(_ entityName: String, alias: String) throws -> RowCursor {
        let entity = try entity(entityName)
        let scope = Scope(table: entity.tableName, alias: alias, path: "", aliasSource: aliases)
        return RowCursor(
            scope: scope,
            entity: entity,
            key: column(alias, entity.own.key),
            path: "",
            isNullable: false
        )
    }

    private func condition(_ plan: FetchPlan, _ row: RowCursor, _ environment: Environment) throws -> SQLCondition {
        var conditions = [restriction(row.entity, row.alias, plan.includesSubentities)]
        if let predicate = plan.predicate { conditions.append(try self.predicate(predicate, environment)) }
        return .all(conditions)
    }

    private func finish(
        _ plan: FetchPlan,
        _ scope: Scope,
        _ columns: [SelectedColumn],
        _ tail: SQLFragment,
        isPlain: Bool
    ) -> Output {
        let limits = dialect.page(
            limit: plan.limit > 0 ? .bind(.limit) : nil,
            offset: plan.offset > 0 ? .bind(.offset) : nil
        )
        let distinct: SQLFragment = plan.isDistinct ? "DISTINCT " : ""
        let list = columns.map(\.operand.sql).joined(", ")
        guard plan.form == .count else {
            return Output(
                sql: "SELECT \(distinct)\(list)\(scope.clause)\(tail)\(limits)",
                columns: columns.map(\.result)
            )
        }
        let result = [ResultColumn(name: "count", content: .value(.integer64))]
        if isPlain, limits.text.isEmpty {
            return Output(sql: "SELECT COUNT(*)\(scope.clause)\(tail)", columns: result)
        }
        let counted: SQLFragment = isPlain ? "1" : "\(distinct)\(list)"
        return Output(
            sql: "SELECT COUNT(*) FROM \(dialect.derivedTable("SELECT \(counted)\(scope.clause)\(tail)\(limits)"))",
            columns: result
        )
    }

    /// The condition for the rows of the table that belong to the entity.
    private func restriction(_ entity: EntitySchema, _ alias: String, _ includesSubentities: Bool) -> SQLCondition {
        guard let numberColumn = entity.own.entityNumber else { return .always }
        let column = column(alias, numberColumn)
        let family = Set(entity.familyNumbers).union([entity.number]).sorted()
        if !includesSubentities || family.count == 1 {
            guard entity.isInTree else { return .always }
            return SQLCondition("\(column) = \(number: entity.number)", isNullable: false)
        }
        if index.fillsTable(entity) { return .always }
        let numbers = family.map { "\(number: $0)" as SQLFragment }.joined(", ")
        return SQLCondition("\(column) IN (\(numbers))", isNullable: false)
    }

    // MARK: - Columns

    /// A column of the statement.
    struct SelectedColumn {
        var operand: SQLOperand
        var result: ResultColumn
        var isExpression = false
        var isAggregate = false
    }

    private func column(
        _ column: PlanColumn,
        _ row: RowCursor,
        _ environment: Environment
    ) throws -> SelectedColumn {
        switch column {
        case .entityNumber:
            return SelectedColumn(
                operand: SQLOperand(sql: entityNumber(of: row), kind: .unknown, isNullable: true),
                result: ResultColumn(name: row.entity.own.entityNumber ?? "Z_ENT", content: .stored)
            )
        case .primaryKey: return stored(row.entity.own.key, row)
        case .version: return stored(row.entity.own.version, row)
        case .stored(let name): return stored(name, row)
        case .large(let name):
            var column = stored(name, row)
            column.operand.sql = dialect.large(column.operand.sql)
            return column
        case .absent:
            return SelectedColumn(
                operand: SQLOperand(sql: "NULL", kind: .unknown, isNullable: true),
                result: ResultColumn(name: "", content: .stored)
            )
        case .keyPath(let path):
            let node = ExpressionNode.keyPath(path)
            var inner = environment
            // A key path among the columns is never another column's name.
            inner.named = [:]
            let value = dialect.ordered(try value(named(try expression(node, inner), node), node))
            return SelectedColumn(
                operand: value,
                result: result(path.joined(separator: "."), value, path, row.entity),
                isAggregate: path.first?.hasPrefix("@") == true
            )
        case .expression(let name, let node):
            let value = dialect.ordered(try value(named(try expression(node, environment), node), node))
            var path: [String] = []
            if case .keyPath(let keys) = node { path = keys }
            return SelectedColumn(
                operand: value,
                result: result(name, value, path, row.entity),
                isExpression: true,
                isAggregate: environment.allowsAggregates && isRowAggregate(node, row.entity)
            )
        }
    }

    /// The number of a row's entity, which a table of one entity need not have.
    func entityNumber(of row: RowCursor) -> SQLFragment {
        guard let name = row.entity.own.entityNumber else {
            let number = "\(number: row.entity.number)" as SQLFragment
            return row.isNullable ? "CASE WHEN \(row.key) IS NOT NULL THEN \(number) END" : number
        }
        return column(row.alias, name)
    }

    private func stored(_ name: String, _ row: RowCursor) -> SelectedColumn {
        SelectedColumn(
            operand: SQLOperand(sql: column(row.alias, name), kind: .unknown, isNullable: true),
            result: ResultColumn(name: name, content: .stored)
        )
    }

    private func result(
        _ name: String,
        _ value: SQLOperand,
        _ path: [String],
        _ entity: EntitySchema
    ) -> ResultColumn {
        if case .object(_, let entity) = value.kind {
            return ResultColumn(name: name, content: .object(entity: entity))
        }
        // A plain attribute keeps its exact type: an Int16 column is not an Int64.
        if path.count == 1, case .attribute(let attribute)? = entity.properties[path[0]] {
            return ResultColumn(name: name, content: .value(attribute.type))
        }
        return ResultColumn(name: name, content: .value(value.kind.attributeType))
    }

    /// A group's value: that of the selected expression of its name, so that both are one text with the same marks.
    private func group(_ column: PlanColumn, _ row: RowCursor, _ environment: Environment) throws -> SQLOperand {
        if case .expression(let name, _) = column, let selected = environment.named[name] { return selected }
        return try self.column(column, row, environment).operand
    }

    /// Takes the least value of columns that differ inside a group; a database without static types takes any.
    private func pickValues(of columns: inout [SelectedColumn], besides groups: [SQLOperand]) {
        guard dialect.hasStaticTypes else { return }
        let grouped = Set(groups.map(\.sql))
        for place in columns.indices where !columns[place].isAggregate {
            let operand = columns[place].operand
            if grouped.contains(operand.sql) || operand.sql.text == "NULL" { continue }
            columns[place].operand.sql = dialect.aggregate(.minimum, of: operand, isDistinct: false)
        }
    }

    private func checkGroups(_ columns: [SelectedColumn], _ groups: [SQLOperand]) throws {
        let grouped = Set(groups.map(\.sql))
        for column in columns where !column.isExpression && !column.isAggregate {
            guard !grouped.contains(column.operand.sql) else { continue }
            throw failure(
                .unsupported,
                printed: column.result.name,
                "it is neither grouped nor an aggregate, so a group has no single value for it",
                "Add it to propertiesToGroupBy"
            )
        }
    }

    // MARK: - Order

    /// The order, completed by the key, or all columns if rows are not objects.
    private func order(
        _ plan: FetchPlan,
        _ row: RowCursor,
        _ environment: Environment,
        columns: [SQLOperand]?
    ) throws -> (sql: SQLFragment, picks: Bool) {
        var terms: [SQLFragment] = []
        var picks = false
        // An order by another collation is another order.
        var seen: Set<[SQLFragment?]> = []
        for term in plan.sort {
            let node = ExpressionNode.keyPath(term.keyPath)
            let path =
                term.keyPath.first.map { Self.selfNames.contains($0) } == true
                ? Array(term.keyPath.dropFirst()) : term.keyPath
            var operand = try value(named(try expression(.keyPath(path), environment), .keyPath(path)), node)
            let folded = foldedKey(term, operand)
            if let folded { operand.sql = folded }
            operand = dialect.ordered(operand)
            if dialect.hasStaticTypes, let columns, !columns.contains(where: { $0.sql == operand.sql }),
                term.keyPath.first?.hasPrefix("@") != true
            {
                // Groups that are equal in all columns are one row, of no place by other values.
                if plan.isDistinct, !plan.groupBy.isEmpty { continue }
                // Rows with the same columns are one row: its place is that of their least value.
                operand.sql = dialect.aggregate(.minimum, of: operand, isDistinct: false)
                picks = true
            }
            let collation = try folded == nil ? collation(term, operand, node) : nil
            if seen.insert([operand.sql, collation]).inserted {
                terms.append(
                    dialect.sortKey(
                        operand.sql,
                        collation: collation,
                        isAscending: term.ascending,
                        isNullable: operand.isNullable
                    )
                )
            }
        }
        for last in columns ?? [row.operand] where !seen.contains([last.sql, nil]) {
            if dialect.hasStaticTypes, last.sql.text == "NULL" { continue }
            terms.append(
                dialect.sortKey(last.sql, collation: nil, isAscending: true, isNullable: last.isNullable)
            )
        }
        return (terms.isEmpty ? "" : " ORDER BY \(terms.joined(", "))", picks)
    }

    /// The folded texts, whose order is the one that overlooks case; nil for another order.
    private func foldedKey(_ term: SortTerm, _ operand: SQLOperand) -> SQLFragment? {
        guard term.selector == TextSort.caseInsensitive.rawValue, operand.kind == .text else { return nil }
        return dialect.folded(operand.sql, .caseInsensitive)
    }

    private func collation(
        _ term: SortTerm,
        _ operand: SQLOperand,
        _ node: ExpressionNode
    ) throws -> SQLFragment? {
        guard let selector = term.selector, selector != "compare:" else { return nil }
        guard let order = TextSort(rawValue: selector), let collation = dialect.collation(order) else {
            throw failure(
                .needsMemory,
                node,
                "the database cannot sort by the selector \(selector)",
                "Sort by compare:, caseInsensitiveCompare:, localizedCompare:, localizedCaseInsensitiveCompare: or "
                    + "localizedStandardCompare:, or sort the fetched objects"
            )
        }
        guard operand.kind == .text else { return nil }
        return .identifier(collation, dialect)
    }
}

extension Translator {
    /// Whether an expression computes over the rows of a statement, or holds a part that does.
    private func isRowAggregate(_ node: ExpressionNode, _ entity: EntitySchema) -> Bool {
        switch node {
        case .keyPath(let path): return path.first?.hasPrefix("@") == true
        case .function(let name, _, let arguments):
            if FunctionName(rawValue: name)?.isAggregate == true, arguments.count == 1,
                !isCollection(arguments[0], of: entity)
            {
                return true
            }
            return arguments.contains { isRowAggregate($0, entity) }
        case .aggregate(let members): return members.contains { isRowAggregate($0, entity) }
        case .conditional(_, let left, let right): return isRowAggregate(left, entity) || isRowAggregate(right, entity)
        default: return false
        }
    }

    /// Whether each row of an entity has several values of an expression.
    private func isCollection(_ node: ExpressionNode, of entity: EntitySchema) -> Bool {
        switch node {
        case .aggregate, .subquery, .union, .intersect, .minus: true
        case .keyPath(let path), .keyPathOf(.evaluatedObject, let path): leadsToMany(path, from: entity)
        case .keyPathOf(let base, let path): isCollection(base, of: entity) && !path.contains { $0.hasPrefix("@") }
        default: false
        }
    }

    private func leadsToMany(_ path: [String], from entity: EntitySchema) -> Bool {
        var owner: EntitySchema? = entity
        var isMany = false
        for key in path {
            if key.hasPrefix("@") { return isMany && (key.hasPrefix("@unionOf") || key.hasPrefix("@distinctUnionOf")) }
            switch owner?.properties[key] {
            case .toManyInverse(let inverse)?: (owner, isMany) = (index.schema.entities[inverse.destination], true)
            case .manyToMany(let join)?: (owner, isMany) = (index.schema.entities[join.destination], true)
            case .toOne(let toOne)?: owner = index.schema.entities[toOne.destination]
            case .attribute?, nil: owner = nil
            }
        }
        return isMany
    }
}
