// Successive fetches that differ in their values only, or in other parts, too: the reader recognizes those that differ
// in values only.
import ExpectationSupport
import Foundation
import ManagedGraph
import Testing

@testable import StackSupport

@Suite("Repeated fetches") struct RepeatedFetchTests {
    private struct Condition {
        let format: String
        let arguments: [Any]

        init(_ format: String, _ arguments: Any...) {
            self.format = format
            self.arguments = arguments
        }
    }

    private let conditions = [
        Condition("priority == %@", 1), Condition("priority == %@", 2), Condition("priority == %@", 2.0),
        Condition("priority == %@", NSNull()), Condition("priority == %@", true),
        Condition("priority != %@", 1), Condition("priority > %@", 1), Condition("%@ > priority", 2),
        Condition("weight == %@", 1), Condition("weight == %@", 1.5), Condition("text == %@", "t1"),
        Condition("text == %@", NSNull()), Condition("text ==[c] %@", "T1"), Condition("text BEGINSWITH %@", "t"),
        Condition("text BEGINSWITH %@", ""), Condition("text BEGINSWITH %@", "t2"),
        Condition("text MATCHES %@", "t[12]"), Condition("text MATCHES %@", ".*3"),
        Condition("priority == %@ AND text == %@", 1, "t1"), Condition("priority == %@ AND text == %@", 2, "t2"),
        Condition("priority == %@ OR text == %@", 1, "t2"), Condition("NOT priority == %@", 1),
        Condition("priority == %@ AND text == %@ AND weight == %@", 2, "t2", 1.0),
        Condition("(priority == %@ OR text == %@) AND weight == %@", 2, "t3", 1.0),
        Condition("priority == %@ OR (text == %@ AND weight == %@)", 1, "t3", 1.5),
        Condition("priority == %@ OR NOT (text == %@ AND weight == %@)", 1, "t3", 1.5),
        Condition("priority IN %@", [1, 2]), Condition("priority IN %@", [1, 2, 3]),
        Condition("priority BETWEEN %@", [1, 2]), Condition("%@ == %@", 1, 1), Condition("%@ == %@", 1, 2),
        Condition("dueDate > %@", Date(timeIntervalSinceReferenceDate: 1)),
        Condition("dueDate > %@", Date(timeIntervalSinceReferenceDate: 3)), Condition("TRUEPREDICATE"),
    ]

    @Test("Fetches with other values, forms, orders and limits find what the objects in memory say")
    func mixedFetches() throws {
        let stack = try Stack()
        try stack.context.performAndWait { () throws in
            for number in 0..<4 {
                let task = stack.context.task("t\(number)")
                task.priority = Int16(number)
                task.weight = Double(number) / 2
                task.dueDate = Date(timeIntervalSinceReferenceDate: Double(number))
            }
            stack.context.task("").text = nil
            try stack.context.save()
        }
        let reader = stack.coordinator.makeContext()
        try reader.performAndWait { () throws in
            let all = try reader.fetch(NSFetchRequest<TestTask>(entityName: "Task"))
            // In this order, in the reverse order, and each twice in a row.
            for condition in conditions + conditions.reversed() + conditions.flatMap({ [$0, $0] }) {
                for limit in [0, 2] {
                    for isAscending in [nil, true, false] {
                        let request = NSFetchRequest<TestTask>(entityName: "Task")
                        let predicate = NSPredicate(format: condition.format, argumentArray: condition.arguments)
                        request.predicate = predicate
                        request.fetchLimit = limit
                        request.sortDescriptors = isAscending.map {
                            [
                                NSSortDescriptor(key: "priority", ascending: $0),
                                NSSortDescriptor(key: "text", ascending: true),
                            ]
                        }
                        var expected = all.filter { predicate.evaluate(with: $0) }
                        if let sorts = request.sortDescriptors { expected = expected.sorted(using: sorts) }
                        if limit > 0 { expected = Array(expected.prefix(limit)) }
                        let tasks = try reader.fetch(request)
                        expectEqual(tasks, expected, "\(predicate), limit \(limit), ascending \(isAscending as Any)")
                    }
                }
            }
        }
    }

    @Test("A reset context reads the objects of a repeated fetch anew")
    func resets() throws {
        let stack = try Stack()
        try stack.context.performAndWait { () throws in
            // The class refuses the priority 9.
            for number in 0..<300 { stack.context.task("t\(number)").priority = Int16(100 + number) }
            try stack.context.save()
        }
        let reader = stack.coordinator.makeContext()
        try reader.performAndWait { () throws in
            for round in 0..<3 {
                var retainedTasks: [TestTask] = []
                for number in stride(from: 0, to: 300, by: 7) {
                    let request = NSFetchRequest<TestTask>(entityName: "Task")
                    request.predicate = NSPredicate(format: "priority == %d", 100 + number)
                    request.fetchLimit = 1
                    let tasks = try reader.fetch(request)
                    expectEqual(tasks.map(\.text), ["t\(number)"], "round \(round)")
                    retainedTasks += tasks
                }
                expectEqual(reader.registeredObjects, Set(retainedTasks))
                let identifiers = retainedTasks.map(\.objectID)
                reader.reset()
                #expect(reader.registeredObjects.isEmpty && retainedTasks.allSatisfy { $0.managedObjectContext == nil })
                // Shells keep their identifiers.
                expectEqual(retainedTasks.map(\.objectID), identifiers)
                let again = try identifiers.map { try reader.existingObject(with: $0) as? TestTask }
                expectEqual(again.map { $0?.text }, stride(from: 0, to: 300, by: 7).map { "t\($0)" })
                #expect(zip(again, retainedTasks).allSatisfy { $0 !== $1 })
            }
        }
    }
}
