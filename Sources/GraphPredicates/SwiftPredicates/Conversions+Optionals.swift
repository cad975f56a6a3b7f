// Optionals and casts in Swift predicates.

import Foundation

extension PredicateExpressions.OptionalFlatMap: ConvertibleExpression {
    package func converted(in conversion: inout PredicateConversion) throws -> ConvertedExpression {
        let outer = try conversion.convert(self.wrapped)
        if case .constant(let value) = outer.form {
            guard value != nil else { return ConvertedExpression(.constant(nil)) }
            conversion.bind(variable, to: outer)
            return try conversion.convert(transform)
        }
        var present = outer
        present.layers = []
        if outer.layers.contains(where: { $0.fallback != nil }) {
            present = ConvertedExpression(.expression(try outer.node()), isToMany: outer.isToMany)
        }
        conversion.bind(variable, to: present)
        var result = try conversion.convert(transform)
        for layer in outer.layers where layer.fallback == nil { result.layers.append(layer) }
        if case .constant(let value) = result.form, !result.layers.isEmpty {
            // The constant if the optional has a value, otherwise nil.
            result.form = (value as? Bool).map { .predicate(.constant($0)) } ?? .expression(.constant(value))
        }
        return result
    }
}

extension PredicateExpressions.NilCoalesce: ConvertibleExpression {
    package func converted(in conversion: inout PredicateConversion) throws -> ConvertedExpression {
        var value = try conversion.convert(lhs)
        let fallback = try conversion.convert(rhs)
        if let constant = value.constant { return constant == nil ? fallback : value }
        if let constant = fallback.constant {
            for index in value.layers.indices where value.layers[index].fallback == nil {
                value.layers[index].fallback = constant
            }
            return value
        }
        let missing = try Comparing.compare(value, .equal, constant: nil, [])
        if Output.self == Bool.self {
            let answer = try Comparing.compare(value, .equal, constant: true, [])
            return .predicate(.either(.both(missing.negated, answer), .both(missing, try fallback.predicate())))
        }
        if case .constant(false) = missing { return value }
        return .nullable(.conditional(missing, try fallback.node(), try value.node()))
    }
}

extension PredicateExpressions.ForcedUnwrap: ConvertibleExpression {
    package func converted(in conversion: inout PredicateConversion) throws -> ConvertedExpression {
        // In memory, Swift throws if the value is nil; likewise no row with nil satisfies a comparison.
        var value = try conversion.convert(inner)
        value.layers.removeAll { $0.fallback == nil }
        return value
    }
}

extension PredicateExpressions.ConditionalCast: ConvertibleExpression {
    package func converted(in conversion: inout PredicateConversion) throws -> ConvertedExpression {
        guard Casting.isPlain(from: Input.Output.self, to: Desired.self) else {
            throw PredicateConversion.refusal(of: Self.self)
        }
        return try conversion.convert(input)
    }
}

extension PredicateExpressions.ForceCast: ConvertibleExpression {
    package func converted(in conversion: inout PredicateConversion) throws -> ConvertedExpression {
        guard Casting.isPlain(from: Input.Output.self, to: Desired.self) else {
            throw PredicateConversion.refusal(of: Self.self)
        }
        return try conversion.convert(input)
    }
}

enum Casting {
    /// Whether a cast only states the type of a relationship: the elements of an NSSet, or the set itself.
    static func isPlain(from input: Any.Type, to desired: Any.Type) -> Bool {
        let source = Unwrapped.type(input)
        let target = Unwrapped.type(desired)
        if source == target { return true }
        if source is any ObjectCollection.Type, let collection = target as? any ObjectCollection.Type {
            return collection.holdsObjects
        }
        return source == Any.self && target is any KeyPathNaming.Type
    }
}
