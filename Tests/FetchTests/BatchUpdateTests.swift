// NSBatchUpdateRequest: constants, expressions, results, versions, rejected requests.
import ExpectationSupport
import Foundation
import Testing

@testable import ManagedGraph
@testable import StackSupport

/// The expressions, the predicates and whether one statement computes and writes the values.
private let computedValues: [([String: String], String, Bool)] = [
    (["priority": "priority + 1"], "TRUEPREDICATE", true),
    (["priority": "priority * 2 - 1", "weight": "weight / 4"], "priority > 0", true),
    (["weight": "priority"], "weight > 3 OR text == 't1'", true),
    (["text": "uppercase:(text)"], "text IN {'t1', 't2'}", true),
    (["text": "text", "weight": "abs:(weight - 5)"], "TRUEPREDICATE", true),
    (["dueDate": "dueDate", "priority": "-priority"], "TRUEPREDICATE", true),
    // The values are not numbers of the type, or need other rows.
    (["priority": "weight / 4"], "TRUEPREDICATE", false),
    (["text": "location.name"], "TRUEPREDICATE", false),
    (["priority": "tags.@count"], "TRUEPREDICATE", false),
    (["priority": "count:(tags)"], "TRUEPREDICATE", false),
    (["price": "price + 1"], "TRUEPREDICATE", false),
]

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

    @Test("Computes values in one statement as it does row by row", arguments: computedValues)
    func computed(values: [String: String], format: String, isOneStatement: Bool) throws {
        func run(keepsRows: Bool) throws -> (rows: [String], updates: Int) {
            let stack = try Stack()
            try stack.context.run { () throws in
                for number in 0..<10 {
                    let (task, place) = stack.context.taskAtPlace("t\(number)")
                    task.priority = Int16(number % 3)
                    task.weight = Double(number)
                    task.dueDate = number < 5 ? Date(timeIntervalSinceReferenceDate: Double(number)) : nil
                    task.setValue(Decimal(number) / 4, forKey: "price")
                    place.name = "place \(number)"
                }
                try stack.context.save()
            }
            let request = NSBatchUpdateRequest(entityName: "Task")
            request.propertiesToUpdate = values.mapValues { NSExpression(format: $0) }
            // A predicate that only objects can evaluate has the rows written one by one.
            let objects = NSPredicate { object, _ in object is NSManagedObject }
            let predicate = NSPredicate(format: format)
            request.predicate =
                keepsRows ? NSCompoundPredicate(andPredicateWithSubpredicates: [predicate, objects]) : predicate
            let log = ActivityLog(stack.coordinator)
            _ = try stack.execute(request, as: NSBatchUpdateResult.self)
            log.cancel()
            let rows = try stack.rows(
                "SELECT ZTEXT, ZPRIORITY, ZWEIGHT, ZPRICE, ZDUEDATE, typeof(ZWEIGHT), Z_OPT FROM ZTASK ORDER BY Z_PK"
            )
            return (rows.map { "\($0)" }, log.statements.filter { $0.text.hasPrefix("UPDATE ZTASK") }.count)
        }
        let (together, oneByOne) = (try run(keepsRows: false), try run(keepsRows: true))
        expectEqual(together.rows, oneByOne.rows)
        expectEqual(together.updates == 1, isOneStatement)
        #expect(oneByOne.updates > 1)
    }

    @Test("A computed value that does not fit is refused before anything is written")
    func misfit() throws {
        let before = try tasks()
        for format in ["priority + 32766", "priority * 100000", "'x'"] {
            #expect(throws: NSError.self) { try update(["priority": NSExpression(format: format)]) }
        }
        try expectEqual(tasks(), before)
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
