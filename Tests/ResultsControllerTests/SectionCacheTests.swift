import ExpectationSupport
import Foundation
import GraphSupport
import Synchronization
import Testing

@testable import ManagedGraph

@Suite("Cache files of results controllers", .serialized)
struct SectionCacheTests {
    /// 300 saved tasks in 3 locations, and a unique cache name; its file is removed afterwards.
    private func withTasks(_ body: (ResultsStack, _ cache: String) throws -> Void) throws {
        let stack = try ResultsStack()
        let name = "test \(UUID().uuidString)/ä"
        defer { NSFetchedResultsController<ResultTask>.deleteCache(withName: name) }
        try stack.context.performAndWait {
            let places = ["Home", "Office", "Zoo"].map { stack.location($0) }
            for number in 0..<300 { stack.task(String(format: "%03d", number), at: places[number % 3]) }
            try stack.context.save()
        }
        try body(stack, name)
    }

    private struct Outcome: Equatable {
        var sections: [String]
        var rowsOfContext: Int
        var rowsOfStore: Int
    }

    /// Fetches in a new context and reads only the sections and their counts.
    private func outcome(
        _ stack: ResultsStack,
        _ make: (NSManagedObjectContext) -> NSFetchedResultsController<ResultTask>
    ) throws -> Outcome {
        let context = stack.sibling()
        return try context.performAndWait {
            let before = (context.statistics, stack.coordinator.statistics)
            let controller = make(context)
            try controller.performFetch()
            let sections = (controller.sections ?? []).map {
                "\($0.name) \($0.numberOfObjects) \($0.indexTitle ?? "-")"
            }
            controller.tracker.list?.checkInvariants()
            return Outcome(
                sections: sections,
                rowsOfContext: (context.statistics - before.0).rowsRead,
                rowsOfStore: (stack.coordinator.statistics - before.1).rowsRead
            )
        }
    }

    @Test("With a valid cache and a batch size, a fetch returns the sections without reading a row")
    func savesReads() throws {
        try withTasks { stack, name in
            let first = try outcome(stack) { stack.cached(name, in: $0) }
            expectEqual(first.sections, ["Home 100 H", "Office 100 O", "Zoo 100 Z"])
            #expect(first.rowsOfContext >= 300, "the names were read from the rows")
            let second = try outcome(stack) { stack.cached(name, in: $0) }
            expectEqual(second, Outcome(sections: first.sections, rowsOfContext: 0, rowsOfStore: 0))
            let plain = try outcome(stack) { stack.cached(name, in: $0, batchSize: 0) }
            expectEqual(plain.sections, first.sections)
        }
    }

    @Test("Without a batch size, a valid cache avoids reading the objects that contain the section names")
    func savesRelatedReads() throws {
        try withTasks { stack, name in
            let first = try outcome(stack) { stack.cached(name, in: $0, batchSize: 0) }
            let second = try outcome(stack) { stack.cached(name, in: $0, batchSize: 0) }
            expectEqual(second.sections, first.sections)
            expectEqual(second.rowsOfContext, 300)
            #expect(first.rowsOfContext > 300)
        }
    }

    @Test("A cached fetch returns the correct objects, reads them a page at a time, and follows the context")
    func objectsOfACachedFetch() throws {
        try withTasks { stack, name in
            _ = try outcome(stack) { stack.cached(name, in: $0) }
            let context = stack.sibling()
            try context.performAndWait {
                let controller = stack.cached(name, in: context)
                let recorder = Recorder()
                controller.delegate = recorder
                try controller.performFetch()
                let object = controller.object(at: IndexPath(row: 99, section: 1))
                expectEqual(object.value(forKey: "text") as? String, "298")
                expectEqual(context.statistics.rowsRead, 20)
                expectEqual(controller.indexPath(forObject: object), IndexPath(row: 99, section: 1))
                object.setValue("000", forKey: "text")
                context.processPendingChanges()
                expectEqual(recorder.calls, ["will", "move 000 1,99 to 1,0", "did"])
            }
        }
    }

