// Collections in Swift predicates: to-many relationships become ANY, ALL or SUBQUERY, captured collections become IN.

import Foundation

extension PredicateExpressions.SequenceContains: ConvertibleExpression {
    package func converted(in conversion: inout PredicateConversion) throws -> ConvertedExpression {
        let collection = try conversion.convert(sequence)
        let wanted = try conversion.convert(element)
        if case .range(let range) = collection.form {
            return .predicate(try Comparing.contains(range, wanted))
        }
        if let constant = collection.constant {
            return .predicate(try Comparing.compare(wanted, .in, constant: SwiftConstant.elements(constant), []))
        }
        guard case .expression(let node) = collection.form, collection.isToMany || LHS.Output.self == String.self else {
            throw PredicateConversion.refusal(of: Self.self)
        }
        if !collection.isToMany { return .predicate(try Comparing.compare(collection, .contains, wanted)) }
        return .predicate(.comparison(ComparisonNode(left: node, right: try wanted.node(), op: .contains)))
    }
}

extension PredicateExpressions.SequenceContainsWhere: ConvertibleExpression {
    package func converted(in conversion: inout PredicateConversion) throws -> ConvertedExpression {
        try conversion.quantified(sequence, variable, test, isAll: false, of: Self.self)
    }
}

extension PredicateExpressions.SequenceAllSatisfy: ConvertibleExpression {
    package func converted(in conversion: inout PredicateConversion) throws -> ConvertedExpression {
        try conversion.quantified(sequence, variable, test, isAll: true, of: Self.self)
    }
}

extension PredicateExpressions.Filter: ConvertibleExpression {
    package func converted(in conversion: inout PredicateConversion) throws -> ConvertedExpression {
        let node = try ToManyTest.collection(try conversion.convert(sequence), of: Self.self)
        let name = conversion.newName()
        let condition = try conversion.condition(variable, name, filter)
        return ConvertedExpression(
            .expression(.subquery(collection: node, variable: name, predicate: condition)),
            isToMany: true
        )
    }
}

extension PredicateExpressions.CollectionIndexSubscript: ConvertibleExpression {
    package func converted(in conversion: inout PredicateConversion) throws -> ConvertedExpression {
        let node = try ToManyTest.collection(try conversion.convert(wrapped), of: Self.self)
        guard Index.Output.self == Int.self else { throw PredicateConversion.refusal(of: Self.self) }
        let arguments = [node, try conversion.convert(index).node()]
        return .nullable(.function(name: FunctionName.objectAtIndex.rawValue, target: nil, arguments: arguments))
    }
}

extension PredicateConversion {
    /// The test whether a condition is true for any element of a collection, or for all.
    fileprivate mutating func quantified<Elements: PredicateExpression, Element, Test: PredicateExpression>(
        _ sequence: Elements,
        _ variable: PredicateExpressions.Variable<Element>,
        _ test: Test,
        isAll: Bool,
        of type: Any.Type
    ) throws -> ConvertedExpression {
        let collection = try convert(sequence)
        if let constant = collection.constant {
            let answers = try answers(for: constant, variable, test)
            return .predicate(answers.reduce(.constant(isAll)) { isAll ? .both($0, $1) : .either($0, $1) })
        }
        let node = try ToManyTest.collection(collection, of: type)
        let name = newName()
        let condition = try condition(variable, name, test)
        return .predicate(isAll ? ToManyTest.all(node, name, condition) : ToManyTest.any(node, name, condition))
    }

    /// The value of a captured collection.
    fileprivate mutating func captured<Elements: PredicateExpression>(
        _ elements: Elements,
        of type: Any.Type
    ) throws -> Elements.Output {
        guard let captured = try convert(elements).constant, let values = captured as? Elements.Output else {
            throw PredicateConversion.refusal(of: type)
        }
        return values
    }

