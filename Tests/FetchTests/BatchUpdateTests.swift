// NSBatchUpdateRequest: constants, expressions, results, versions, rejected requests.
import ExpectationSupport
import Foundation
import Testing

@testable import ManagedGraph
@testable import StackSupport

@Suite("Batch updates")
struct BatchUpdateTests {
    let stack: Stack
    var context: NSManagedObjectContext { stack.context }

    init() throws {
        stack = try Stack()
        try context.run { () throws in
            for number in 0..<10 {
                let task = context.task("t\(number)", priority: Int16(number % 3))
                task.weight = Double(number)
            }
            try context.save()
        }
        context.performAndWait { context.reset() }
    }

    private func update(
        _ values: [AnyHashable: Any],
        _ predicate: NSPredicate? = nil,
        _ type: NSBatchUpdateRequestResultType = .updatedObjectsCountResultType,
        merges: Bool = false
    ) throws -> Any? {
        let request = NSBatchUpdateRequest(entityName: "Task")
        request.propertiesToUpdate = values
        request.predicate = predicate
        request.resultType = type
        request.mergesIntoContexts = merges
        return try stack.execute(request, as: NSBatchUpdateResult.self)?.result
    }

    private func tasks(_ format: String = "TRUEPREDICATE") throws -> [String] {
        let other = stack.otherContext()
        return try other.performAndWait { () throws in
            try other.tasks(format).map { "\($0.text ?? "-") \($0.priority) \($0.weight)" }
        }
    }

    @Test(
        "Sets constants in the rows that match the predicate, in one statement, and increments their versions"
    )
    func constants() throws {
        let count = try update(["priority": 9, "text": NSNull()], NSPredicate(format: "priority == 1"))
        expectEqual(count as? Int, 3)
        #expect(
            try tasks("priority == 9") == ["- 9 1.0", "- 9 4.0", "- 9 7.0"].sorted()
                || tasks("priority == 9").count == 3
        )
        try expectEqual(tasks("text == nil").count, 3)
        try expectEqual(stack.rows("SELECT count(*) FROM ZTASK WHERE Z_OPT = 2"), [[.integer(3)]])
    }

    @Test("Evaluates expressions with each row's old values")
    func expressions() throws {
        let count = try update([
            "weight": NSExpression(format: "weight * 2 + priority"), "priority": NSExpression(forConstantValue: 1),
        ])
        expectEqual(count as? Int, 10)
        try expectEqual(tasks("text == 't5'"), ["t5 1 12.0"])
        try expectEqual(tasks("text == 't9'"), ["t9 1 18.0"])
    }

    @Test("Reports the identifiers of changed rows, and accepts property descriptions as keys")
    func identifiers() throws {
        let property = try #require(
            stack.coordinator.managedObjectModel.entitiesByName["Task"]?.attributesByName["text"]
        )
        let result = try update([property: "x"], NSPredicate(format: "weight > 7"), .updatedObjectIDsResultType)
        let identifiers = try #require(result as? [NSManagedObjectID])
        expectEqual(identifiers.count, 2)
        try expectEqual(tasks("text == 'x'").count, 2)
        try expectEqual(update(["text": "y"], NSPredicate(value: false), .statusOnlyResultType) as? Bool, true)
    }

    @Test("Finds the rows of a predicate that only objects can evaluate")
    func memoryPredicate() throws {
        let block = NSPredicate { any, _ in (any as? TestTask)?.text?.hasSuffix("3") == true }
        try expectEqual(update(["weight": 100], block) as? Int, 1)
        try expectEqual(tasks("weight == 100"), ["t3 0 100.0"])
    }

    @Test("A context with old values of the row gets a conflict on save")
    func conflict() throws {
        try context.run { () throws in
            let task = try #require(try context.tasks("text == 't1'").first)
            task.weight = 50
            try expectEqual(update(["priority": 2], NSPredicate(format: "text == 't1'")) as? Int, 1)
            let error = #expect(throws: NSError.self) { try context.save() }
            expectEqual(error?.code, NSManagedObjectMergeError)
            context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            try context.save()
        }
        try expectEqual(tasks("text == 't1'"), ["t1 2 50.0"])
    }

    @Test("Objects in memory show the new values below their unsaved changes if the request says so")
    func merging() throws {
        try context.run { () throws in
            let tasks = try context.tasks("priority == 0")
            tasks[0].weight = 77
            try expectEqual(
                update(["text": "same", "weight": 5], NSPredicate(format: "priority == 0"), merges: true) as? Int,
                4
            )
            expectEqual(tasks.map(\.text), Array(repeating: "same", count: 4))
            expectEqual(tasks.map(\.weight), [77, 5, 5, 5])
        }
    }

    @Test("Rejects values of the wrong type before writing anything")
    func refusals() throws {
        #expect(throws: NSError.self) { try update(["priority": "high"]) }
        #expect(throws: NSError.self) { try update(["prio": 1]) }
        #expect(throws: NSError.self) { try update([:]) }
        #expect(throws: NSError.self) { try update(["tags": NSNull()]) }
        try expectEqual(stack.rows("SELECT count(*) FROM ZTASK WHERE Z_OPT > 1"), [[.integer(0)]])
    }

    @Test("An expression or an optional without a value sets nil", arguments: 0..<3)
    func nothing(form: Int) throws {
        let value: Any = [NSExpression(forConstantValue: nil) as Any, String?.none as Any, NSNull()][form]
        try expectEqual(update(["text": value], NSPredicate(format: "priority == 1")) as? Int, 3)
        try expectEqual(tasks("text == nil").count, 3)
        try expectEqual(update(["location": value]) as? Int, 10)
    }
}
