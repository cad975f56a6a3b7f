// Reads and writes Apple's archived form of expressions: a class and a number for each kind, and the keys of its parts.
// Called by the initializer and `encode(with:)` of NSExpression.
//
//     NUMBER     CLASS                            KEYS besides NSExpressionType
//     0          NSConstantValueExpression        NSConstantValue, or NSConstantValueClassName for a class
//     1          NSSelfExpression                 -
//     2          NSVariableExpression             NSVariable
//     3          NSKeyPathExpression              NSOperand, NSSelectorName, NSArguments: one of the number 10
//     4          NSKeyPathExpression              the same, of an operand other than the evaluated object
//     4          NSFunctionExpression             NSOperand, NSSelectorName, NSArguments
//     5, 6, 7    NSSetExpression                  NSLeftExpression, NSRightExpression
//     10         NSKeyPathSpecifierExpression     NSKeyPath
//     11         NSSymbolicExpression             NSToken
//     12         NSVariableAssignmentExpression   NSVariable, NSExpression
//     13         NSSubqueryExpression             NSCollection, NSVariable, NSPredicate
//     14         NSAggregateExpression            NSCollection
//     15         NSAnyKeyExpression               -
//     20         NSTernaryExpression              NSPredicate, NSTrueExpression, NSFalseExpression
//     50         NSFetchRequestExpression         NSFRExpression, NSMOCExpression, NSCountOnlyFlag
//
// 0 to 4, 10 and 14 match archives from Apple's systems; the keys of the others are unverified.

import Foundation

enum ArchivedExpression {
    /// The class that has Apple's functions as methods; archived in place of the object if a function has none.
    private static let utilities = "_NSPredicateUtilities"

    // MARK: - Reading

    /// The tree of an archived expression.
    static func node(_ coder: NSCoder) -> ExpressionNode? {
        switch coder.decodeInteger(forKey: "NSExpressionType") {
        case 0: return constant(coder)
        case 1: return .evaluatedObject
        case 2: return coder.text("NSVariable").map(ExpressionNode.variable)
        case 3, 4: return function(coder)
        case 5: return set(coder, ExpressionNode.union)
        case 6: return set(coder, ExpressionNode.intersect)
        case 7: return set(coder, ExpressionNode.minus)
        case 10: return coder.text("NSKeyPath").map { .constant($0) }
        case 11: return coder.text("NSToken").flatMap(SymbolicIndex.init).map(ExpressionNode.symbolicIndex)
        case 12:
            guard let name = coder.text("NSVariable"), let value = coder.expression("NSExpression") else { return nil }
            return .assignment(name, value)
        case 13:
            guard let collection = coder.expression("NSCollection"), let name = coder.text("NSVariable"),
                let predicate = coder.predicate("NSPredicate")
            else { return nil }
            return .subquery(collection: collection, variable: name, predicate: predicate)
        case 14: return coder.expressions("NSCollection").map(ExpressionNode.aggregate)
        case 15: return .anyKey
        case 20:
            guard let predicate = coder.predicate("NSPredicate"), let yes = coder.expression("NSTrueExpression"),
                let no = coder.expression("NSFalseExpression")
            else { return nil }
            return .conditional(predicate, yes, no)
        case 50:
            guard let request = coder.expression("NSFRExpression"), let context = coder.expression("NSMOCExpression")
            else {
                return nil
            }
            return .fetch(request: request, context: context, countOnly: coder.decodeBool(forKey: "NSCountOnlyFlag"))
        default: return nil
        }
    }

    private static func constant(_ coder: NSCoder) -> ExpressionNode? {
        if coder.containsValue(forKey: "NSConstantValueClassName") {
            return coder.text("NSConstantValueClassName").map { .constant(ArchivedClass(name: $0)) }
        }
        guard coder.containsValue(forKey: "NSConstantValue") else { return nil }
        return .constant(
            FormatArguments.plain(coder.decodeObject(of: ArchivedValue.classes, forKey: "NSConstantValue"))
        )
    }

    private static func set(
        _ coder: NSCoder,
        _ make: (ExpressionNode, ExpressionNode) -> ExpressionNode
    ) -> ExpressionNode? {
        guard let left = coder.expression("NSLeftExpression"), let right = coder.expression("NSRightExpression") else {
            return nil
        }
        return make(left, right)
    }

    private static func function(_ coder: NSCoder) -> ExpressionNode? {
        guard let name = coder.text("NSSelectorName"), let operand = coder.expression("NSOperand") else { return nil }
        guard let arguments = coder.containsValue(forKey: "NSArguments") ? coder.expressions("NSArguments") : [] else {
            return nil
        }
        if case .constant(let type as ArchivedClass) = operand, type.name == utilities {
            let function = FunctionName.named(name, argumentCount: arguments.count)
            return .calling(function?.rawValue ?? name, arguments)
        }
        return .call(target: operand, selector: name, arguments: arguments)
    }

    // MARK: - Writing

