// Fetches with predicates nested too deeply for SQLite: objects evaluate the rest.
import ExpectationSupport
import Foundation
import ManagedGraph
import Testing

@testable import StackSupport

@Suite("Deep fetches")
struct DeepFetchTests {
    private static func nested(_ levels: Int) -> String {
        (0..<levels).reduce("priority == 1") { inner, level in
            level.isMultiple(of: 2) ? "text != 'x\(level)' AND NOT (\(inner))" : "text == 'y\(level)' OR NOT (\(inner))"
        }
    }

    @Test("Alternating ANDs, ORs and NOTs fetch correct results at any depth", arguments: [4, 16, 40, 120, 300])
    func alternating(levels: Int) throws {
        let stack = try Stack()
        try stack.context.run { () throws in
            for priority in 0..<4 { _ = stack.context.task("t\(priority)", priority: Int16(priority)) }
            try stack.context.save()
            let predicate = NSPredicate(format: Self.nested(levels))
            let request = NSFetchRequest<TestTask>(entityName: "Task")
            request.predicate = predicate
            let all = try stack.context.tasks()
            let expected = Set(all.filter { predicate.evaluate(with: $0) })
            try expectEqual(Set(try stack.context.fetch(request)), expected)
            try expectEqual(stack.context.count(for: request), expected.count)
            request.predicate = NSPredicate(format: "priority >= 1 AND (\(Self.nested(levels)))")
            try expectEqual(Set(try stack.context.fetch(request)), expected.filter { $0.priority >= 1 })
        }
    }

    @Test("A chain of 5,000 conditions, each in its own compound, is one statement")
    func chain() throws {
        let stack = try Stack()
        try stack.context.run { () throws in
            for priority in 0..<4 { _ = stack.context.task("t\(priority)", priority: Int16(priority)) }
            try stack.context.save()
            var predicate: NSPredicate = NSPredicate(format: "priority == 2")
            // SQLite compares each condition with the others.
            for number in 0..<5_000 {
                let next = NSPredicate(format: "priority == %d", 100 + number)
                predicate = NSCompoundPredicate(orPredicateWithSubpredicates: [predicate, next])
            }
            let request = NSFetchRequest<TestTask>(entityName: "Task")
            request.predicate = predicate
            try expectEqual(stack.context.fetch(request).map(\.text), ["t2"])
        }
    }

    @Test("Rejects compounds of alternating kinds beyond a thousand levels, with a remedy")
    func refused() throws {
        let stack = try Stack()
        try stack.context.run { () throws in
            var predicate: NSPredicate = NSPredicate(format: "priority == 2")
            for number in 0..<2_000 {
                let next = NSPredicate(format: "priority == %d", 100 + number)
                predicate =
                    number.isMultiple(of: 2)
                    ? NSCompoundPredicate(orPredicateWithSubpredicates: [predicate, next])
                    : NSCompoundPredicate(andPredicateWithSubpredicates: [predicate, next])
            }
            let request = NSFetchRequest<TestTask>(entityName: "Task")
            request.predicate = predicate
            let error = try #require(throws: NSError.self) { try stack.context.fetch(request) }
            #expect(error.localizedDescription.contains("1000 levels"))
            #expect(error.localizedDescription.contains("one AND or OR"))
        }
    }
}