    /// The conditions for each element of a captured collection.
    fileprivate mutating func answers<Element, Test: PredicateExpression>(
        for constant: Any?,
        _ variable: PredicateExpressions.Variable<Element>,
        _ test: Test
    ) throws -> [PredicateNode] {
        guard case .collection(let collection) = EvaluatedValue(constant), collection.evaluatedCount <= 256 else {
            throw UnconvertiblePredicate(
                form: "A condition on each of more than 256 captured values",
                alternative: "Use contains(_:) with one value, which takes any number."
            )
        }
        return try collection.evaluatedElements().map { element in
            bind(variable, to: ConvertedExpression(.constant(element.anyValue.flatMap { SwiftConstant.plain($0) })))
            return try convert(test).predicate()
        }
    }
}

extension SwiftConstant {
    /// A captured collection whose elements are types of the predicate language.
    fileprivate static func elements(_ value: Any?) -> Any? {
        guard case .collection(let collection) = EvaluatedValue(value) else { return value }
        return collection.evaluatedElements().map { element -> Any in
            element.anyValue.flatMap { plain($0) } ?? NSNull()
        }
    }
}

/// Conditions on the objects of a to-many relationship.
private enum ToManyTest {
    static func collection(_ value: ConvertedExpression, of type: Any.Type) throws -> ExpressionNode {
        guard value.isToMany, case .expression(let node) = value.form else {
            throw PredicateConversion.refusal(of: type)
        }
        return node
    }

    /// A test whether the condition is true for any object.
    static func any(_ collection: ExpressionNode, _ name: String, _ condition: PredicateNode) -> PredicateNode {
        if let simple = quantified(collection, name, condition, .any) { return simple }
        return count(collection, name, condition, .greaterThan)
    }

    /// A test whether the condition is true for all objects.
    static func all(_ collection: ExpressionNode, _ name: String, _ condition: PredicateNode) -> PredicateNode {
        if let simple = quantified(collection, name, condition, .all) { return simple }
        return count(collection, name, condition.negated, .equal)
    }

    private static func count(
        _ collection: ExpressionNode,
        _ name: String,
        _ condition: PredicateNode,
        _ op: ComparisonOperator
    ) -> PredicateNode {
        let matches = ExpressionNode.subquery(collection: collection, variable: name, predicate: condition)
        return .comparison(
            ComparisonNode(left: .keyPathOf(matches, ["@count"]), right: .constant(0), op: op)
        )
    }

    /// One comparison of a property with a constant, as ANY or ALL.
    private static func quantified(
        _ collection: ExpressionNode,
        _ name: String,
        _ condition: PredicateNode,
        _ modifier: ComparisonModifier
    ) -> PredicateNode? {
        guard case .comparison(var comparison) = condition, comparison.modifier == .direct,
            case .constant(let value) = comparison.right, let value, comparison.op != .notEqual,
            // Testing whether a relationship of the element contains an object does not compare one value.
            comparison.op != .contains || EvaluatedValue(value).text != nil
        else { return nil }
        switch (collection, comparison.left) {
        case (.keyPath, .keyPathOf(.variable(name), let path)) where path.count == 1 && !path[0].hasPrefix("@"),
            (.keyPathOf, .keyPathOf(.variable(name), let path)) where path.count == 1 && !path[0].hasPrefix("@"):
            comparison.left = collection.appending(keys: path)
        case (.keyPath, .variable(name)), (.keyPathOf, .variable(name)):
            comparison.left = collection
        default: return nil
        }
        comparison.modifier = modifier
        return .comparison(comparison)
    }
}

extension PredicateExpressions.SequenceMaximum: ConvertibleExpression {
    package func converted(in conversion: inout PredicateConversion) throws -> ConvertedExpression {
        let greatest = try conversion.captured(elements, of: Self.self).max()
        return ConvertedExpression(.constant(greatest.flatMap { SwiftConstant.plain($0) }))
    }
}

extension PredicateExpressions.SequenceMinimum: ConvertibleExpression {
    package func converted(in conversion: inout PredicateConversion) throws -> ConvertedExpression {
        let least = try conversion.captured(elements, of: Self.self).min()
        return ConvertedExpression(.constant(least.flatMap { SwiftConstant.plain($0) }))
    }
}
