// Functions of expressions. Arithmetic that SQL computes as the evaluator does is written out; the rest is the
// dialect's, which must give the evaluator's results.
import GraphEngine
import GraphPredicates

extension Translator {
    func function(
        _ name: String,
        _ arguments: [ExpressionNode],
        _ environment: Environment,
        _ node: ExpressionNode
    ) throws -> Operand {
        guard let function = FunctionName(rawValue: name) else {
            throw failure(.needsMemory, node, "the database does not know the function \(name)")
        }
        if function == .objectAtIndex { return try index(arguments, environment, node) }
        if function == .cast { return try cast(arguments, environment, node) }
        let operands = try arguments.map { try expression($0, environment) }
        if function.isAggregate { return try aggregate(function, operands, environment, node) }
        switch function {
        case .add: return try arithmetic(" + ", operands, node)
        case .subtract: return try arithmetic(" - ", operands, node)
        case .multiply: return try arithmetic(" * ", operands, node)
        case .divide: return try division(operands, node)
        case .modulus: return try scalar(.modulus, operands, node) { $0.contains(.real) ? .real : .integer }
        case .raise: return try scalar(.power, operands, node)
        case .squareRoot: return try scalar(.squareRoot, operands, node)
        case .log: return try scalar(.log, operands, node)
        case .naturalLog: return try scalar(.naturalLog, operands, node)
        case .exponential: return try scalar(.exponential, operands, node)
        case .floor: return try scalar(.floor, operands, node)
        case .ceiling: return try scalar(.ceiling, operands, node)
        case .truncate: return try scalar(.truncate, operands, node)
        case .absolute: return try scalar(.absolute, operands, node) { $0.first ?? .real }
        case .bitAnd: return try bits(" & ", operands, node)
        case .bitOr: return try bits(" | ", operands, node)
        case .shiftLeft: return try bits(" << ", operands, node)
        case .shiftRight: return try bits(" >> ", operands, node)
        case .bitXor:
            // Databases have different signs for it, or none: the bits in either, without the bits in both.
            let (either, both) = (try bits(" | ", operands, node), try bits(" & ", operands, node))
            return try arithmetic(" - ", [either, both], node)
        case .onesComplement:
            var value = try numbers(operands, node)[0]
            value.sql = "~\(value.atom)"
            value.kind = .integer
            return .value(value)
        case .uppercase: return try text(.uppercase, operands, .text, node)
        case .lowercase: return try text(.lowercase, operands, .text, node)
        case .canonical: return try text(.canonical, operands, .text, node)
        case .length: return try text(.length, operands, .integer, node)
        case .noIndex:
            var value = try value(operands[0], node)
            value.sql = dialect.withoutIndex(value.atom)
            return .value(value)
        case .random:
            return .value(SQLOperand(sql: try call(.random, [], node), kind: .real, isNullable: false))
        case .randomBelow, .randomN: return try scalar(.randomBelow, operands, node) { _ in .integer }
        default:
            throw failure(
                .needsMemory,
                node,
                "the database does not know the function \(name)",
                "Filter the fetched objects in memory"
            )
        }
    }

    private func index(
        _ arguments: [ExpressionNode],
        _ environment: Environment,
        _ node: ExpressionNode
    ) throws -> Operand {
        guard arguments.count == 2, case .collection(let collection) = try expression(arguments[0], environment) else {
            throw failure(.needsMemory, node, "only an ordered to-many relationship can be indexed in the database")
        }
        if case .symbolicIndex(let symbol) = arguments[1] { return try element(of: collection, at: symbol, node) }
        return try element(of: collection, at: try expression(arguments[1], environment), node)
    }

    private func arithmetic(_ sign: StaticString, _ operands: [Operand], _ node: ExpressionNode) throws -> Operand {
        let numbers = try numbers(operands, node)
        return .value(
            SQLOperand(
                sql: "\(numbers[0].atom)\(literal: sign)\(numbers[1].atom)",
                kind: numbers.contains { $0.kind == .real || $0.kind == .decimal } ? .real : .integer,
                isNullable: numbers.contains { $0.isNullable },
                isCompound: true
            )
        )
    }

    private func division(_ operands: [Operand], _ node: ExpressionNode) throws -> Operand {
        var numbers = try numbers(operands, node)
        if numbers.contains(where: { $0.kind == .decimal }) {
            // A decimal without a fraction is kept as an integer: its division must not become one of integers.
            numbers[0].sql = dialect.real(numbers[0].sql)
            numbers[0].isCompound = false
        }
        return .value(
            SQLOperand(
                sql: dialect.quotient(numbers[0].atom, numbers[1].atom),
                kind: numbers.contains { $0.kind == .real || $0.kind == .decimal } ? .real : .integer,
                isNullable: true,
                isCompound: true
            )
        )
    }

