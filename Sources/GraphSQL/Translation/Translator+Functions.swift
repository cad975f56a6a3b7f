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
            throw failure(.needsMemory, node, "the database lacks the function \(name)")
        }
        if function == .objectAtIndex { return try index(arguments, environment, node) }
        if function == .cast { return try cast(arguments, environment, node) }
        let operands = try arguments.map { named(try expression($0, environment), $0) }
        if function.isAggregate { return try aggregate(function, operands, environment, node) }
        switch function {
        case .add: return try arithmetic(.add, operands, node)
        case .subtract: return try arithmetic(.subtract, operands, node)
        case .multiply: return try arithmetic(.multiply, operands, node)
        case .divide: return try arithmetic(.divide, operands, node)
        case .modulus:
            return try scalar(.modulus, operands, node) {
                $0.contains(.real) || $0.contains(.decimal) ? .real : .integer
            }
        case .raise: return try power(operands, node)
        case .squareRoot: return try scalar(.squareRoot, operands, node)
        case .log: return try scalar(.log, operands, node)
        case .naturalLog: return try scalar(.naturalLog, operands, node)
        case .exponential: return try scalar(.exponential, operands, node)
        case .floor: return try scalar(.floor, operands, node, kind: rounded)
        case .ceiling: return try scalar(.ceiling, operands, node, kind: rounded)
        case .truncate: return try scalar(.truncate, operands, node, kind: rounded)
        case .absolute: return try scalar(.absolute, operands, node) { $0.first?.summed ?? .real }
        case .bitAnd: return try arithmetic(.bitAnd, operands, node)
        case .bitOr: return try arithmetic(.bitOr, operands, node)
        case .shiftLeft: return try arithmetic(.shiftLeft, operands, node)
        case .shiftRight: return try arithmetic(.shiftRight, operands, node)
        case .bitXor: return try exclusiveOr(operands, node)
        case .onesComplement: return try complement(operands, node)
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
                "the database lacks the function \(name)",
                "Filter the fetched objects in memory"
            )
        }
    }

    private func exclusiveOr(_ operands: [Operand], _ node: ExpressionNode) throws -> Operand {
        // Databases have different signs for it, or none: the bits in either, without the bits in both.
        let (either, both) = (try arithmetic(.bitOr, operands, node), try arithmetic(.bitAnd, operands, node))
        return try arithmetic(.subtract, [either, both], node)
    }

    private func complement(_ operands: [Operand], _ node: ExpressionNode) throws -> Operand {
        var value = try numbers(operands, node)[0]
        guard let complement = dialect.complement(value) else { throw isNotComputed(node) }
        value.sql = complement
        if value.kind == .real || value.kind == .decimal { value.isNullable = true }
        value.isCompound = false
        value.kind = .integer
        value.isMixed = false
        return .value(value)
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

    private func arithmetic(
        _ operation: ArithmeticOperation,
        _ operands: [Operand],
        _ node: ExpressionNode
    ) throws -> Operand {
        let numbers = try numbers(operands, node)
        guard var result = dialect.arithmetic(operation, numbers[0], numbers[1]) else { throw isNotComputed(node) }
        let isMixed = numbers.contains { $0.isMixed }
        let isDecimal = numbers.contains { $0.isMixed && $0.kind == .decimal }
        if isMixed, dialect.hasStaticTypes || isDecimal, operation == .divide {
            // A real number, whatever the other one is in a row, makes the division one of real numbers.
            guard numbers.contains(where: { $0.kind == .real && !$0.isMixed }) else { throw isMixedDivision(node) }
        }
        result.isMixed = isMixed && !operation.isOfBits
        return .value(result)
    }

    /// The result depends on the type that each row has.
    private func isMixedDivision(_ node: ExpressionNode) -> TranslationError {
        failure(
            .needsMemory,
            node,
            "its numbers are integers in some rows only, and a division of integers has no fraction",
            "Filter the fetched objects in memory"
        )
    }

    /// A power of integers is an integer unless it is a fraction or very large.
    private func power(_ operands: [Operand], _ node: ExpressionNode) throws -> Operand {
        guard case .value(var result) = try scalar(.power, operands, node) else { return operands[0] }
        result.isMixed = try numbers(operands, node).allSatisfy { $0.isMixed || $0.kind.summed == .integer }
        return .value(result)
    }

    /// The kind of a rounded number: integers stay such.
    private func rounded(_ kinds: [ValueKind]) -> ValueKind {
        dialect.hasStaticTypes && kinds.first?.summed == .integer ? .integer : .real
    }

    /// The dialect's function.
    func call(
        _ function: DialectFunction,
        _ arguments: [SQLOperand],
        _ node: ExpressionNode
    ) throws -> SQLFragment {
        if let sql = dialect.call(function, arguments) { return sql }
        throw isNotComputed(node)
    }

    private func isNotComputed(_ node: ExpressionNode) -> TranslationError {
        failure(
            .needsMemory,
            node,
            "\(dialect.name) does not compute it",
            "Filter the fetched objects in memory"
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
                sql: try call(function, numbers, node),
                kind: kind(numbers.map(\.kind)),
                // A function may have no value for a number, such as a division by zero.
                isNullable: true,
                isMixed: numbers.contains { $0.isMixed }
            )
        )
    }

    private func numbers(_ operands: [Operand], _ node: ExpressionNode) throws -> [SQLOperand] {
        try operands.map { operand in
            let number = try value(operand, node)
            guard number.kind.isNumber || number.kind == .unknown else {
                throw failure(.incomparable, node, "\(number.kind.name) is not a number")
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
        let operand = try value(operands[0], node)
        guard operand.kind == .text || operand.kind == .unknown else {
            throw failure(.incomparable, node, "\(operand.kind.name) is not a string")
        }
        return .value(SQLOperand(sql: try call(function, [operand], node), kind: kind, isNullable: true))
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
        let value = try value(try expression(arguments[0], environment), node)
        switch type {
        case "NSDate", "Date":
            guard value.kind.isNumber || value.kind == .date, let date = dialect.converted(value, to: .date) else {
                break
            }
            return .value(date)
        case "NSNumber", "NSDecimalNumber":
            if type == "NSDecimalNumber", value.kind.summed == .integer,
                let decimal = dialect.converted(value, to: .decimal)
            {
                return .value(decimal)
            }
            if value.kind.isNumber { return .value(value) }
            guard value.kind == .date, let seconds = dialect.converted(value, to: .real) else { break }
            return .value(seconds)
        case "NSString", "String":
            if value.kind == .text { return .value(value) }
            guard value.kind == .integer || value.kind == .real else { break }
            let sql = try call(.text, [value], node)
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
        case .sum, .average:
            let number = try addend(value, node)
            let sum = dialect.aggregate(aggregate == .sum ? .sum : .average, of: number, isDistinct: false)
            // The sum of nothing is 0, as Apple's systems say.
            return aggregate == .sum
                ? SQLOperand(sql: dialect.coalesce(sum, "0"), kind: number.kind.summed, isNullable: false)
                : SQLOperand(sql: sum, kind: average(of: number.kind), isNullable: true)
        case .minimum, .maximum:
            let extreme = dialect.aggregate(aggregate == .minimum ? .minimum : .maximum, of: value, isDistinct: false)
            return SQLOperand(sql: extreme, kind: value.kind, isNullable: true)
        case .median, .deviation:
            let number = try addend(value, node)
            return SQLOperand(sql: try statistic(aggregate, of: number, node), kind: .real, isNullable: true)
        }
    }

    /// An aggregate over expressions of one row.
    private func listAggregate(
        _ aggregate: Aggregate,
        _ elements: [Operand],
        _ node: ExpressionNode
    ) throws -> SQLOperand {
        let (values, kind, isMixed) = try values(elements, node)
        guard !values.isEmpty else { throw failure(.unsupported, node, "the list is empty") }
        // VALUES would be shorter, but cannot refer to the row around it.
        let selects = values.map { "SELECT \($0.sql) AS v" as SQLFragment }.joined(" UNION ALL ")
        let rows: SQLFragment = "FROM \(dialect.derivedTable(selects))"
        let value = SQLOperand(sql: "v", kind: kind, isNullable: true, isMixed: isMixed)
        switch aggregate {
        case .count: return SQLOperand(sql: "(SELECT COUNT(*) \(rows))", kind: .integer, isNullable: false)
        case .sum:
            let number = try addend(value, node)
            let sum = dialect.coalesce(dialect.aggregate(.sum, of: number, isDistinct: false), "0")
            return SQLOperand(
                sql: "(SELECT \(sum) \(rows))",
                kind: number.kind.summed,
                isNullable: false,
                isMixed: isMixed
            )
        case .average:
            let number = try addend(value, node)
            let average = dialect.coalesce(dialect.aggregate(.average, of: number, isDistinct: false), "0")
            return SQLOperand(
                sql: "(SELECT \(average) \(rows))",
                kind: self.average(of: number.kind),
                isNullable: false
            )
        case .minimum, .maximum:
            let extreme = dialect.aggregate(aggregate == .minimum ? .minimum : .maximum, of: value, isDistinct: false)
            return SQLOperand(sql: "(SELECT \(extreme) \(rows))", kind: kind, isNullable: true, isMixed: isMixed)
        case .median, .deviation:
            let sql = try statistic(aggregate, of: try addend(value, node), node)
            return SQLOperand(sql: "(SELECT \(sql) \(rows))", kind: .real, isNullable: true)
        }
    }

    /// A value that an aggregate can add up.
    func addend(_ value: SQLOperand, _ node: ExpressionNode) throws -> SQLOperand {
        guard dialect.hasStaticTypes else { return value }
        if value.kind.isNumber, value.kind != .boolean { return value }
        let kind: ValueKind = value.kind == .date ? .real : .integer
        guard let number = dialect.converted(value, to: kind) else {
            throw failure(.incomparable, node, "\(value.kind.name) is not a number")
        }
        return number
    }

    /// The kind of an average: exact if the numbers are, and the database has exact numbers.
    func average(of kind: ValueKind) -> ValueKind { dialect.hasStaticTypes && kind == .decimal ? .decimal : .real }

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
