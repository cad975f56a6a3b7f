// Tests NSExpression and NSComparisonPredicate: created in code, inspected, evaluated.

import ExpectationSupport
import Foundation
import GraphPredicates
import Testing

@Suite("Expression objects")
struct ExpressionObjectTests {
    @Test("Values in an AnyHashable are unwrapped")
    func hashables() throws {
        let values: [Any] = [[AnyHashable("A"), AnyHashable(2)], Set([AnyHashable("A"), AnyHashable(2)])]
        for list in values {
            let predicate = NSPredicate(format: "SELF IN %@", argumentArray: [list])
            #expect(predicate.evaluate(with: "A") && predicate.evaluate(with: 2) && !predicate.evaluate(with: "B"))
        }
        let equal = NSComparisonPredicate(
            leftExpression: NSExpression.expressionForEvaluatedObject(),
            rightExpression: NSExpression(forConstantValue: AnyHashable("A")),
            modifier: .direct,
            type: .equalTo
        )
        #expect(equal.evaluate(with: "A") && equal.evaluate(with: AnyHashable("A")) && !equal.evaluate(with: "B"))
    }

    @Test("A subquery's key paths may be strings that begin with its variable")
    func pathsOfVariables() {
        let inner = NSComparisonPredicate(
            leftExpression: NSExpression(forKeyPath: "$x.name"),
            rightExpression: NSExpression(forConstantValue: "a"),
            modifier: .direct,
            type: .equalTo
        )
        let subquery = NSExpression(
            forSubquery: NSExpression(forKeyPath: "tags"),
            usingIteratorVariable: "x",
            predicate: inner
        )
        expectEqual(subquery.description, "SUBQUERY(tags, $x, $x.name == \"a\")")
        let result = subquery.expressionValue(with: ["tags": [["name": "a"], ["name": "b"]]], context: nil)
        expectEqual((result as? [Any])?.count, 1)
    }

    @Test("Each initializer sets the kind, the parts and the printed form")
    func initializers() {
        let key = NSExpression(forKeyPath: "a.b")
        let one = NSExpression(forConstantValue: 1)
        let predicate = NSPredicate(format: "$x > 1")
        let all: [(NSExpression, NSExpression.ExpressionType, String)] = [
            (one, .constantValue, "1"), (NSExpression(forConstantValue: nil), .constantValue, "nil"),
            (NSExpression.expressionForEvaluatedObject(), .evaluatedObject, "SELF"),
            (NSExpression.expressionForAnyKey(), .anyKey, "ANYKEY"), (NSExpression(forVariable: "x"), .variable, "$x"),
            (key, .keyPath, "a.b"), (NSExpression(forFunction: "sum:", arguments: [key]), .function, "sum:(a.b)"),
            (NSExpression(forFunction: "add:to:", arguments: [key, one]), .function, "a.b + 1"),
            (
                NSExpression(forFunction: key, selectorName: "foo:", arguments: [2]), .function,
                "FUNCTION(a.b, \"foo:\" , 2)"
            ),
            (NSExpression(forAggregate: [key, one]), .aggregate, "{a.b, 1}"),
            (NSExpression(forUnionSet: key, with: one), .unionSet, "a.b UNION 1"),
            (NSExpression(forIntersectSet: key, with: one), .intersectSet, "a.b INTERSECT 1"),
            (NSExpression(forMinusSet: key, with: one), .minusSet, "a.b MINUS 1"),
            (
                NSExpression(forSubquery: key, usingIteratorVariable: "x", predicate: predicate), .subquery,
                "SUBQUERY(a.b, $x, $x > 1)"
            ),
            (
                NSExpression(forConditional: predicate, trueExpression: key, falseExpression: one), .conditional,
                "TERNARY($x > 1, a.b, 1)"
            ),
            (NSExpression(format: "%K * 2", "price"), .function, "price * 2"),
            (NSExpression(expressionType: .evaluatedObject), .evaluatedObject, "SELF"),
        ]
        for (expression, type, text) in all {
            expectEqual(expression.expressionType, type)
            expectEqual(expression.description, text)
            expectEqual(expression, NSExpression(format: text), "\(text)")
            expectEqual(expression.copy() as? NSExpression, expression)
        }
        let subquery = all[13].0
        expectEqual(subquery.variable, "x")
        expectEqual(subquery.predicate, predicate)
        expectEqual(subquery.collection as? NSExpression, key)
        let conditional = all[14].0
        expectEqual(conditional.true, key)
        expectEqual(conditional.false, one)
        #expect(all[10].0.left == key && all[10].0.right == one)
        #expect(all[7].0.function == "add:to:" && all[7].0.arguments?.count == 2)
        #expect(all[8].0.operand == key && all[8].0.function == "foo:")
        expectEqual(key.keyPath, "a.b")
        expectEqual(one.constantValue as? Int, 1)
        expectEqual((all[9].0.collection as? [NSExpression])?.count, 2)
        let path = NSExpression(format: "$x.name")
        expectEqual(path.expressionType, .function)
        expectEqual(path.operand.variable, "x")
    }

