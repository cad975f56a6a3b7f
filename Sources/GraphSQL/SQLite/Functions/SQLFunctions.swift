// The functions that translated SQL calls. Each is the in-memory evaluator's own code behind SQL values, so that a
// predicate means the same in both places. Registered on every connection by the store; they are independent of the
// driver.
import Foundation
import GraphPredicates

/// All functions that translated statements may call.
package enum SQLFunctions {
    package static let all: [SQLFunction] = tests + texts + numbers + encodings

    // MARK: - Operators on texts: (text, pattern, options)

    private static let tests: [SQLFunction] = [
        test(.contains, .contains), test(.beginsWith, .beginsWith), test(.endsWith, .endsWith), test(.like, .like),
        test(.matches, .matches), equality,
        SQLFunction(SQLiteDialect.name(of: .order), 3) { arguments in
            guard case .text(let left) = arguments[0], case .text(let right) = arguments[1] else { return .null }
            let options = options(arguments[2])
            let order = TextSort.compare(
                TextFolding.fold(left, options),
                TextFolding.fold(right, options),
                options.contains(.localeSensitive) ? .localized : .plain
            )
            return .integer(Int64(order.rawValue))
        },
    ]

    private static func test(_ comparison: TextComparison, _ kind: TextMatcher.Kind) -> SQLFunction {
        let prepare: @Sendable (String, SQLValue) throws -> TextMatcher = { try TextMatcher(kind, $0, options($1)) }
        var function = SQLFunction(SQLiteDialect.name(of: comparison), 3) { arguments in
            if case .null = arguments[0] { return .null }
            if case .null = arguments[1] { return .null }
            guard case .text(let subject) = arguments[0], case .text(let pattern) = arguments[1] else {
                return .integer(0)
            }
            return .integer(try prepare(pattern, arguments[2]).holds(subject) ? 1 : 0)
        }
        function.prepare = prepare
        return function
    }

    private static let equality: SQLFunction = {
        let prepare: @Sendable (String, SQLValue) throws -> TextMatcher = { try TextMatcher(.equals, $0, options($1)) }
        var function = SQLFunction(SQLiteDialect.name(of: .equal), 3) { arguments in
            guard case .text(let left) = arguments[0], case .text(let right) = arguments[1] else {
                return .integer(arguments[0] == arguments[1] ? 1 : 0)
            }
            return .integer(try prepare(right, arguments[2]).holds(left) ? 1 : 0)
        }
        function.prepare = prepare
        return function
    }()

    private static func options(_ value: SQLValue) -> ComparisonOptions {
        guard case .integer(let number) = value else { return [] }
        return ComparisonOptions(rawValue: UInt(truncatingIfNeeded: number))
    }

    // MARK: - Functions of the language

    private static let texts: [SQLFunction] = [
        call(.uppercase, .uppercase),
        call(.lowercase, .lowercase),
        call(.canonical, .canonical),
        call(.length, .length),
        SQLFunction(SQLiteDialect.name(of: .text), 1) { arguments in
            let parts: [ExpressionNode] = [.constant(arguments[0].anyValue), .constant("NSString")]
            return try compute(.function(name: FunctionName.cast.rawValue, target: nil, arguments: parts))
        },
        // A key that texts and numbers answer themselves, such as `capitalizedString`.
        SQLFunction(SQLiteDialect.name(of: .key), 2) { arguments in
            guard case .text(let key) = arguments[1] else { return .null }
            return try compute(.keyPathOf(.constant(arguments[0].anyValue), [key]))
        },
    ]

    private static let numbers: [SQLFunction] = [
        call(.modulus, .modulus),
        call(.power, .raise),
        call(.squareRoot, .squareRoot),
        call(.log, .log),
        call(.naturalLog, .naturalLog),
        call(.exponential, .exponential),
        call(.floor, .floor),
        call(.ceiling, .ceiling),
        call(.truncate, .truncate),
        call(.absolute, .absolute),
        list(.median, .median),
        list(.deviation, .standardDeviation),
        call(.random, .random, isDeterministic: false),
        call(.randomBelow, .randomBelow, isDeterministic: false),
    ]

    private static func call(
        _ name: DialectFunction,
        _ function: FunctionName,
        isDeterministic: Bool = true
    ) -> SQLFunction {
        let name = SQLiteDialect.name(of: name)
        return SQLFunction(name, function.argumentCount, isDeterministic: isDeterministic) { arguments in
            let arguments = arguments.map { ExpressionNode.constant($0.anyValue) }
            return try compute(.function(name: function.rawValue, target: nil, arguments: arguments))
        }
    }

    /// A function of numbers that come as one text.
    private static func list(_ name: DialectStatistic, _ function: FunctionName) -> SQLFunction {
        SQLFunction(SQLiteDialect.name(of: name), 1) { arguments in
            guard case .text(let list) = arguments[0] else { return .null }
            let numbers = list.split(separator: ",").map { Double($0) }
            return try compute(.function(name: function.rawValue, target: nil, arguments: [.constant(numbers)]))
        }
    }

    private static func compute(_ node: ExpressionNode) throws -> SQLValue {
        SQLValue(EvaluatedValue(try ExpressionEvaluator(node).evaluate(nil)))
    }

    // MARK: - Elements of JSON lists

    private static let encodings: [SQLFunction] = [
        // A real number, or another element of the list.
        SQLFunction(JSONList.realFunction, 1) { arguments in JSONList.element(arguments[0]) },
        // Bytes as hexadecimal digits.
        SQLFunction(JSONList.dataFunction, 1) { arguments in
            guard case .text(let digits) = arguments[0] else { return .null }
            return .blob(data(fromHexadecimal: digits))
        },
    ]

    private static func data(fromHexadecimal digits: String) -> Data {
        var data = Data(capacity: digits.utf8.count / 2)
        var high: UInt8?
        for digit in digits.utf8 {
            let value =
                digit <= UInt8(ascii: "9") ? digit &- UInt8(ascii: "0") : (digit | 32) &- UInt8(ascii: "a") &+ 10
            if let first = high {
                data.append(first << 4 | value)
                high = nil
            } else {
                high = value
            }
        }
        return data
    }
}

extension SQLValue {
    /// The value for the evaluator.
    fileprivate var anyValue: Any? {
        switch self {
        case .null: nil
        case .integer(let value): value
        case .real(let value): value
        case .text(let value): value
        case .blob(let value): value
        case .typed(let value): value.plain.anyValue
        }
    }

    /// A result of the evaluator.
    fileprivate init(_ value: EvaluatedValue) {
        switch value {
        case .boolean(let value): self = .integer(value ? 1 : 0)
        case .integer(let value): self = .integer(value)
        case .real(let value): self = .real(value)
        case .decimal(let value): self = .real(value.nearestReal)
        case .text(let value): self = .text(value)
        case .date(let value): self = .real(value.timeIntervalSinceReferenceDate)
        case .data(let value): self = .blob(value)
        default: self = .null
        }
    }
}
