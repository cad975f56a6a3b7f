// Functions of expressions. Arithmetic that SQL computes as the evaluator does is written out; the rest calls the
// functions of SQLFunctions, which call the evaluator's own.
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
        case .divide: return try arithmetic(" / ", operands, node)
        case .modulus: return try scalar("MGModulus", operands, node) { $0.contains(.real) ? .real : .integer }
        case .raise: return try scalar("MGPower", operands, node)
        case .squareRoot: return try scalar("MGSquareRoot", operands, node)
        case .log: return try scalar("MGLog", operands, node)
        case .naturalLog: return try scalar("MGNaturalLog", operands, node)
        case .exponential: return try scalar("MGExponential", operands, node)
        case .floor: return try scalar("MGFloor", operands, node)
        case .ceiling: return try scalar("MGCeiling", operands, node)
        case .truncate: return try scalar("MGTruncate", operands, node)
        case .absolute: return try scalar("MGAbsolute", operands, node) { $0.first ?? .real }
        case .bitAnd: return try bits(" & ", operands, node)
        case .bitOr: return try bits(" | ", operands, node)
        case .shiftLeft: return try bits(" << ", operands, node)
        case .shiftRight: return try bits(" >> ", operands, node)
        case .bitXor:
            // SQLite has no sign for it: what is in either, without what is in both.
            let (either, both) = (try bits(" | ", operands, node), try bits(" & ", operands, node))
            return try arithmetic(" - ", [either, both], node)
        case .onesComplement:
            var value = try numbers(operands, node)[0]
            value.sql = "~\(value.atom)"
            value.kind = .integer
            return .value(value)
        case .uppercase: return try text("MGUppercase", operands, .text, node)
        case .lowercase: return try text("MGLowercase", operands, .text, node)
        case .canonical: return try text("MGCanonical", operands, .text, node)
        case .length: return try text("MGLength", operands, .integer, node)
        case .noIndex:
            // A unary plus keeps the value and hides the column from the choice of indexes.
            var value = try value(operands[0], node)
            value.sql = "+\(value.atom)"
            return .value(value)
        case .random: return .value(SQLOperand(sql: "MGRandom()", kind: .real, isNullable: false))
        case .randomBelow, .randomN: return try scalar("MGRandomBelow", operands, node) { _ in .integer }
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
        var numbers = try numbers(operands, node)
        if sign.description == " / ", numbers.contains(where: { $0.kind == .decimal }) {
            // A decimal without a fraction is kept as an integer: its division must not become one of integers.
            numbers[0].sql = "CAST(\(numbers[0].sql) AS REAL)"
            numbers[0].isCompound = false
        }
        let isReal = numbers.contains { $0.kind == .real || $0.kind == .decimal }
        return .value(
            SQLOperand(
                sql: "\(numbers[0].atom)\(literal: sign)\(numbers[1].atom)",
                kind: isReal ? .real : .integer,
                isNullable: numbers.contains { $0.isNullable } || sign.description == " / ",
                isCompound: true
            )
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
        _ name: StaticString,
        _ operands: [Operand],
        _ node: ExpressionNode,
        kind: ([ValueKind]) -> ValueKind = { _ in .real }
    ) throws -> Operand {
        let numbers = try numbers(operands, node)
        return .value(
            SQLOperand(
                sql: "\(literal: name)(\(numbers.map(\.sql).joined(", ")))",
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
        _ name: StaticString,
        _ operands: [Operand],
        _ kind: ValueKind,
        _ node: ExpressionNode
    ) throws -> Operand {
        let text = try value(operands[0], node)
        guard text.kind == .text || text.kind == .unknown else {
            throw failure(.incomparable, node, "\(text.kind.name) is no string")
        }
        return .value(SQLOperand(sql: "\(literal: name)(\(text.sql))", kind: kind, isNullable: true))
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
            return .value(SQLOperand(sql: "MGText(\(value.sql))", kind: .text, isNullable: value.isNullable))
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
        default:
            throw failure(
                .needsMemory,
                node,
                "SQLite has no \(function.rawValue)",
                "Compute it over the fetched objects"
            )
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

    /// What a transformable value consists of is known to its transformer alone.
    func isOfTransformable(_ node: ExpressionNode) -> TranslationError {
        failure(
            .needsMemory,
            node,
            "the members of a transformable value stand in its transformer's bytes",
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
            return SQLOperand(sql: "IFNULL(SUM(\(value.sql)), 0)", kind: value.kind.summed, isNullable: false)
        case .average: return SQLOperand(sql: "AVG(\(value.sql))", kind: .real, isNullable: true)
        case .minimum: return SQLOperand(sql: "MIN(\(value.sql))", kind: value.kind, isNullable: true)
        case .maximum: return SQLOperand(sql: "MAX(\(value.sql))", kind: value.kind, isNullable: true)
        case .median: return SQLOperand(sql: statistic("MGMedian", of: value.sql), kind: .real, isNullable: true)
        case .deviation: return SQLOperand(sql: statistic("MGDeviation", of: value.sql), kind: .real, isNullable: true)
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
        let rows: SQLFragment = "FROM (\(values.map { "SELECT \($0.sql) AS v" }.joined(" UNION ALL ")))"
        switch aggregate {
        case .count: return SQLOperand(sql: "(SELECT COUNT(*) \(rows))", kind: .integer, isNullable: false)
        case .sum:
            return SQLOperand(sql: "(SELECT IFNULL(SUM(v), 0) \(rows))", kind: kind.summed, isNullable: false)
        case .average:
            return SQLOperand(sql: "(SELECT IFNULL(AVG(v), 0) \(rows))", kind: .real, isNullable: false)
        case .minimum: return SQLOperand(sql: "(SELECT MIN(v) \(rows))", kind: kind, isNullable: true)
        case .maximum: return SQLOperand(sql: "(SELECT MAX(v) \(rows))", kind: kind, isNullable: true)
        case .median, .deviation:
            let found = statistic(aggregate == .median ? "MGMedian" : "MGDeviation", of: "v")
            return SQLOperand(sql: "(SELECT \(found) \(rows))", kind: .real, isNullable: true)
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
        case "uppercaseString", "uppercase", "uppercased": return try text("MGUppercase", [operand], .text, node)
        case "lowercaseString", "lowercase", "lowercased": return try text("MGLowercase", [operand], .text, node)
        case "length": return try text("MGLength", [operand], .integer, node)
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
