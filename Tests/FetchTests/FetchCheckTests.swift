// A fetch that names unknown properties or compares incomparable values is an error before any SQL runs, for every
// result type and source.
import ExpectationSupport
import Foundation
import GraphSupport
import ManagedGraph
import Testing

@testable import StackSupport

struct FetchCheckTests {
    private let stack: Stack
    private var context: NSManagedObjectContext { stack.context }

    init() throws {
        stack = try Stack()
        try context.performAndWait { [context = stack.context] in
            _ = context.task("a")
            try context.save()
        }
    }

    /// A request with one wrong part, and the names that the error must contain.
    private static let wrong:
        [(label: String, names: [String], change: @Sendable (NSFetchRequest<NSManagedObject>) -> Void)] = [
            (
                "predicate", ["Task", "\"prioirty\"", "\"priority\""],
                { $0.predicate = NSPredicate(format: "prioirty == 3") }
            ),
            (
                "predicate over a relationship", ["Task", "location.nam", "\"name\"", "Location"],
                { $0.predicate = NSPredicate(format: "text == 'x' OR location.nam == 'x'") }
            ),
            ("kinds", ["Task", "text", "number"], { $0.predicate = NSPredicate(format: "text == priority") }),
            ("to-many", ["Task", "tags.name", "ANY"], { $0.predicate = NSPredicate(format: "tags.name == 'x'") }),
            ("variable", ["Task", "$who"], { $0.predicate = NSPredicate(format: "text == $who") }),
            (
                "sort", ["Task", "\"txt\"", "\"text\""],
                { $0.sortDescriptors = [NSSortDescriptor(key: "txt", ascending: true)] }
            ),
            (
                "sort by to-many", ["Task", "tags.name"],
                { $0.sortDescriptors = [NSSortDescriptor(key: "tags.name", ascending: true)] }
            ),
            (
                "memory", ["Task", "\"prioirty\"", "\"priority\""],
                { request in
                    let block = NSPredicate(block: { _, _ in true })
                    let wrong = NSPredicate(format: "prioirty == 3")
                    request.predicate = NSCompoundPredicate(orPredicateWithSubpredicates: [block, wrong])
                }
            ),
        ]

    private func check(_ label: String, _ names: [String], _ body: () throws -> Void) {
        // The first read of a turn begins a transaction, which itself reads nothing.
        context.performAndWait {
            _ = try? context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Location"))
        }
        let before = stack.coordinator.statistics.statements
        do {
            try body()
            Issue.record("\(label) was accepted")
        } catch {
            let error = error as NSError
            let message = "\(error.localizedDescription) \(error.localizedRecoverySuggestion ?? "")"
            for name in names { #expect(message.contains(name), "\(label): \(message)") }
            expectEqual(error.code, NSCoreDataError)
            expectEqual(error.domain, NSCocoaErrorDomain)
            expectEqual(stack.coordinator.statistics.statements, before, "\(label): SQL has run")
        }
    }

    private func request(_ change: (NSFetchRequest<NSManagedObject>) -> Void) -> NSFetchRequest<NSManagedObject> {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Task")
        change(request)
        return request
    }

    @Test("Objects, identifiers and counts")
    func results() throws {
        context.performAndWait {
            for (label, names, change) in Self.wrong {
                check("\(label), objects", names) { _ = try context.fetch(request(change)) }
                let identifiers = NSFetchRequest<NSManagedObjectID>(entityName: "Task")
                let source = request(change)
                (identifiers.predicate, identifiers.sortDescriptors) = (source.predicate, source.sortDescriptors)
                identifiers.resultType = .managedObjectIDResultType
                check("\(label), identifiers", names) { _ = try context.fetch(identifiers) }
                guard source.sortDescriptors == nil else { continue }
                check("\(label), count") { _ = try context.count(for: request(change)) }
            }
        }
    }

    private func check(_ label: String, _ body: () throws -> Void) { check(label, ["Task"], body) }

    @Test("Without stores, with unsaved changes, and through a child")
    func places() throws {
        let child = context.makeChild()
        context.performAndWait {
            _ = context.task("unsaved")
            for (label, names, change) in Self.wrong {
                check("\(label), unsaved", names) { _ = try context.fetch(request(change)) }
                let nowhere = request(change)
                nowhere.affectedStores = []
                check("\(label), no store", names) { _ = try context.fetch(nowhere) }
            }
        }
        child.performAndWait {
            let task = TestTask(context: child)
            task.text = "of the child"
            for (label, names, change) in Self.wrong {
                check("\(label), child", names) { _ = try child.fetch(request(change)) }
            }
        }
    }

    @Test("Dictionaries, groups and conditions on them")
    func dictionaries() throws {
        context.performAndWait {
            func check(_ label: String, _ names: [String], _ change: (NSFetchRequest<NSDictionary>) -> Void) {
                let request = NSFetchRequest<NSDictionary>(entityName: "Task")
                request.resultType = .dictionaryResultType
                request.propertiesToFetch = ["text"]
                change(request)
                self.check(label, names) { _ = try context.fetch(request) }
            }
            let sum = NSExpressionDescription()
            sum.name = "sum"
            sum.expression = NSExpression(format: "sum(wieght)")
            let most = NSExpressionDescription()
            most.name = "most"
            most.expression = NSExpression(format: "max(text)")
            check("column", ["Task", "\"txet\"", "\"text\""]) { $0.propertiesToFetch = ["txet"] }
            check("expression", ["Task", "wieght", "\"weight\""]) { $0.propertiesToFetch = [sum] }
            check("group", ["Task", "\"tect\"", "\"text\""]) {
                $0.propertiesToFetch = [most]
                $0.propertiesToGroupBy = ["tect"]
            }
            check("having", ["Task", "\"tezt\"", "\"text\""]) {
                $0.propertiesToGroupBy = ["text"]
                $0.havingPredicate = NSPredicate(format: "tezt == 'a'")
            }
        }
    }

    @Test("The key path of a results controller's sections")
    func sections() throws {
        context.performAndWait {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Task")
            request.sortDescriptors = [NSSortDescriptor(key: "text", ascending: true)]
            let controller = NSFetchedResultsController(
                fetchRequest: request,
                managedObjectContext: context,
                sectionNameKeyPath: "location.naem",
                cacheName: nil
            )
            check("section", ["Task", "location.naem", "\"name\""]) { try controller.performFetch() }
        }
    }
}
