// The kind and the parts of an expression, with Apple's names. Reading a part that the kind does not have traps, as it
// raises an exception on Apple's systems; check `expressionType` first.

import Foundation

extension NSExpression {
    /// The kind of an expression; raw values are Apple's.
    public enum ExpressionType: UInt, Sendable {
        /// A constant.
        case constantValue = 0
        /// `SELF`.
        case evaluatedObject = 1
        /// `$name`.
        case variable = 2
        /// A key path.
        case keyPath = 3
        /// A function or method.
        case function = 4
        /// `UNION`.
        case unionSet = 5
        /// `INTERSECT`.
        case intersectSet = 6
        /// `MINUS`.
        case minusSet = 7
        /// `SUBQUERY`.
        case subquery = 13
        /// A list.
        case aggregate = 14
        /// `ANYKEY`.
        case anyKey = 15
        /// A closure.
        case block = 19
        /// `TERNARY`.
        case conditional = 20
        /// `FETCH`; Core Data's constant `NSFetchRequestExpressionType`.
        case fetchRequest = 50
    }

    /// Makes an expression of a kind without parts: `evaluatedObject` or `anyKey`.
    public convenience init(expressionType type: ExpressionType) {
        switch type {
        case .evaluatedObject: self.init(node: .evaluatedObject)
        case .anyKey: self.init(node: .anyKey)
        default: fatalError("An expression of the type \(type) needs parts. Use the initializer that takes them.")
        }
    }

    /// The kind.
    public var expressionType: ExpressionType {
        switch node {
        case .constant, .symbolicIndex: return .constantValue
        case .evaluatedObject: return .evaluatedObject
        case .variable: return .variable
        case .keyPath: return .keyPath
        case .keyPathOf, .function, .assignment: return .function
        case .aggregate: return .aggregate
        case .subquery: return .subquery
        case .union: return .unionSet
        case .intersect: return .intersectSet
        case .minus: return .minusSet
        case .conditional: return .conditional
        case .anyKey: return .anyKey
        case .block: return .block
        case .fetch: return .fetchRequest
        }
    }

    /// The value of a constant; numbers and truth values are `NSNumber`s, which can be cast to each of Swift's types of
    /// numbers, as on Apple's systems.
    public var constantValue: Any? {
        switch node {
        case .constant(let value): return value.map(Self.number)
        case .symbolicIndex(let index): return index.rawValue
        default: missing("constant value")
        }
    }

    private static func number(_ value: Any) -> Any {
        // Swift's numbers can be cast to NSNumber too.
        if type(of: value) is AnyClass { return value }
        switch value {
        case let value as Bool: return NSNumber(value: value)
        case let value as Double: return NSNumber(value: value)
        case let value as Float: return NSNumber(value: value)
        case let value as any FixedWidthInteger & UnsignedInteger: return NSNumber(value: UInt64(value))
        case let value as any FixedWidthInteger: return NSNumber(value: Int64(value))
        default: return value
        }
    }

    /// The path of a key path expression.
    public var keyPath: String {
        switch node {
        case .keyPath(let keys): return keys.joined(separator: ".")
        case .keyPathOf(_, let keys): return keys.joined(separator: ".")
        default: missing("key path")
        }
    }

    /// The name of a function or method.
    public var function: String {
        switch node {
        case .function(let name, _, _): return name
        case .keyPathOf: return ExpressionNode.valueForKeyPath
        default: missing("function")
        }
    }

    /// The name of a variable, or of the variable that a subquery or an assignment binds.
    public var variable: String {
        switch node {
        case .variable(let name), .assignment(let name, _): return name
        case .subquery(_, let name, _): return name
        default: missing("variable")
        }
    }

    /// The object of a method.
    public var operand: NSExpression {
        switch node {
        case .function(_, let target, _): return NSExpression.make(target ?? .constant(nil))
        case .keyPathOf(let base, _): return NSExpression.make(base)
        default: missing("operand")
        }
    }

    /// The arguments of a function, method or block.
    public var arguments: [NSExpression]? {
        switch node {
        case .function(_, _, let arguments): return arguments.map { NSExpression.make($0) }
        case .block(_, let arguments): return arguments.map { NSExpression.make($0) }
        case .keyPathOf(_, let keys): return [NSExpression(forConstantValue: keys.joined(separator: "."))]
        default: missing("arguments")
        }
    }

    /// The expressions of a list, or the collection expression of a subquery.
    public var collection: Any {
        switch node {
        case .aggregate(let nodes): return nodes.map { NSExpression.make($0) }
        case .subquery(let collection, _, _): return NSExpression.make(collection)
        default: missing("collection")
        }
    }

    /// The predicate of a subquery or conditional.
    public var predicate: NSPredicate {
        switch node {
        case .subquery(_, _, let predicate): return NSPredicate.make(predicate)
        case .conditional(let predicate, _, _): return NSPredicate.make(predicate)
        default: missing("predicate")
        }
    }

    /// The left part of a set expression.
    public var left: NSExpression {
        switch node {
        case .union(let left, _), .intersect(let left, _), .minus(let left, _): return NSExpression.make(left)
        default: missing("left expression")
        }
    }

    /// The right part of a set expression.
    public var right: NSExpression {
        switch node {
        case .union(_, let right), .intersect(_, let right), .minus(_, let right): return NSExpression.make(right)
        default: missing("right expression")
        }
    }

    /// The value of a conditional if its predicate is true.
    public var `true`: NSExpression {
        guard case .conditional(_, let yes, _) = node else { missing("true expression") }
        return NSExpression.make(yes)
    }

    /// The value of a conditional if its predicate is false.
    public var `false`: NSExpression {
        guard case .conditional(_, _, let no) = node else { missing("false expression") }
        return NSExpression.make(no)
    }

    /// The closure of a block expression.
    public var expressionBlock: (Any?, [Any], NSMutableDictionary?) -> Any? {
        guard case .block(let block, _) = node else { missing("block") }
        return { object, arguments, context in
            var variables: [String: Any] = [:]
            for key in context?.allKeys ?? [] {
                if let name = EvaluatedValue(key).text { variables[name] = context?.object(forKey: key) }
            }
            return block.evaluate(object, arguments, context == nil ? nil : variables)
        }
    }

    private func missing(_ part: String) -> Never {
        fatalError("The expression \"\(self)\" has no \(part). Look at its expressionType first.")
    }
}