    /// The dialect's function.
    func call(
        _ function: DialectFunction,
        _ arguments: [SQLFragment],
        _ node: ExpressionNode
    ) throws -> SQLFragment {
        if let sql = dialect.call(function, arguments) { return sql }
        throw failure(
            .needsMemory,
            node,
            "\(dialect.name) does not compute it",
            "Filter the fetched objects in memory"
        )
    }

    private func bits(_ sign: StaticString, _ operands: [Operand], _ node: ExpressionNode) throws -> Operand {
        let numbers = try numbers(operands, node)
        return .value(
            SQLOperand(
                sql: "\(numbers[0].atom)\(literal: sign)\(numbers[1].atom)",
                kind: .integer,
                isNullable: numbers.contains { $0.isNullable },
                isCompound: true
            )
        )
    }

    private func scalar(
        _ function: DialectFunction,
        _ operands: [Operand],
        _ node: ExpressionNode,
        kind: ([ValueKind]) -> ValueKind = { _ in .real }
    ) throws -> Operand {
        let numbers = try numbers(operands, node)
        return .value(
            SQLOperand(
                sql: try call(function, numbers.map(\.sql), node),
                kind: kind(numbers.map { $0.kind == .decimal ? .real : $0.kind }),
                // A function may have no value for a number, such as a division by zero.
                isNullable: true
            )
        )
    }

    private func numbers(_ operands: [Operand], _ node: ExpressionNode) throws -> [SQLOperand] {
        try operands.map { operand in
            let number = try value(operand, node)
            guard number.kind.isNumber || number.kind == .unknown else {
                throw failure(.incomparable, node, "\(number.kind.name) is no number")
            }
            return number
        }
    }

    private func text(
        _ function: DialectFunction,
        _ operands: [Operand],
        _ kind: ValueKind,
        _ node: ExpressionNode
    ) throws -> Operand {
        let text = try value(operands[0], node)
        guard text.kind == .text || text.kind == .unknown else {
            throw failure(.incomparable, node, "\(text.kind.name) is no string")
        }
        return .value(SQLOperand(sql: try call(function, [text.sql], node), kind: kind, isNullable: true))
    }

    private func cast(
        _ arguments: [ExpressionNode],
        _ environment: Environment,
        _ node: ExpressionNode
    ) throws -> Operand {
        // The type's name is part of the shape, not a hole.
        guard arguments.count == 2, case .constant(let name) = arguments[1], let type = name as? String else {
            throw failure(.unsupported, node, "the type of a cast is a constant")
        }
        var value = try value(try expression(arguments[0], environment), node)
        switch type {
        case "NSDate", "Date":
            guard value.kind.isNumber || value.kind == .date else { break }
            value.kind = .date
            return .value(value)
        case "NSNumber", "NSDecimalNumber":
            if value.kind.isNumber { return .value(value) }
            guard value.kind == .date else { break }
            value.kind = .real
            return .value(value)
        case "NSString", "String":
            if value.kind == .text { return .value(value) }
            guard value.kind == .integer || value.kind == .real else { break }
            let sql = try call(.text, [value.sql], node)
            return .value(SQLOperand(sql: sql, kind: .text, isNullable: value.isNullable))
        default: break
        }
        throw failure(.needsMemory, node, "the database cannot cast \(value.kind.name) to \(type)")
    }

    // MARK: - Aggregates

    private func aggregate(
        _ function: FunctionName,
        _ operands: [Operand],
        _ environment: Environment,
        _ node: ExpressionNode
    ) throws -> Operand {
        let aggregate: Aggregate
        switch function {
        case .count: aggregate = .count
        case .sum: aggregate = .sum
        case .average: aggregate = .average
        case .min: aggregate = .minimum
        case .max: aggregate = .maximum
        case .median: aggregate = .median
        case .standardDeviation: aggregate = .deviation
        default: throw isMissing(function.rawValue, node)
        }
        if operands.count == 1, case .collection(let collection) = operands[0] {
            return .value(try reduce(aggregate, collection, asOperator: false, node))
        }
        if operands.count == 1, case .list(let elements) = operands[0] {
            return .value(try listAggregate(aggregate, elements, node))
        }
        if operands.count > 1 { return .value(try listAggregate(aggregate, operands, node)) }
        if let operand = operands.first, kind(of: operand) == .transformable { throw isOfTransformable(node) }
        guard environment.allowsAggregates, let operand = operands.first else {
            throw failure(
                .unsupported,
                node,
                "\(function.rawValue) needs a to-many key path here",
                "Over all rows of the entity it belongs into propertiesToFetch or havingPredicate"
            )
        }
        return .value(try rowAggregate(aggregate, of: operand, node))
    }