    // "Cache validity test: entity name, entity version hash, sort descriptors, section key path, modification dates of
    // cache and store."
    @Test("A cache of another request or of another state of the store is ignored and replaced")
    func validity() throws {
        try withTasks { stack, name in
            let plain = { stack.cached(name, in: $0) }
            let others: [(NSManagedObjectContext) -> NSFetchedResultsController<ResultTask>] = [
                { stack.cached(name, in: $0, where: "text < '010'") },
                { stack.cached(name, in: $0, sort: ["location.name", "priority"]) },
                { stack.cached(name, in: $0, sort: ["location.name"], sections: nil) },
                { stack.cached(name, in: $0, sort: ["priority"], sections: "priority") },
            ]
            for other in others {
                _ = try outcome(stack, plain)
                try expectEqual(outcome(stack, plain).rowsOfStore, 0)
                #expect(try outcome(stack, other).rowsOfStore > 0)
                #expect(try outcome(stack, plain).rowsOfStore > 0)
            }
            try stack.context.performAndWait {
                stack.task("new")
                try stack.context.save()
            }
            let later = try outcome(stack, plain)
            #expect(later.rowsOfStore > 0)
            // The new task has no location, so the name of its section is empty.
            expectEqual(later.sections, [" 1 -", "Home 100 H", "Office 100 O", "Zoo 100 Z"])
            try expectEqual(outcome(stack, plain), Outcome(sections: later.sections, rowsOfContext: 0, rowsOfStore: 0))
        }
    }

    @Test("A save during a fetch makes the cache stale")
    func savesDuringAFetch() throws {
        try withTasks { stack, name in
            _ = try outcome(stack) { stack.cached(name, in: $0, batchSize: 0) }
            let coordinator = stack.coordinator
            let context = stack.sibling()
            try context.performAndWait {
                let controller = stack.cached(name, in: context, batchSize: 0)
                let calls = Atomic<Int>(0)
                // Called when the rows have been read, before they are put into sections.
                let observation = coordinator.observeActivity { _ in
                    guard calls.add(1, ordering: .relaxed).oldValue == 0 else { return }
                    let writer = coordinator.makeContext()
                    do {
                        try writer.performAndWait {
                            _ = writer.make("Task", ["text": "new"])
                            try writer.save()
                        }
                    } catch {
                        Issue.record(error)
                    }
                }
                defer { observation.cancel() }
                try controller.performFetch()
                expectEqual(controller.fetchedObjects?.count, 301)
                expectEqual(controller.sections?.first?.numberOfObjects, 1)
            }
        }
    }

    @Test("Each save makes the cache stale, however soon it follows and however little it writes")
    func quickSaves() throws {
        try withTasks { stack, name in
            for round in 0..<20 {
                try stack.context.performAndWait {
                    let request = NSFetchRequest<ResultTask>(entityName: "Task")
                    request.predicate = NSPredicate(format: "text == '000'")
                    let task = try #require(try stack.context.fetch(request).first)
                    task.setValue(round, forKey: "priority")
                    try stack.context.save()
                }
                let make = { stack.cached(name, in: $0, sort: ["priority", "text"], sections: "priority") }
                let sections = try outcome(stack, make).sections
                expectEqual(sections, (round == 0 ? ["0 300 0"] : ["0 299 0", "\(round) 1 \("\(round)".prefix(1))"]))
                try expectEqual(outcome(stack, make), Outcome(sections: sections, rowsOfContext: 0, rowsOfStore: 0))
            }
        }
    }

    @Test("A damaged or truncated file is ignored and replaced")
    func damage() throws {
        try withTasks { stack, name in
            let expected = try outcome(stack) { stack.cached(name, in: $0) }.sections
            let url = try #require(SectionCache.url(name))
            let whole = try Data(contentsOf: url)
            #expect(SectionCacheFile(whole) != nil)
            for length in stride(from: 0, to: whole.count, by: max(1, whole.count / 150)) {
                expectNil(SectionCacheFile(whole.prefix(length)), "cut off at \(length)")
            }
            for place in stride(from: 0, to: whole.count, by: max(1, whole.count / 150)) {
                var damaged = whole
                damaged[place] ^= 0x10
                expectNil(SectionCacheFile(damaged), "damaged at \(place)")
            }
            for content in [Data(), whole.prefix(whole.count / 2), Data("no cache at all".utf8)] {
                try content.write(to: url)
                let fetched = try outcome(stack) { stack.cached(name, in: $0) }
                expectEqual(fetched.sections, expected)
                #expect(fetched.rowsOfStore > 0)
                try expectEqual(Data(contentsOf: url), whole)
            }
        }
    }

