import ExpectationSupport
import Foundation
import ManagedGraph
import Testing

@Suite("Fetches that a results controller refuses")
struct RefusedFetchesTests {
    private func message(
        _ entity: String = "Task",
        sort: [String] = ["text"],
        sections: String? = nil,
        _ change: (NSFetchRequest<ResultTask>) -> Void = { _ in }
    ) throws -> String? {
        let stack = try ResultsStack()
        return stack.context.performAndWait {
            let request = NSFetchRequest<ResultTask>(entityName: entity)
            request.sortDescriptors = sort.map { NSSortDescriptor(key: $0, ascending: true) }
            change(request)
            let controller = NSFetchedResultsController(
                fetchRequest: request,
                managedObjectContext: stack.context,
                sectionNameKeyPath: sections,
                cacheName: nil
            )
            do {
                try controller.performFetch()
                return nil
            } catch let error as NSError {
                expectEqual(error.code, NSCoreDataError)
                #expect(error.localizedRecoverySuggestion != nil)
                return error.localizedDescription
            }
        }
    }

    // "Needs at least one sort descriptor." "A missing one makes performFetch() fail."
    @Test("No sort descriptors: with sections, the remedy names the first sort key")
    func sortDescriptors() throws {
        try expectEqual(message { $0.sortDescriptors = nil }?.contains("no sort descriptors"), true)
        try expectNil(message(sort: []))
        try expectEqual(message(sort: [], sections: "priority")?.contains("Sort by priority first."), true)
        try expectNil(message())
    }

    @Test("An entity that the model lacks, with the nearest name; an entity with another class")
    func entities() throws {
        try expectEqual(message("Tusk")?.contains("Did you mean Task?"), true)
        let text = try message("Location", sort: ["name"])
        expectEqual(text?.contains("ResultTask"), true)
        expectEqual(text?.contains("Location"), true)
    }

    @Test(
        "Results that are not managed objects",
        arguments: [
            NSFetchRequestResultType.dictionaryResultType, .countResultType, .managedObjectIDResultType,
        ]
    )
    func resultTypes(type: NSFetchRequestResultType) throws {
        let text = try message { $0.resultType = type }
        expectEqual(text?.contains("does not ask for managed objects"), true)
    }

    @Test("Section names over a to-many relationship, or with keys that the entity lacks")
    func sectionPaths() throws {
        try expectEqual(message(sections: "location.tasks.text")?.contains("tasks, which has many values"), true)
        try expectEqual(message(sections: "location.nmae")?.contains("name"), true)
        try expectNil(message(sort: ["location.name"], sections: "location.name"))
    }

    @Test("A context without a coordinator")
    func noCoordinator() {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.performAndWait {
            let controller = NSFetchedResultsController(tasksOf: context)
            #expect(throws: (any Error).self) { try controller.performFetch() }
            expectNil(controller.fetchedObjects)
        }
    }

    @Test("A refused fetch keeps the previous results")
    func oldResults() throws {
        let stack = try ResultsStack()
        try stack.context.performAndWait {
            stack.task("a")
            let controller = stack.controller()
            try controller.performFetch()
            controller.fetchRequest.sortDescriptors = nil
            #expect(throws: (any Error).self) { try controller.performFetch() }
            expectEqual(controller.picture, ": a")
        }
    }

    @Test("An index path outside the results and an index title without a section trap")
    func outside() async {
        await #expect(processExitsWith: .failure) {
            let stack = try ResultsStack()
            stack.context.performAndWait {
                let controller = stack.controller()
                try? controller.performFetch()
                _ = controller.object(at: IndexPath(row: 0, section: 0)) as ResultTask
            }
        }
        await #expect(processExitsWith: .failure) {
            let stack = try ResultsStack()
            stack.context.performAndWait {
                let controller = stack.controller()
                try? controller.performFetch()
                _ = controller.section(forSectionIndexTitle: "Q", at: 0)
            }
        }
    }

    @Test("A controller made without a request cannot fetch; a test double of it answers with results of its own")
    func withoutRequest() {
        let plain = NSFetchedResultsController<any NSFetchRequestResult>()
        expectNil(plain.fetchedObjects)
        expectNil(plain.sectionNameKeyPath)
        #expect(throws: NSError.self) { try plain.performFetch() }
        let double = AnsweringController()
        let controller: NSFetchedResultsController<ResultTask> = double
        let forwarder = Recorder()
        controller.delegate = forwarder
        expectEqual(controller.fetchedObjects?.count, 0)
        #expect(controller.delegate === forwarder)
    }

    @Test("A subclass gives the index titles of its own and the sections that they lead to")
    func ownIndex() {
        let controller: NSFetchedResultsController<ResultTask> = AnsweringController()
        expectEqual(controller.sectionIndexTitles, ["#"])
        expectEqual(controller.section(forSectionIndexTitle: "#", at: 0), 7)
    }

    @Test("A subclass answers type-erased readers, such as delegates, with results of its own")
    func ownResultsTypeErased() {
        let double = AnsweringController()
        let erased = castFetchedResultsController(
            double,
            to: NSFetchedResultsController<any NSFetchRequestResult>.self
        )
        expectEqual(erased?.fetchedObjects?.count, 0)
        let counting: NSFetchedResultsController<any NSFetchRequestResult> = CountingController()
        expectEqual(counting.fetchedObjects?.count, 1)
        expectEqual(counting.object(at: IndexPath(item: 3, section: 0)) as? NSNumber, NSNumber(value: 3))
        expectEqual(counting.indexPath(forObject: NSNumber(value: 3)), IndexPath(item: 7, section: 0))
        expectEqual(counting.fetchRequest.entityName, "Counted")
        expectEqual([counting.sectionNameKeyPath, counting.cacheName], ["section", "cache"])
        #expect(counting.managedObjectContext !== counting.managedObjectContext)
    }

    @Test("A type-erased subclass reads its own results by the names that it overrides")
    func ownResultsOfOwnType() {
        let counting = CountingController()
        let objects: [Any]? = counting.fetchedObjects
        expectEqual(objects?.count, 1)
        expectEqual(counting.fetchedObjects?.count, 1)
        expectEqual(counting.object(at: IndexPath(item: 3, section: 0)) as? NSNumber, NSNumber(value: 3))
        expectEqual(counting.indexPath(forObject: NSNumber(value: 3)), IndexPath(item: 7, section: 0))
    }
}

private final class AnsweringController: NSFetchedResultsController<ResultTask> {
    override var fetchedObjects: [ResultTask]? { [] }
    override var sectionIndexTitles: [String] { ["#"] + super.sectionIndexTitles }
    override func section(forSectionIndexTitle title: String, at sectionIndex: Int) -> Int {
        title == "#" ? 7 : super.section(forSectionIndexTitle: title, at: sectionIndex)
    }
}

private final class CountingController: NSFetchedResultsController<any NSFetchRequestResult> {
    override var fetchRequest: NSFetchRequest<any NSFetchRequestResult> { NSFetchRequest(entityName: "Counted") }
    override var managedObjectContext: NSManagedObjectContext { NSManagedObjectContext(.privateQueue) }
    override var sectionNameKeyPath: String? { "section" }
    override var cacheName: String? { "cache" }
    override var fetchedObjects: [any NSFetchRequestResult]? { [NSNumber(value: 1)] }
    override func object(at indexPath: IndexPath) -> any NSFetchRequestResult { NSNumber(value: indexPath[1]) }
    override func indexPath(forObject object: any NSFetchRequestResult) -> IndexPath? {
        super.indexPath(forObject: object) ?? IndexPath(item: 7, section: 0)
    }
}
