// `FETCH(request, context, countOnly)`: an expression whose value is the result of a fetch.
import ExpectationSupport
import Foundation
import ManagedGraph
import Testing

@testable import StackSupport

// Aliases as the build plugin writes them into a client's module.
private typealias NSExpression = ManagedGraph.NSExpression
private typealias NSComparisonPredicate = ManagedGraph.NSComparisonPredicate

@Suite("Fetch expressions")
struct FetchExpressionTests {
    @Test("A fetch expression exposes its parts, and equals the one parsed from its format")
    func parts() throws {
        let request = NSExpression(forVariable: "request")
        let context = NSExpression(forVariable: "context")
        let fetchExpression = NSFetchRequestExpression.expression(forFetch: request, context: context, countOnly: true)
        let expression = try #require(fetchExpression as? NSFetchRequestExpression)
        expectEqual(expression.requestExpression, request)
        expectEqual(expression.contextExpression, context)
        #expect(expression.isCountOnlyRequest)
        expectEqual(expression.description, "FETCH($request, $context, YES)")
        expectEqual(expression.expressionType, NSFetchRequestExpressionType)
        expectEqual(NSFetchRequestExpressionType.rawValue, 50)
        let parsed = NSExpression(format: "FETCH($request, $context, NO)")
        #expect(parsed is NSFetchRequestExpression && parsed != expression)
        expectEqual((parsed as? NSFetchRequestExpression)?.isCountOnlyRequest, false)
        expectEqual(NSExpression(format: expression.description), expression)
        let comparison = try #require(NSPredicate(format: "%K IN FETCH($r, $c, NO)", "a") as? NSComparisonPredicate)
        #expect(comparison.rightExpression is NSFetchRequestExpression)
    }

    @Test("Evaluation fetches or counts in its context, including unsaved objects")
    func evaluation() throws {
        let stack = try Stack()
        try stack.context.run { () throws in
            for (text, priority) in [("a", 1), ("b", 2), ("c", 3)] {
                let task = TestTask(context: stack.context)
                task.text = text
                task.priority = Int16(priority)
            }
            let request = NSFetchRequest<TestTask>(entityName: "Task")
            request.predicate = NSPredicate(format: "priority > 1")
            request.sortDescriptors = [NSSortDescriptor(key: "text", ascending: true)]
            func expression(_ countOnly: Bool) -> ManagedGraph.NSExpression {
                NSFetchRequestExpression.expression(
                    forFetch: NSExpression(forConstantValue: request),
                    context: NSExpression(forConstantValue: stack.context),
                    countOnly: countOnly
                )
            }
            expectEqual(expression(true).expressionValue(with: nil, context: nil) as? Int, 2)
            let tasks = expression(false).expressionValue(with: nil, context: nil) as? [TestTask]
            expectEqual(tasks?.map(\.text), ["b", "c"])
            let variables: [String: Any] = ["r": request, "c": stack.context]
            let isOne = NSPredicate(format: "SELF IN FETCH($r, $c, NO) AND FETCH($r, $c, YES) == 2")
            #expect(isOne.evaluate(with: tasks?.first, substitutionVariables: variables))
            request.predicate = NSPredicate(format: "priority == 1")
            #expect(!isOne.evaluate(with: tasks?.first, substitutionVariables: variables))
            let ids = NSFetchRequest<NSManagedObjectID>(entityName: "Task")
            ids.resultType = .managedObjectIDResultType
            let identifiers = NSExpression(format: "FETCH(%@, %@, NO)", ids, stack.context)
                .expressionValue(with: nil, context: nil)
            expectEqual((identifiers as? [NSManagedObjectID])?.count, 3)
        }
    }

    @Test("A value that is not a request or cannot be fetched evaluates to nil")
    func impossible() throws {
        let stack = try Stack()
        try stack.context.run { () throws in
            let unknown = NSFetchRequest<TestTask>(entityName: "Nothing")
            let context = stack.context
            expectNil(NSExpression(format: "FETCH('x', %@, NO)", context).expressionValue(with: nil, context: nil))
            expectNil(NSExpression(format: "FETCH(%@, 1, NO)", unknown).expressionValue(with: nil, context: nil))
            expectNil(
                NSExpression(format: "FETCH(%@, %@, NO)", unknown, context).expressionValue(with: nil, context: nil)
            )
        }
    }

    @Test("Foundation's collections read and set the values of managed objects")
    func collections() throws {
        let stack = try Stack()
        try stack.context.run { () throws in
            for priority in 1...3 { TestTask(context: stack.context).priority = Int16(priority) }
            let request = NSFetchRequest<TestTask>(entityName: "Task")
            request.sortDescriptors = [NSSortDescriptor(key: "priority", ascending: true)]
            let tasks = NSArray(array: try stack.context.fetch(request))
            expectEqual(tasks.value(forKeyPath: "@sum.priority") as? Int, 6)
            expectEqual((tasks.value(forKey: "priority") as? [Any])?.map { "\($0)" }, ["1", "2", "3"])
            tasks.setValue("same", forKey: "text")
            expectEqual(NSSet(array: tasks.map { $0 }).value(forKey: "text") as? NSSet, NSSet(array: ["same"]))
        }
    }
}