    @Test("If the cache cannot be written, the fetch succeeds without it")
    func unwritable() throws {
        try withTasks { stack, name in
            let url = try #require(SectionCache.url(name))
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
            try expectEqual(outcome(stack) { stack.cached(name, in: $0) }.sections.count, 3)
        }
    }

    @Test("Unsaved changes, parent contexts and closures bypass the cache: the results are those in memory")
    func notFromTheCache() throws {
        try withTasks { stack, name in
            _ = try outcome(stack) { stack.cached(name, in: $0) }
            let context = stack.sibling()
            try context.performAndWait {
                let request = NSFetchRequest<ResultTask>(entityName: "Task")
                request.fetchLimit = 1
                context.delete(try #require(try context.fetch(request).first))
                let controller = stack.cached(name, in: context)
                try controller.performFetch()
                expectEqual(controller.fetchedObjects?.count, 299)
            }
            let child = context.makeChild()
            try child.performAndWait {
                let controller = stack.cached(name, in: child)
                try controller.performFetch()
                expectEqual(controller.fetchedObjects?.count, 299)
            }
            let other = stack.sibling()
            try other.performAndWait {
                let controller = stack.cached(name, in: other)
                controller.fetchRequest.predicate = NSPredicate { object, _ in
                    (object as? NSManagedObject)?.value(forKey: "text") as? String == "007"
                }
                try controller.performFetch()
                expectEqual(controller.fetchedObjects?.count, 1)
            }
            try expectEqual(outcome(stack) { stack.cached(name, in: $0) }.rowsOfStore, 0)
        }
    }

    @Test("A predicate that refers to an object is cached with the object's URI")
    func predicatesWithObjects() throws {
        try withTasks { stack, name in
            func make(_ context: NSManagedObjectContext, _ place: String) throws -> NSFetchedResultsController<
                ResultTask
            > {
                let request = NSFetchRequest<NSManagedObject>(entityName: "Location")
                request.predicate = NSPredicate(format: "name == %@", place)
                let location = try #require(try context.fetch(request).first)
                let controller = stack.cached(name, in: context)
                controller.fetchRequest.predicate = NSPredicate(format: "location == %@ AND text < '999'", location)
                return controller
            }
            func rows(_ place: String) throws -> (sections: [String], fetches: Int) {
                let context = stack.sibling()
                return try context.performAndWait {
                    let controller = try make(context, place)
                    let before = context.statistics
                    try controller.performFetch()
                    return ((controller.sections ?? []).map(\.name), (context.statistics - before).fetches)
                }
            }
            try expectEqual(rows("Home").sections, ["Home"])
            let again = try rows("Home")
            expectEqual(again.sections, ["Home"])
            expectEqual(again.fetches, 0)
            try expectEqual(rows("Zoo").sections, ["Zoo"])
        }
    }

    @Test("The delegate's titles take precedence over first letters, and are cached in the file")
    func indexTitles() throws {
        try withTasks { stack, name in
            let make = { stack.cached(name, in: $0, sort: ["priority"], sections: "priority") }
            try stack.context.performAndWait {
                let titler = Titler()
                let controller = make(stack.context)
                controller.delegate = titler
                try controller.performFetch()
                expectEqual(controller.sectionIndexTitles, ["<0>"])
                let second = make(stack.context)
                try second.performFetch()
                expectEqual(second.sectionIndexTitles, ["<0>"])
                NSFetchedResultsController<ResultTask>.deleteCache(withName: name)
                let third = make(stack.context)
                try third.performFetch()
                expectEqual(third.sectionIndexTitles, ["0"])
            }
        }
    }

    // "deleteCache(withName: nil) deletes all."
    @Test("Deleting removes one file or all of them")
    func deletion() throws {
        try withTasks { stack, name in
            let other = "other \(name)"
            _ = try outcome(stack) { stack.cached(name, in: $0) }
            _ = try outcome(stack) { stack.cached(other, in: $0) }
            let urls = try [name, other].map { try #require(SectionCache.url($0)) }
            expectEqual(urls.map { FileManager.default.fileExists(atPath: $0.path) }, [true, true])
            NSFetchedResultsController<ResultTask>.deleteCache(withName: name)
            expectEqual(urls.map { FileManager.default.fileExists(atPath: $0.path) }, [false, true])
            NSFetchedResultsController<ResultTask>.deleteCache(withName: nil)
            expectEqual(urls.map { FileManager.default.fileExists(atPath: $0.path) }, [false, false])
        }
    }
}
