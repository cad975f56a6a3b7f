// Variables, constants and key paths in Swift predicates.

import Foundation

extension PredicateExpressions.Variable: ConvertibleExpression {
    package func converted(in conversion: inout PredicateConversion) throws -> ConvertedExpression {
        try conversion.value(of: self)
    }
}

extension PredicateExpressions.NilLiteral: ConvertibleExpression {
    package func converted(in conversion: inout PredicateConversion) throws -> ConvertedExpression {
        ConvertedExpression(.constant(nil))
    }
}

extension PredicateExpressions.Value: ConvertibleExpression {
    package func converted(in conversion: inout PredicateConversion) throws -> ConvertedExpression {
        if let range = value as? any ConstantRange { return ConvertedExpression(.range(range.converted)) }
        return ConvertedExpression(.constant(SwiftConstant.plain(value)))
    }
}

/// A captured value in the types of the predicate language.
enum SwiftConstant {
    /// Unwraps optionals, and converts enumerations to raw values and characters to texts.
    static func plain(_ value: Any) -> Any? {
        if let optional = value as? any OptionalValue { return optional.wrappedValue.flatMap { plain($0) } }
        if let character = value as? Character { return String(character) }
        if let text = value as? Substring { return String(text) }
        if type(of: value) is AnyClass { return value }
        if let raw = value as? any RawRepresentable { return raw.rawValue }
        return value
    }
}

extension PredicateExpressions.KeyPath: ConvertibleExpression {
    package func converted(in conversion: inout PredicateConversion) throws -> ConvertedExpression {
        let root = try conversion.convert(root)
        if let value = root.constant { return ConvertedExpression(.constant(try member(of: value))) }
        if let kind, let member = try collectionMember(kind, of: root) { return member }
        guard case .expression(let node) = root.form else { throw unnamed }
        if let member = try objectMember(of: node) { return member }
        if let key = PropertyOfValue.key(of: keyPath) { return .nullable(node.appending(keys: [key])) }
        if PropertyOfValue.isCount(keyPath), root.isToMany { return Self.count(node) }
        throw unnamed
    }

    private var unnamed: UnconvertiblePredicate {
        UnconvertiblePredicate(
            form: "The key path \(keyPath) of \(Root.Output.self)",
            alternative:
                "Use properties of the model: computed properties exist in memory only. A class written by hand "
                + "without the build plugin names its key paths in managedKeyPaths()."
        )
    }

    /// A property of a captured value.
    private func member(of value: Any?) throws -> Any? {
        guard let value, let owner = value as? Root.Output else { throw unnamed }
        return SwiftConstant.plain(owner[keyPath: keyPath])
    }

    private func objectMember(of node: ExpressionNode) throws -> ConvertedExpression? {
        guard let owner = Root.Output.self as? any KeyPathNaming.Type else { return nil }
        guard let name = owner.managedKey(for: keyPath) else { throw unnamed }
        let path = node.appending(keys: name.split(separator: ".").map(String.init))
        if let collection = Unwrapped.type(Output.self) as? any ObjectCollection.Type, collection.holdsObjects {
            return ConvertedExpression(.expression(path), isToMany: true)
        }
        return .nullable(path, fallback: (Output.self as? any EmptyScalar.Type)?.emptyValue)
    }

    private func collectionMember(
        _ kind: CommonKeyPathKind,
        of root: ConvertedExpression
    ) throws -> ConvertedExpression? {
        guard case .expression(let node) = root.form else { throw unnamed }
        if root.isToMany {
            switch kind {
            case .collectionCount: return Self.count(node)
            case .collectionIsEmpty:
                return .predicate(try Comparing.compare(Self.count(node), .equal, constant: 0, []))
            case .collectionFirst, .bidirectionalCollectionLast:
                let symbol: SymbolicIndex = kind == .collectionFirst ? .first : .last
                let arguments: [ExpressionNode] = [node, .symbolicIndex(symbol)]
                return .nullable(
                    .function(name: FunctionName.objectAtIndex.rawValue, target: nil, arguments: arguments)
                )
            @unknown default: throw unnamed
            }
        }
        guard Root.Output.self == String.self else { return nil }
        switch kind {
        case .collectionCount: return .nullable(node.appending(keys: ["count"]), fallback: 0)
        case .collectionIsEmpty: return .predicate(try Comparing.compare(root, .equal, constant: "", []))
        default: throw unnamed
        }
    }

    private static func count(_ node: ExpressionNode) -> ConvertedExpression {
        ConvertedExpression(.expression(node.appending(keys: ["@count"])))
    }
}

extension Optional: WrappingType {
    static var wrapped: Any.Type { Unwrapped.type(Wrapped.self) }
}

extension Set: ObjectCollection {
    static var holdsObjects: Bool { Element.self is any KeyPathNaming.Type }
}

extension Array: ObjectCollection {
    static var holdsObjects: Bool { Element.self is any KeyPathNaming.Type }
}

extension NSSet: ObjectCollection {
    static var holdsObjects: Bool { true }
}

extension NSOrderedSet: ObjectCollection {
    static var holdsObjects: Bool { true }
}

extension Int: EmptyScalar { static var emptyValue: Any { 0 } }
extension Int16: EmptyScalar { static var emptyValue: Any { 0 } }
extension Int32: EmptyScalar { static var emptyValue: Any { 0 } }
extension Int64: EmptyScalar { static var emptyValue: Any { 0 } }
extension Double: EmptyScalar { static var emptyValue: Any { 0 } }
extension Float: EmptyScalar { static var emptyValue: Any { 0 } }
extension Bool: EmptyScalar { static var emptyValue: Any { false } }