    @Test("A number or truth value in a predicate can be read as each of Swift's types of numbers")
    func numbers() throws {
        func constant(_ format: String, _ arguments: Any...) throws -> Any? {
            let predicate = NSPredicate(format: format, argumentArray: arguments)
            return try #require(predicate as? NSComparisonPredicate).rightExpression.constantValue
        }
        for value in [try constant("done == true"), try constant("done == %@", true), try constant("n == 1")] {
            expectEqual(value as? Int, 1)
            expectEqual(value as? Int16, 1)
            expectEqual(value as? Bool, true)
            expectEqual(value as? Double, 1)
            expectEqual(value as? NSNumber, 1)
        }
        try expectEqual(constant("n == 1.5") as? Double, 1.5)
        try expectEqual(constant("n == %@", Float(2)) as? Int, 2)
        try expectEqual(constant("n == %@", UInt64.max) as? UInt64, .max)
        try expectEqual(constant("n == %@", Int64.min) as? Int, .min)
        try expectEqual(constant("text == '1'") as? String, "1")
        try expectNil(constant("text == nil"))
    }

    @Test("Expressions have values, with an object and a context")
    func values() {
        let object: [String: Any] = ["price": 5, "items": [1, 2, 3]]
        expectEqual(NSExpression(format: "price * 2").expressionValue(with: object, context: nil) as? Int, 10)
        expectEqual(NSExpression(format: "items.@sum.self").expressionValue(with: object, context: nil) as? Int, 6)
        let context = NSMutableDictionary(dictionary: ["x": 4])
        expectEqual(NSExpression(format: "$x + price").expressionValue(with: object, context: context) as? Int, 9)
        expectNil(NSExpression(format: "$missing").expressionValue(with: object, context: nil))
        let result = NSExpression(format: "SUBQUERY(items, $i, $i > 1)").expressionValue(with: object, context: nil)
        expectEqual(result as? [Int], [2, 3])
        let block = NSExpression(
            block: { object, arguments, _ in "\(object ?? "-")\(arguments.count)" },
            arguments: [NSExpression(forConstantValue: 1)]
        )
        expectEqual(block.expressionType, .block)
        expectEqual(block.expressionValue(with: 7, context: nil) as? String, "71")
        expectEqual(NSExpression(forConstantValue: true).expressionValue(with: nil, context: nil) as? Bool, true)
    }

    @Test("Raw values are Apple's")
    func rawValues() {
        expectEqual(NSComparisonPredicate.Operator.lessThan.rawValue, 0)
        expectEqual(NSComparisonPredicate.Operator.customSelector.rawValue, 11)
        expectEqual(NSComparisonPredicate.Operator.contains.rawValue, 99)
        expectEqual(NSComparisonPredicate.Operator.between.rawValue, 100)
        expectEqual(NSComparisonPredicate.Modifier.any.rawValue, 2)
        expectEqual(NSComparisonPredicate.Options.normalized.rawValue, 4)
        expectEqual(NSExpression.ExpressionType.subquery.rawValue, 13)
        expectEqual(NSExpression.ExpressionType.conditional.rawValue, 20)
    }

    @Test("Comparisons created in code equal those of formats and expose their parts")
    func comparisons() throws {
        let comparison = NSComparisonPredicate(
            leftExpression: NSExpression(forKeyPath: "tags.name"),
            rightExpression: NSExpression(forConstantValue: "x"),
            modifier: .any,
            type: .beginsWith,
            options: [.caseInsensitive, .diacriticInsensitive]
        )
        expectEqual(comparison, NSPredicate(format: "ANY tags.name BEGINSWITH[cd] 'x'"))
        expectEqual(printed(comparison), "ANY tags.name BEGINSWITH[cd] \"x\"")
        #expect(comparison.evaluate(with: ["tags": [["name": "Xy"]]]))
        let parsed = try #require(NSPredicate(format: "NOT ALL a >= b") as? NSCompoundPredicate)
        let inner = try #require(parsed.subpredicates.first as? NSComparisonPredicate)
        expectEqual(inner.predicateOperatorType, .greaterThanOrEqualTo)
        expectEqual(inner.comparisonPredicateModifier, .all)
        expectEqual(inner.leftExpression.keyPath, "a")
        expectEqual(inner.rightExpression.keyPath, "b")
        expectEqual(inner.options, [])
        let custom = NSComparisonPredicate(
            leftExpression: NSExpression(forKeyPath: "a"),
            rightExpression: NSExpression(forConstantValue: "he"),
            customSelector: "hasPrefix:"
        )
        #expect(custom.evaluate(with: ["a": "hello"]))
        expectEqual(custom.customSelector?.name, "hasPrefix:")
        #expect(!custom.evaluate(with: ["a": "yellow"]))
    }

    @Test("A Swift key path has the name that its class returns for it")
    func keyPaths() {
        expectEqual(NSExpression(forKeyPath: \Named.title).keyPath, "title")
        expectEqual(NSSortDescriptor(keyPath: \Named.title, ascending: true).sortKey, "title")
        expectEqual(NSSortDescriptor(keyPath: \Named.rank, ascending: false).key, "rank")
    }
}
