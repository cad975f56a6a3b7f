// Numbers, functions and aggregates in PostgreSQL. Integers are computed as numeric, which does not overflow, and real
// numbers by functions that return infinity if PostgreSQL's operators would raise an error.
import Foundation
import GraphPredicates

extension PostgreSQLDialect {
    package func arithmetic(
        _ operation: ArithmeticOperation,
        _ left: SQLOperand,
        _ right: SQLOperand
    ) -> SQLOperand? {
        let kind = operation.isOfBits ? .integer : Self.kind(of: left, right)
        let sql: SQLFragment?
        var isCompound = false
        switch (operation, kind) {
        case _ where operation.isOfBits: sql = bits(operation, left, right)
        case (.divide, .integer): sql = "div(\(number(left, .decimal)), NULLIF(\(number(right, .decimal)), 0))"
        case (.divide, .decimal): sql = function("quotient", number(left, .decimal), number(right, .decimal))
        case (_, .real):
            let (a, b) = (number(left, .real), number(right, .real))
            sql =
                switch operation {
                case .add: function("add", a, b)
                case .subtract: function("add", a, "-\(b)")
                case .multiply: function("multiply", a, b)
                default: function("divide", a, b)
                }
        default:
            sql = "\(number(left, .decimal))\(literal: operation.sign)\(number(right, .decimal))"
            isCompound = true
        }
        return sql.map { sql in
            SQLOperand(
                sql: sql,
                kind: kind,
                isNullable: operation == .divide || operation.isOfBits || kind == .real || left.isNullable
                    || right.isNullable,
                isCompound: isCompound
            )
        }
    }

    private func bits(
        _ operation: ArithmeticOperation,
        _ left: SQLOperand,
        _ right: SQLOperand
    ) -> SQLFragment? {
        // Beside another number, an integer is a real number first.
        let isReal = Self.kind(of: left, right) != .integer
        let values = [left, right].compactMap { bits(isReal ? converted($0, to: .real) ?? $0 : $0) }
        guard values.count == 2 else { return nil }
        switch operation {
        case .shiftLeft: return function("shift", values[0], values[1])
        case .shiftRight: return function("shift_back", values[0], values[1])
        default: return "(\(values[0])\(literal: operation.sign)\(values[1]))"
        }
    }

    /// The kind of numbers that an operation on two numbers computes with.
    private static func kind(of left: SQLOperand, _ right: SQLOperand) -> ValueKind {
        let kinds = [left.kind, right.kind]
        return kinds.contains(.real) ? .real : kinds.contains(.decimal) ? .decimal : .integer
    }

    /// An atom of a type that computes exactly or with real numbers.
    private func number(_ value: SQLOperand, _ kind: ValueKind) -> SQLFragment {
        converted(value, to: kind)?.atom ?? value.atom
    }

    /// The whole part of a number, if it fits into 64 bits.
    private func bits(_ value: SQLOperand) -> SQLFragment? {
        function("integer", value.kind == .real ? value.sql : number(value, .decimal))
    }

    package func complement(_ value: SQLOperand) -> SQLFragment? { bits(value).map { "(~\($0))" } }

    /// An element of an array has no index.
    package func withoutIndex(_ value: SQLFragment) -> SQLFragment { "(ARRAY[\(value)])[1]" }

