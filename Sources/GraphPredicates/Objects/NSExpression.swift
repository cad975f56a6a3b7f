// Apple's NSExpression. Foundation's cannot be instantiated outside Apple's platforms, so this is a new class; a file
// that also imports Foundation refers to it by a type alias. `NSExpression+Properties` reads the parts.

import Foundation
import Synchronization

/// An expression: a constant, a key path, a variable, a function or a combination of them.
open class NSExpression: NSObject, NSCopying, NSSecureCoding {
    package let node: ExpressionNode
    /// Whether the expression was decoded securely and evaluation has not been allowed yet.
    private let isForbidden = Mutex(false)
    /// The number of nodes of a decoded expression, by which archives around it limit their size; otherwise 1.
    let archivedWeight: Int

    package init(node: ExpressionNode) {
        self.node = node
        archivedWeight = 1
        super.init()
    }

    // MARK: - Archives

    /// Reads an expression from an archive written here or on Apple's systems.
    ///
    /// An expression that is decoded securely cannot be evaluated before `allowEvaluation()`.
    ///
    /// The result is nil if the archive is damaged.
    ///
    /// - Parameter coder: A keyed unarchiver.
    public required init?(coder: NSCoder) {
        guard let read = ArchiveDepth.level(of: coder, { ArchivedExpression.node(coder) }) else { return nil }
        (node, archivedWeight) = read
        super.init()
        if coder.requiresSecureCoding { isForbidden.withLock { $0 = true } }
    }

    /// Always true.
    public class var supportsSecureCoding: Bool { true }

    /// Writes the expression with Apple's keys.
    ///
    /// A closure cannot be archived: `NSKeyedArchiver.archivedData(withRootObject:requiringSecureCoding:)` throws if it
    /// is called with such an expression; the archive of another object traps, as Apple's exception does.
    ///
    /// - Parameter coder: A keyed archiver.
    open func encode(with coder: NSCoder) { ArchivedExpression.encode(node, coder) }

    /// The class named in archives, one for each kind.
    open override var classForCoder: AnyClass { ArchivedExpression.type(of: node) }

    /// Allows an expression that was decoded securely to be evaluated.
    ///
    /// Check its key paths and functions first, as they are untrusted input. Without this call such an expression is
    /// nil, which is logged; Apple's raises an exception.
    open func allowEvaluation() { isForbidden.withLock { $0 = false } }

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

    /// A Swift key path of a class that provides the names of its properties, as managed object classes do.
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
        self.init(node: .calling(function?.rawValue ?? name, nodes))
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

    /// The elements of the left collection that are not in the right one.
    public convenience init(forMinusSet left: NSExpression, with right: NSExpression) {
        self.init(node: .minus(left.node, right.node))
    }

    /// The elements of a collection that satisfy a predicate.
    public convenience init(
        forSubquery expression: NSExpression,
        usingIteratorVariable variable: String,
        predicate: NSPredicate
    ) {
        // A key path made of a text, such as NSExpression(forKeyPath: "$x.name"), begins with the variable as a key.
        let mapping = PredicateMapping(keyPath: { keys in
            guard keys.count > 1, keys[0] == "$" + variable else { return .keyPath(keys) }
            return .keyPathOf(.variable(variable), Array(keys.dropFirst()))
        })
        self.init(
            node: .subquery(
                collection: expression.node,
                variable: variable,
                predicate: predicate.node.mapped(mapping)
            )
        )
    }

    /// One of two expressions, selected by a predicate.
    public convenience init(
        forConditional predicate: NSPredicate,
        trueExpression: NSExpression,
        falseExpression: NSExpression
    ) {
        self.init(node: .conditional(predicate.node, trueExpression.node, falseExpression.node))
    }

    /// A closure that receives the object, the values of the arguments and the context.
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

    /// The value for an object; nil also if the expression cannot be evaluated on it.
    ///
    /// - Parameters:
    ///   - object: The object, a `KeyValueReadable`, a dictionary or a plain value.
    ///   - context: The values of `$` variables by name.
    /// - Returns: The value, a Swift or Foundation one.
    open func expressionValue(with object: Any?, context: NSMutableDictionary?) -> Any? {
        guard !isForbidden.withLock({ $0 }) else {
            EvaluationLog.report(
                "An expression that was decoded securely gives nil until allowEvaluation() is called. Look at it first."
            )
            return nil
        }
        var variables: [String: Any] = [:]
        for key in context?.allKeys ?? [] {
            if let name = EvaluatedValue(key).text, let value = context?.object(forKey: key) { variables[name] = value }
        }
        return try? ExpressionEvaluator(node).evaluate(object, variables: variables)
    }

    // MARK: - Objects

    /// The format.
    open override var description: String { PredicatePrinter.print(node) }

    /// The expression itself, as it is immutable.
    open override func copy() -> Any { self }

    /// The expression itself, as it is immutable.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Whether another expression has an equal tree.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSExpression else { return false }
        return self === other || node == other.node
    }

    /// A hash value that equal expressions share.
    open override var hash: Int { node.hashValue }
}
