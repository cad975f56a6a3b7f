// Apple's NSExpression. Foundation's cannot be instantiated off Apple's systems, so this is our own class; a file that
// imports Foundation too names it through a type alias of its module. `NSExpression+Properties` reads the parts.

import Foundation

/// An expression: a constant, a key path, a variable, a function or a combination of them.
open class NSExpression: NSObject, NSCopying {
    package let node: ExpressionNode

    package init(node: ExpressionNode) {
        self.node = node
        super.init()
    }

    // MARK: - From a format

    /// Makes an expression from a format.
    ///
    /// A wrong format stops the program with a message; use `init(validating:_:)` for one that comes from outside.
    public convenience init(format: String, _ arguments: CVarArg...) {
        self.init(format: format, argumentArray: arguments)
    }

    /// Makes an expression from a format and a list of arguments; NSNull stands for nil.
    public convenience init(format: String, argumentArray: [Any]) {
        do {
            try self.init(validating: format, argumentArray: argumentArray)
        } catch {
            fatalError("\(error)")
        }
    }

    /// Makes an expression from a format, or tells what is wrong with it.
    ///
    /// - Throws: `PredicateFormatError`.
    public convenience init(validating format: String, _ arguments: CVarArg...) throws {
        try self.init(validating: format, argumentArray: arguments)
    }

    /// Makes an expression from a format and a list of arguments, or tells what is wrong with it.
    ///
    /// - Throws: `PredicateFormatError`.
    public convenience init(validating format: String, argumentArray: [Any]) throws {
        self.init(node: try PredicateParser.parseExpression(format: format, arguments: argumentArray))
    }

    // MARK: - From parts

    /// A constant.
    public convenience init(forConstantValue value: Any?) {
        self.init(node: .constant(FormatArguments.plain(value)))
    }

    /// `SELF`.
    open class func expressionForEvaluatedObject() -> NSExpression { NSExpression(node: .evaluatedObject) }

    /// `ANYKEY`.
    open class func expressionForAnyKey() -> NSExpression { NSExpression(node: .anyKey) }

    /// `$variable`.
    public convenience init(forVariable variable: String) {
        self.init(node: .variable(variable))
    }

    /// A key path such as `owner.name` or `tasks.@count`.
    public convenience init(forKeyPath keyPath: String) {
        self.init(node: .path(keyPath.split(separator: ".").map(String.init)))
    }

    /// A Swift key path of a class that names its properties, as managed object classes do.
    public convenience init<Root, Value>(forKeyPath keyPath: KeyPath<Root, Value>) {
        guard let name = ManagedKeyPaths.name(of: keyPath) else {
            fatalError("\(keyPath) has no name at run time. Use NSExpression(forKeyPath:) with a text.")
        }
        self.init(forKeyPath: name)
    }

    /// A function of the language, such as `sum:` or `add:to:`, with expressions or constants as arguments.
    public convenience init(forFunction name: String, arguments: [Any]) {
        let nodes = arguments.map { ($0 as? NSExpression)?.node ?? .constant(FormatArguments.plain($0)) }
        let function = FunctionName.named(name, argumentCount: nodes.count)
        self.init(node: .function(name: function?.rawValue ?? name, target: nil, arguments: nodes))
    }

    /// A method of an object.
    public convenience init(forFunction target: NSExpression, selectorName: String, arguments: [Any]?) {
        let nodes = (arguments ?? []).map { ($0 as? NSExpression)?.node ?? .constant(FormatArguments.plain($0)) }
        self.init(node: .call(target: target.node, selector: selectorName, arguments: nodes))
    }

    /// A list of expressions.
    public convenience init(forAggregate subexpressions: [NSExpression]) {
        self.init(node: .aggregate(subexpressions.map(\.node)))
    }

    /// The elements of either collection.
    public convenience init(forUnionSet left: NSExpression, with right: NSExpression) {
        self.init(node: .union(left.node, right.node))
    }

    /// The elements of both collections.
    public convenience init(forIntersectSet left: NSExpression, with right: NSExpression) {
        self.init(node: .intersect(left.node, right.node))
    }

    /// The elements of the left collection that the right one lacks.
    public convenience init(forMinusSet left: NSExpression, with right: NSExpression) {
        self.init(node: .minus(left.node, right.node))
    }

    /// The elements of a collection for which a predicate holds.
    public convenience init(
        forSubquery expression: NSExpression,
        usingIteratorVariable variable: String,
        predicate: NSPredicate
    ) {
        self.init(node: .subquery(collection: expression.node, variable: variable, predicate: predicate.node))
    }

    /// One of two expressions, as a predicate decides.
    public convenience init(
        forConditional predicate: NSPredicate,
        trueExpression: NSExpression,
        falseExpression: NSExpression
    ) {
        self.init(node: .conditional(predicate.node, trueExpression.node, falseExpression.node))
    }

    /// A closure that gets the object, the values of the arguments and the context.
    public convenience init(
        block: @escaping (Any?, [Any], NSMutableDictionary?) -> Any?,
        arguments: [NSExpression]?
    ) {
        let wrapped = ExpressionBlock { object, values, context in
            let context = context.map { NSMutableDictionary(dictionary: $0) }
            return block(object, values.map { $0 ?? NSNull() }, context)
        }
        self.init(node: .block(wrapped, arguments: (arguments ?? []).map(\.node)))
    }

    // MARK: - Value

    /// The value for an object; nil also where the expression cannot be evaluated on it.
    ///
    /// - Parameters:
    ///   - object: the object, a `KeyValueReadable`, a dictionary or a plain value.
    ///   - context: the values of `$` variables by name.
    /// - Returns: the value, a Swift or Foundation one.
    open func expressionValue(with object: Any?, context: NSMutableDictionary?) -> Any? {
        var variables: [String: Any] = [:]
        for key in context?.allKeys ?? [] {
            if let name = EvaluatedValue(key).text, let value = context?.object(forKey: key) { variables[name] = value }
        }
        return try? ExpressionEvaluator(node).evaluate(object, variables: variables)
    }

    // MARK: - Objects

    /// The format.
    open override var description: String { PredicatePrinter.print(node) }

    /// The expression itself, which never changes.
    open override func copy() -> Any { self }

    /// The expression itself, which never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Whether another expression means the same.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSExpression else { return false }
        return self === other || node == other.node
    }

    /// A number that equal expressions share.
    open override var hash: Int { node.hashValue }
}
