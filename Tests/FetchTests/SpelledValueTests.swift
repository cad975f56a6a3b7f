// Texts in predicates, compared with attributes of other types as the values that they spell.
import ExpectationSupport
import Foundation
import ManagedGraph
import Testing

@testable import StackSupport

struct SpelledValueTests {
    @Test("A text in a predicate equals the UUID that it spells, and no other")
    func identifiers() throws {
        let stack = try Stack()
        let identifiers = (0..<3).map { _ in UUID() }
        try stack.context.run { () throws in
            for identifier in identifiers {
                stack.context.task(identifier.uuidString).setValue(identifier, forKey: "identifier")
            }
            _ = stack.context.task("none")
            try stack.context.save()
            func texts(_ format: String, _ argument: Any) throws -> Set<String?> {
                let request = NSFetchRequest<TestTask>(entityName: "Task")
                request.predicate = NSPredicate(format: format, argumentArray: [argument])
                return Set(try stack.context.fetch(request).map(\.text))
            }
            let names = identifiers.map(\.uuidString)
            try expectEqual(texts("identifier == %@", names[1]), [names[1]])
            try expectEqual(texts("identifier == %@", names[1].lowercased()), [names[1]])
            try expectEqual(texts("%@ == identifier", names[1]), [names[1]])
            try expectEqual(texts("identifier != %@", names[1]), [names[0], names[2], "none"])
            try expectEqual(texts("identifier == %@", "not a UUID"), [])
            try expectEqual(texts("identifier != %@", "not a UUID"), Set(names + ["none"]))
            try expectEqual(texts("identifier IN %@", [names[0], names[2], "not a UUID"]), [names[0], names[2]])
            try expectEqual(texts("identifier IN %@", [names[0], identifiers[2]] as [Any]), [names[0], names[2]])
            try expectEqual(
                texts("identifier IN %@", names + (0..<40).map { _ in UUID().uuidString }),
                Set(names)
            )
            let count = NSFetchRequest<TestTask>(entityName: "Task")
            count.predicate = NSPredicate(format: "identifier == %@", names[0])
            try expectEqual(stack.context.count(for: count), 1)
        }
    }

    @Test("A text in a predicate equals the URL that it spells")
    func pages() throws {
        let stack = try Stack()
        try stack.context.run { () throws in
            for name in ["a", "b"] {
                stack.context.task(name).setValue(URL(string: "https://x.org/\(name)"), forKey: "page")
            }
            _ = stack.context.task("none")
            try stack.context.save()
            func texts(_ format: String, _ argument: Any) throws -> Set<String?> {
                let request = NSFetchRequest<TestTask>(entityName: "Task")
                request.predicate = NSPredicate(format: format, argumentArray: [argument])
                return Set(try stack.context.fetch(request).map(\.text))
            }
            try expectEqual(texts("page == %@", "https://x.org/a"), ["a"])
            try expectEqual(texts("page != %@", "https://x.org/a"), ["b", "none"])
            try expectEqual(texts("page IN %@", ["https://x.org/b", "https://x.org/c"]), ["b"])
        }
    }
}