    /// The dialect lacks an aggregate.
    func isMissing(_ aggregate: String, _ node: ExpressionNode) -> TranslationError {
        failure(.needsMemory, node, "\(dialect.name) has no \(aggregate)", "Compute it over the fetched objects")
    }

    /// Only its transformer can interpret a transformable value.
    func isOfTransformable(_ node: ExpressionNode) -> TranslationError {
        failure(
            .needsMemory,
            node,
            "the members of a transformable value are inside its transformer's bytes",
            "Filter the fetched objects in memory"
        )
    }

    /// An aggregate over the rows of the statement or of each of its groups.
    func rowAggregate(_ aggregate: Aggregate, of operand: Operand, _ node: ExpressionNode) throws -> SQLOperand {
        let value = try value(operand, node)
        switch aggregate {
        case .count: return SQLOperand(sql: "COUNT(\(value.sql))", kind: .integer, isNullable: false)
        // The sum of nothing is 0, as Apple's systems say.
        case .sum:
            let sum = dialect.coalesce("SUM(\(value.sql))", "0")
            return SQLOperand(sql: sum, kind: value.kind.summed, isNullable: false)
        case .average: return SQLOperand(sql: "AVG(\(value.sql))", kind: .real, isNullable: true)
        case .minimum: return SQLOperand(sql: "MIN(\(value.sql))", kind: value.kind, isNullable: true)
        case .maximum: return SQLOperand(sql: "MAX(\(value.sql))", kind: value.kind, isNullable: true)
        case .median, .deviation:
            return SQLOperand(sql: try statistic(aggregate, of: value.sql, node), kind: .real, isNullable: true)
        }
    }

    /// An aggregate over expressions of one row.
    private func listAggregate(
        _ aggregate: Aggregate,
        _ elements: [Operand],
        _ node: ExpressionNode
    ) throws -> SQLOperand {
        let (values, kind) = try values(elements, node)
        guard !values.isEmpty else { throw failure(.unsupported, node, "the list is empty") }
        // VALUES would be shorter, but cannot refer to the row around it.
        let selects = values.map { "SELECT \($0.sql) AS v" as SQLFragment }.joined(" UNION ALL ")
        let rows: SQLFragment = "FROM \(dialect.derivedTable(selects))"
        switch aggregate {
        case .count: return SQLOperand(sql: "(SELECT COUNT(*) \(rows))", kind: .integer, isNullable: false)
        case .sum:
            let sum = dialect.coalesce("SUM(v)", "0")
            return SQLOperand(sql: "(SELECT \(sum) \(rows))", kind: kind.summed, isNullable: false)
        case .average:
            let average = dialect.coalesce("AVG(v)", "0")
            return SQLOperand(sql: "(SELECT \(average) \(rows))", kind: .real, isNullable: false)
        case .minimum: return SQLOperand(sql: "(SELECT MIN(v) \(rows))", kind: kind, isNullable: true)
        case .maximum: return SQLOperand(sql: "(SELECT MAX(v) \(rows))", kind: kind, isNullable: true)
        case .median, .deviation:
            let sql = try statistic(aggregate, of: "v", node)
            return SQLOperand(sql: "(SELECT \(sql) \(rows))", kind: .real, isNullable: true)
        }
    }

    // MARK: - Methods

    /// `FUNCTION(target, 'method', …)`: the methods that are functions under another name.
    func function(
        _ method: String,
        on target: ExpressionNode,
        _ arguments: [ExpressionNode],
        _ environment: Environment,
        _ node: ExpressionNode
    ) throws -> Operand {
        let operand = try expression(target, environment)
        switch method {
        case "uppercaseString", "uppercase", "uppercased": return try text(.uppercase, [operand], .text, node)
        case "lowercaseString", "lowercase", "lowercased": return try text(.lowercase, [operand], .text, node)
        case "length": return try text(.length, [operand], .integer, node)
        default:
            throw failure(
                .needsMemory,
                node,
                "the database cannot call the method \(method)",
                "Filter the fetched objects in memory"
            )
        }
    }
}