    package func call(_ function: DialectFunction, _ arguments: [SQLOperand]) -> SQLFragment? {
        guard let first = arguments.first else { return function == .random ? "random()" : nil }
        let isInteger = first.kind == .integer || first.kind == .boolean || first.kind == .unknown
        switch function {
        case .modulus:
            guard arguments.allSatisfy({ Self.kind(of: $0, $0) == .integer }) else {
                return self.function("modulus", number(first, .real), number(arguments[1], .real))
            }
            return "mod(\(number(first, .decimal)), NULLIF(\(number(arguments[1], .decimal)), 0))"
        case .power: return self.function("power", number(first, .real), number(arguments[1], .real))
        case .squareRoot: return self.function("sqrt", number(first, .real))
        case .log: return self.function("log", number(first, .real))
        case .naturalLog: return self.function("ln", number(first, .real))
        case .exponential: return self.function("exp", number(first, .real))
        case .floor: return isInteger ? number(first, .decimal) : "floor(\(number(first, .real)))"
        case .ceiling: return isInteger ? number(first, .decimal) : "ceil(\(number(first, .real)))"
        case .truncate: return isInteger ? number(first, .decimal) : "trunc(\(number(first, .real)))"
        case .absolute: return "abs(\(first.kind == .real ? first.atom : number(first, .decimal)))"
        case .random: return "random()"
        case .randomBelow: return bits(first).flatMap { self.function("random", $0) }
        case .uppercase: return self.function("upper", text(first))
        case .lowercase: return self.function("lower", text(first))
        case .canonical: return folded(text(first), .folding)
        case .length: return self.function("length", text(first))
        case .byteCount: return "octet_length(\(first.sql))"
        case .text:
            return isInteger ? cast(number(first, .decimal), "text") : self.function("text", number(first, .real))
        case .key: return nil
        }
    }

    private func text(_ value: SQLOperand) -> SQLFragment { converted(value, to: .text)?.sql ?? value.sql }

    // MARK: Aggregates

    package func aggregate(_ aggregate: DialectAggregate, of value: SQLOperand, isDistinct: Bool) -> SQLFragment {
        let distinct: SQLFragment = isDistinct ? "DISTINCT " : ""
        switch aggregate {
        case .sum where value.kind == .real: return sum(value, distinct)
        case .sum: return "SUM(\(distinct)\(value.sql))"
        case .average where value.kind == .decimal:
            let count = SQLOperand(sql: "COUNT(\(distinct)\(value.sql))", kind: .integer, isNullable: false)
            let sum = SQLOperand(sql: "SUM(\(distinct)\(value.sql))", kind: .decimal, isNullable: true)
            return arithmetic(.divide, sum, count)?.sql ?? "AVG(\(distinct)\(value.sql))"
        case .average:
            let count: SQLFragment = "CAST(COUNT(\(distinct)\(value.sql)) AS double precision)"
            return function("divide", sum(value, distinct), count) ?? "AVG(\(distinct)\(value.sql))"
        case .minimum: return extreme(value, isGreatest: false)
        case .maximum: return extreme(value, isGreatest: true)
        }
    }

    /// A sum of real numbers, which may be infinite.
    private func sum(_ value: SQLOperand, _ distinct: SQLFragment) -> SQLFragment {
        let numbers: SQLFragment = "\(distinct)\(number(value, .real))"
        return function("sum", numbers) ?? "SUM(\(numbers))"
    }

    private func extreme(_ value: SQLOperand, isGreatest: Bool) -> SQLFragment {
        switch value.kind {
        case .boolean: return isGreatest ? "BOOL_OR(\(value.sql))" : "BOOL_AND(\(value.sql))"
        case .uuid, .data, .transformable:
            // PostgreSQL has no minimum of them.
            let direction: SQLFragment = isGreatest ? " DESC" : ""
            return
                "(ARRAY_AGG(\(value.sql) ORDER BY \(value.sql)\(direction)) FILTER (WHERE \(value.sql) IS NOT NULL))[1]"
        default:
            let value = ordered(value)
            return isGreatest ? "MAX(\(value.sql))" : "MIN(\(value.sql))"
        }
    }

    /// The values of all rows reach the function as one array.
    package func statistic(_ statistic: DialectStatistic, of value: SQLOperand, isDistinct: Bool) -> SQLFragment? {
        let distinct: SQLFragment = isDistinct ? "DISTINCT " : ""
        let values: SQLFragment = "ARRAY_AGG(\(distinct)\(number(value, .real)))"
        return switch statistic {
        case .median: function("median", values)
        case .deviation: function("deviation", values)
        }
    }
}
