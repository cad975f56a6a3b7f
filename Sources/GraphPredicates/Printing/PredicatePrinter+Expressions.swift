// Prints expressions. Infix functions get only the parentheses that the parser's precedence requires.

import Foundation

extension PredicatePrinter {
    /// The format of an expression.
    package static func print(_ node: ExpressionNode) -> String {
        switch node {
        case .constant(let value): return LiteralPrinter.print(value)
        case .evaluatedObject: return "SELF"
        case .variable(let name): return "$" + name
        case .keyPath(let keys): return print(keys, of: nil)
        case .keyPathOf(let base, let keys): return print(keys, of: base)
        case .function(let name, let target, let arguments): return print(name, target, arguments)
        case .aggregate(let nodes): return "{" + list(nodes) + "}"
        case .subquery(let collection, let variable, let predicate):
            return "SUBQUERY(\(print(collection)), $\(variable), \(print(predicate)))"
        case .union(let a, let b): return set("UNION", a, b)
        case .intersect(let a, let b): return set("INTERSECT", a, b)
        case .minus(let a, let b): return set("MINUS", a, b)
        case .conditional(let predicate, let yes, let no):
            return "TERNARY(\(print(predicate)), \(print(yes)), \(print(no)))"
        case .assignment(let name, let value): return "$\(name) := \(print(value))"
        case .anyKey: return "ANYKEY"
        case .symbolicIndex(let index): return index.rawValue
        case .block(_, let arguments):
            return "BLOCK(<closure>" + arguments.map { ", " + print($0) }.joined() + ")"
        case .fetch(let request, let context, let countOnly):
            return "FETCH(\(print(request)), \(print(context)), \(countOnly ? "YES" : "NO"))"
        }
    }

    private static func list(_ nodes: [ExpressionNode]) -> String {
        nodes.map { print($0) }.joined(separator: ", ")
    }

    // MARK: - Keys

    private static func print(_ keys: [String], of base: ExpressionNode?) -> String {
        // A path that begins with a variable's name was made without the parser, which reads the variable in the text.
        let beginsWithVariable = base == nil && keys.first.map(isVariable) == true
        let odd = keys.indices.last { place in
            !isPlain(keys[place]) && !FormatPlaceholder.isKey(keys[place]) && !(place == 0 && beginsWithVariable)
        }
        if let odd {
            // A key that has no spelling in the language is read by a method call.
            let before = odd == 0 ? print(base ?? .evaluatedObject) : print(Array(keys[..<odd]), of: base)
            let rest = odd + 1 < keys.count ? "." + print(Array(keys[(odd + 1)...]), of: nil) : ""
            return "FUNCTION(\(before), \"valueForKey:\" , \(LiteralPrinter.print(keys[odd])))" + rest
        }
        let path = keys.map { ReservedWords.needEscape($0) && !FormatPlaceholder.isKey($0) ? "#" + $0 : $0 }.joined(
            separator: "."
        )
        guard let base else { return path }
        return operand(base, tighterThan: InfixOperator.unaryPrecedence) + "." + path
    }

    private static func isVariable(_ key: String) -> Bool { key.first == "$" && Lexer.isName(String(key.dropFirst())) }

    static func isPlain(_ key: String) -> Bool {
        let name = String(key.hasPrefix("@") ? key.dropFirst() : key[...])
        return Lexer.isName(name) && name.lowercased() != "self"
    }

    // MARK: - Functions

    private static func print(_ name: String, _ target: ExpressionNode?, _ arguments: [ExpressionNode]) -> String {
        if let target {
            if name == ExpressionNode.valueForKeyPath, arguments.count == 1, case .variable = arguments[0] {
                return operand(target, tighterThan: InfixOperator.unaryPrecedence) + "." + print(arguments[0])
            }
            // Apple's format has a space before the comma after the method's name.
            let rest = arguments.isEmpty ? "" : " , " + list(arguments)
            return "FUNCTION(\(print(target)), \(LiteralPrinter.print(name))\(rest))"
        }
        let function = FunctionName(rawValue: name)
        if let infix = function?.infix, arguments.count == 2 {
            let left = infix.isRightAssociative ? infix.precedence : infix.precedence - 1
            let right = infix.isRightAssociative ? infix.precedence - 1 : infix.precedence
            return operand(arguments[0], tighterThan: left) + " \(infix.text) "
                + operand(arguments[1], tighterThan: right)
        }
        switch function {
        case .objectAtIndex? where arguments.count == 2:
            return operand(arguments[0], tighterThan: InfixOperator.unaryPrecedence) + "[" + print(arguments[1]) + "]"
        case .onesComplement? where arguments.count == 1:
            return "~" + operand(arguments[0], tighterThan: InfixOperator.unaryPrecedence - 1)
        case .cast? where arguments.count == 2: return "CAST(\(list(arguments)))"
        default: return "\(name)(\(list(arguments)))"
        }
    }

    private static func set(_ word: String, _ a: ExpressionNode, _ b: ExpressionNode) -> String {
        operand(a, tighterThan: InfixOperator.setPrecedence - 1) + " \(word) "
            + operand(b, tighterThan: InfixOperator.setPrecedence)
    }

    /// An operand, in parentheses unless it binds tighter than its surroundings.
    private static func operand(_ node: ExpressionNode, tighterThan precedence: Int) -> String {
        var printed = print(node)
        if case .constant(let value) = node { printed = LiteralPrinter.print(value, isOperand: true) }
        return self.precedence(of: node) > precedence ? printed : "(" + printed + ")"
    }

    static func precedence(of node: ExpressionNode) -> Int {
        switch node {
        case .union, .intersect, .minus: return InfixOperator.setPrecedence
        case .assignment: return 0
        case .function(let name, nil, let arguments):
            let function = FunctionName(rawValue: name)
            if function == .onesComplement, arguments.count == 1 { return InfixOperator.unaryPrecedence }
            if arguments.count == 2, let infix = function?.infix { return infix.precedence }
            return .max
        case .constant(let value):
            // `-5.x` and `5.x` would not parse as keys of a number, nor `-5` after a sign.
            return EvaluatedValue(value).isNumber ? InfixOperator.unaryPrecedence : .max
        default: return .max
        }
    }
}