    /// Writes the parts of an expression.
    static func encode(_ node: ExpressionNode, _ coder: NSCoder) {
        func write(_ number: Int, _ parts: (String, Any?)...) {
            coder.encode(number, forKey: "NSExpressionType")
            for (key, part) in parts { coder.encode(part, forKey: key) }
        }
        func expression(_ node: ExpressionNode) -> NSExpression { NSExpression.make(node) }
        func list(_ nodes: [ExpressionNode]) -> NSArray { NSMutableArray(array: nodes.map(expression)) }
        func call(_ number: Int, _ target: ExpressionNode, _ selector: String, _ arguments: NSArray) {
            write(number, ("NSOperand", expression(target)), ("NSSelectorName", selector), ("NSArguments", arguments))
        }
        switch node {
        case .constant(let type as ArchivedClass): write(0, ("NSConstantValueClassName", type.name))
        case .constant(let value):
            do {
                let object = try ArchivedValue.object(EvaluatedValue(value))
                write(0, ("NSConstantValue", object))
            } catch {
                ArchiveFailures.report((error as? UnarchivableConstant)?.reason ?? "\(error)")
            }
        case .evaluatedObject: write(1)
        case .variable(let name): write(2, ("NSVariable", name))
        case .keyPath(let keys), .keyPathOf(_, let keys):
            let (base, selector, path) = parts(of: keys, node)
            let specifier = NSMutableArray(array: [NSKeyPathSpecifierExpression(node: .constant(path))])
            if case .evaluatedObject = base {
                call(3, base, selector, specifier)
            } else {
                call(4, base, selector, specifier)
            }
        case .function(let name, let target, let arguments):
            call(4, target ?? .constant(ArchivedClass(name: utilities)), name, list(arguments))
        case .aggregate(let nodes): write(14, ("NSCollection", list(nodes)))
        case .subquery(let collection, let name, let predicate):
            write(
                13,
                ("NSCollection", expression(collection)),
                ("NSVariable", name),
                ("NSPredicate", NSPredicate.make(predicate))
            )
        case .union(let a, let b): write(5, ("NSLeftExpression", expression(a)), ("NSRightExpression", expression(b)))
        case .intersect(let a, let b):
            write(6, ("NSLeftExpression", expression(a)), ("NSRightExpression", expression(b)))
        case .minus(let a, let b): write(7, ("NSLeftExpression", expression(a)), ("NSRightExpression", expression(b)))
        case .conditional(let predicate, let yes, let no):
            write(
                20,
                ("NSPredicate", NSPredicate.make(predicate)),
                ("NSTrueExpression", expression(yes)),
                ("NSFalseExpression", expression(no))
            )
        case .assignment(let name, let value): write(12, ("NSVariable", name), ("NSExpression", expression(value)))
        case .anyKey: write(15)
        case .symbolicIndex(let index): write(11, ("NSToken", index.rawValue))
        case .fetch(let request, let context, let countOnly):
            write(50, ("NSFRExpression", expression(request)), ("NSMOCExpression", expression(context)))
            coder.encode(countOnly, forKey: "NSCountOnlyFlag")
        case .block: ArchiveFailures.report("An expression made of a closure cannot be archived.")
        }
    }

    /// A path as one step, or its last key if that key contains a dot, as only `valueForKey:` reads such a key whole.
    private static func parts(of keys: [String], _ node: ExpressionNode) -> (ExpressionNode, String, String) {
        var base = ExpressionNode.evaluatedObject
        if case .keyPathOf(let inner, _) = node { base = inner }
        if let odd = keys.lastIndex(where: { $0.contains(".") || $0.isEmpty }), keys.count > 1 {
            let start = odd == keys.count - 1 ? odd : odd + 1
            base = base.appending(keys: Array(keys[..<start]))
            return (base, start == odd ? "valueForKey:" : "valueForKeyPath:", keys[start...].joined(separator: "."))
        }
        let isPath = keys.count > 1 || keys.contains { $0.hasPrefix("@") }
        return (base, isPath ? "valueForKeyPath:" : "valueForKey:", keys.joined(separator: "."))
    }

    /// The class with Apple's name for a kind of expression.
    static func type(of node: ExpressionNode) -> AnyClass {
        switch node {
        case .constant: return NSConstantValueExpression.self
        case .evaluatedObject: return NSSelfExpression.self
        case .variable: return NSVariableExpression.self
        case .keyPath, .keyPathOf: return NSKeyPathExpression.self
        case .function: return NSFunctionExpression.self
        case .aggregate: return NSAggregateExpression.self
        case .subquery: return NSSubqueryExpression.self
        case .union, .intersect, .minus: return NSSetExpression.self
        case .conditional: return NSTernaryExpression.self
        case .assignment: return NSVariableAssignmentExpression.self
        case .anyKey: return NSAnyKeyExpression.self
        case .symbolicIndex: return NSSymbolicExpression.self
        case .fetch: return NSFetchRequestExpression.self
        case .block: return NSExpression.self
        }
    }
}
