// Tests the arguments of formats: expressions and predicates are inserted as such, all other values as constants.

import ExpectationSupport
import Foundation
import GraphPredicates
import Testing

@Suite("Inserted arguments")
struct InsertedArgumentTests {
    @Test("An expression as an argument is inserted as such, not as a constant")
    func expressions() {
        let variable = NSPredicate(format: "%@ > 100", NSExpression(forVariable: "count"))
        expectEqual(printed(variable), "$count > 100")
        #expect(variable.evaluate(with: nil, substitutionVariables: ["count": 101]))
        let path = NSPredicate(format: "%@ == %@", NSExpression(forKeyPath: "a.b"), NSExpression(forConstantValue: 3))
        expectEqual(printed(path), "a.b == 3")
        let sum = NSExpression(forFunction: "add:to:", arguments: [NSExpression(forKeyPath: "a"), 1])
        expectEqual(printed(NSPredicate(format: "%@ * 2 == 6", argumentArray: [sum])), "(a + 1) * 2 == 6")
        #expect(NSPredicate(format: "%@ * 2 == 6", argumentArray: [sum]).evaluate(with: ["a": 2]))
        expectEqual(NSExpression(format: "%@ + 1", NSExpression(forKeyPath: "a")).description, "a + 1")
        expectEqual(printed(NSPredicate(format: "ANY %@.b == 1", NSExpression(forKeyPath: "a"))), "ANY a.b == 1")
    }

    @Test("Expressions in a list are its elements")
    func lists() {
        let low = NSExpression(forKeyPath: "low")
        let between = NSPredicate(format: "a BETWEEN %@", [low, NSExpression(forConstantValue: 5)])
        expectEqual(printed(between), "a BETWEEN {low, 5}")
        #expect(between.evaluate(with: ["a": 3, "low": 2]))
        let mixed = NSPredicate(format: "a BETWEEN %@", argumentArray: [[low, 5] as [Any]])
        expectEqual(printed(mixed), "a BETWEEN {low, 5}")
        expectEqual(NSPredicate(format: "a IN %@", [NSExpression]()).evaluate(with: ["a": 3]), false)
    }

    @Test("Expressions in a constant list of a comparison made of parts are its elements")
    func constantLists() {
        let high = NSExpression(forKeyPath: "high")
        let lists: [Any] = [[NSExpression(forConstantValue: 2), high], [2, high] as [Any]]
        for list in lists {
            func comparison(_ type: NSComparisonPredicate.Operator) -> NSComparisonPredicate {
                NSComparisonPredicate(
                    leftExpression: NSExpression(forKeyPath: "a"),
                    rightExpression: NSExpression(forConstantValue: list),
                    modifier: .direct,
                    type: type
                )
            }
            expectEqual(printed(comparison(.between)), "a BETWEEN {2, high}")
            #expect(comparison(.between).evaluate(with: ["a": 3, "high": 4]))
            #expect(!comparison(.between).evaluate(with: ["a": 5, "high": 4]))
            #expect(comparison(.in).evaluate(with: ["a": 4, "high": 4]))
            #expect(!comparison(.in).evaluate(with: ["a": 3, "high": 4]))
        }
    }

    @Test("A predicate as an argument is inserted as such if the grammar allows a predicate there")
    func predicates() {
        let part = NSPredicate(format: "a == 1")
        expectEqual(printed(NSPredicate(format: "%@ AND b == 2", part)), "a == 1 AND b == 2")
        expectEqual(printed(NSPredicate(format: "NOT %@", part)), "NOT a == 1")
        expectEqual(
            printed(NSPredicate(format: "SUBQUERY(c, $x, %@).@count > 0", part)),
            "SUBQUERY(c, $x, a == 1).@count > 0"
        )
    }

    @Test("Null, optional and other values are constants")
    func constants() {
        let none: String? = nil
        let some: Int? = 4
        expectEqual(printed(NSPredicate(format: "a == %@", NSNull())), "a == nil")
        expectEqual(
            printed(NSPredicate(format: "a == %@ OR a == %@", argumentArray: [none as Any, some as Any])),
            "a == nil OR a == 4"
        )
        let descriptor = NSSortDescriptor(key: "a", ascending: true)
        #expect(NSPredicate(format: "a == %@", descriptor).evaluate(with: ["a": descriptor]))
        let length = Measurement(value: 1, unit: UnitLength.meters)
        #expect(NSPredicate(format: "a == %@", argumentArray: [length]).evaluate(with: ["a": length]))
    }

    @Test(
        "NOT may precede a word operator",
        arguments: [
            ("a NOT IN %@", "NOT a IN {1, 2}"), ("a not in {1, 2} AND b == 2", "(NOT a IN {1, 2}) AND b == 2"),
            ("a NOT CONTAINS[c] 'x'", "NOT a CONTAINS[c] \"x\""), ("a NOT LIKE 'x*'", "NOT a LIKE \"x*\""),
            ("a NOT BETWEEN {1, 2}", "NOT a BETWEEN {1, 2}"), ("NOT a NOT IN {1}", "NOT (NOT a IN {1})"),
            ("ANY a NOT IN {1}", "NOT ALL a IN {1}"), ("ALL a NOT IN {1}", "NOT ANY a IN {1}"),
            ("NONE a NOT IN {1}", "ALL a IN {1}"),
        ]
    )
    func negatedOperators(format: String, expected: String) throws {
        try expectEqual(printed(format, [[1, 2]]), expected)
    }
}
