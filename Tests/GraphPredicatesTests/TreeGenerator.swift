// Random trees of predicates and expressions.
import Foundation
import GraphPredicates
import TestSupport
import Testing

/// Creates random trees of the shapes that the parser produces.
struct TreeGenerator {
    var random: SeededNumbers
    init(seed: UInt64) { random = SeededNumbers(seed: seed) }

    private mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }

    mutating func predicate(depth: Int) -> PredicateNode {
        switch depth == 0 ? below(2) : below(9) {
        case 0: return .constant(Bool.random(using: &random))
        case 1...4: return comparison(depth: max(depth - 1, 0))
        case 5: return .not(predicate(depth: depth - 1))
        case 6, 7: return .and((0..<2 + below(3)).map { _ in predicate(depth: depth - 1) })
        default: return .or((0..<2 + below(3)).map { _ in predicate(depth: depth - 1) })
        }
    }

    private mutating func comparison(depth: Int) -> PredicateNode {
        let operators = ComparisonOperator.allCases.filter { $0 != .customSelector }
        let node = ComparisonNode(
            left: expression(depth: depth),
            right: expression(depth: depth),
            modifier: [.direct, .direct, .any, .all][below(4)],
            op: operators[below(operators.count)],
            options: ComparisonOptions(rawValue: Bool.random(using: &random) ? 0 : UInt(below(16)))
        )
        return .comparison(node)
    }

    mutating func expression(depth: Int) -> ExpressionNode {
        let inner = depth - 1
        switch depth == 0 ? below(5) : below(18) {
        case 0: return .constant(constant())
        case 1, 2: return .keyPath(path())
        case 3: return .variable(["x", "VALUE", "_local_1"][below(3)])
        case 4: return Bool.random(using: &random) ? .evaluatedObject : .anyKey
        case 5: return expression(depth: inner).appending(keys: path())
        case 6...9:
            let infix = InfixOperator.all[below(InfixOperator.all.count)]
            let operands = [expression(depth: inner), expression(depth: inner)]
            return .function(name: infix.function.rawValue, target: nil, arguments: operands)
        case 10:
            let functions = FunctionName.allCases.filter { $0 != .cast }
            let function = functions[below(functions.count)]
            let arguments = (0..<function.argumentCount).map { _ in expression(depth: inner) }
            return .function(name: function.rawValue, target: nil, arguments: arguments)
        case 11: return .aggregate((0..<below(4)).map { _ in expression(depth: inner) })
        case 12:
            return .subquery(
                collection: expression(depth: inner),
                variable: "x",
                predicate: predicate(depth: inner)
            )
        case 13: return .union(expression(depth: inner), expression(depth: inner))
        case 14: return .minus(expression(depth: inner), expression(depth: inner))
        case 15:
            return .conditional(predicate(depth: inner), expression(depth: inner), expression(depth: inner))
        case 16:
            return .call(
                target: expression(depth: inner),
                selector: "method:",
                arguments: [expression(depth: inner)]
            )
        default:
            let index: [ExpressionNode] = [.symbolicIndex(.first), .symbolicIndex(.size), expression(depth: inner)]
            return .function(
                name: FunctionName.objectAtIndex.rawValue,
                target: nil,
                arguments: [expression(depth: inner), index[below(3)]]
            )
        }
    }

    private mutating func path() -> [String] {
        let names = ["name", "books", "in", "size", "Größe", "@count", "first name", "@sum", "pages", "_x1", "like"]
        return (0..<1 + below(3)).map { _ in names[below(names.count)] }
    }

    private mutating func constant() -> Any? {
        switch below(14) {
        case 0: return nil
        case 1: return Bool.random(using: &random)
        case 2: return Int.random(in: .min ... .max, using: &random)
        case 3: return below(10) - 5
        case 4: return Double(below(1000)) / 8 - 60
        case 5: return Double(bitPattern: UInt64.random(in: 0...(0x7FEF << 48), using: &random))
        case 6: return Date(timeIntervalSinceReferenceDate: Double.random(in: -1e9...1e9, using: &random))
        case 7: return UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, UInt8(below(256))))
        case 8: return Data((0..<below(9)).map { UInt8($0 * 25) })
        case 9: return Decimal(string: "\(below(1000)).\(below(1000))")
        case 10: return (0..<below(4)).map { $0 * 3 }
        case 11: return ["a", "b \"c\"", "d"].prefix(below(4)).map { $0 }
        default:
            let pieces = [
                "a", "Zürich", "\"", "'", "\\", "\n", "\t", "%@", "$x", " ", "\\n", "👩‍👧", "\u{301}", "#in", "\0",
            ]
            return (0..<below(6)).map { _ in pieces[below(pieces.count)] }.joined()
        }
    }
}
