import ExpectationSupport
import Foundation
import ManagedGraph
import Testing

@Suite("Delegates of results controllers")
struct DelegateTests {
    @Test("The delegate receives the controller that it was set on, and can read it")
    func identity() throws {
        let stack = try ResultsStack()
        try stack.context.performAndWait {
            let first = stack.task("a")
            let controller = stack.controller()
            let recorder = Recorder()
            var texts: [String] = []
            var isSame = false
            var paths: [IndexPath?] = []
            recorder.onDidChange = { erased in
                isSame = erased === controller && erased == controller
                let objects = (erased.fetchedObjects ?? []) + [erased.object(at: IndexPath(row: 0, section: 0))]
                texts = objects.compactMap { ($0 as? ResultTask)?.value(forKey: "text") as? String }
                paths = objects.map { erased.indexPath(forObject: $0) }
                expectEqual(erased.sections?.first?.numberOfObjects, 2)
                expectEqual(erased.fetchRequest.entityName, "Task")
            }
            controller.delegate = recorder
            try controller.performFetch()
            stack.task("b")
            stack.context.processPendingChanges()
            #expect(isSame)
            expectEqual(texts, ["a", "b", "a"])
            expectEqual(paths, [[0, 0], [0, 1], [0, 0]])
            expectEqual(first.value(forKey: "text") as? String, "a")
        }
    }

    @Test("A controller is cast to the type that it was made for, and to that of delegates' parameters")
    func casts() throws {
        let stack = try ResultsStack()
        try stack.context.performAndWait {
            stack.task("a")
            let (controller, recorder) = try stack.recorded()
            var texts: [String?] = []
            recorder.onDidChange = { erased in
                let tasks = castFetchedResultsController(erased, to: NSFetchedResultsController<ResultTask>.self)
                #expect(tasks === controller)
                texts = (tasks?.fetchedObjects ?? []).map { $0.value(forKey: "text") as? String }
                expectNil(castFetchedResultsController(erased, to: NSFetchedResultsController<NSDictionary>.self))
            }
            stack.task("b")
            stack.context.processPendingChanges()
            expectEqual(texts, ["a", "b"])
            let erased = castFetchedResultsController(
                controller,
                to: NSFetchedResultsController<any NSFetchRequestResult>.self
            )
            #expect(erased === controller)
            expectEqual(erased?.fetchedObjects?.count, 2)
            expectNil(castFetchedResultsController(nil, to: NSFetchedResultsController<ResultTask>.self))
            #expect(!recorder.calls.isEmpty)
        }
    }

    @Test("The request of the controller that a delegate receives can be executed")
    func executedRequest() throws {
        let stack = try ResultsStack()
        try stack.context.performAndWait {
            stack.task("a")
            let (controller, recorder) = try stack.recorded()
            var texts: [String?]?
            recorder.onDidChange = { erased in
                let objects = try? erased.fetchRequest.execute()
                texts = objects?.map { ($0 as? ResultTask)?.value(forKey: "text") as? String }
            }
            stack.task("b")
            stack.context.processPendingChanges()
            expectEqual(texts, ["a", "b"])
            try expectEqual(controller.fetchRequest.execute().count, 2)
            #expect(!recorder.calls.isEmpty)
        }
    }

    @Test("A delegate that forwards its calls to an object without the methods receives all of them")
    func forwarding() throws {
        let stack = try ResultsStack()
        try stack.context.performAndWait {
            let controller = stack.controller(sort: ["priority"], sections: "priority")
            let forwarder = Forwarder()
            controller.delegate = forwarder
            try controller.performFetch()
            for round in 1...3 {
                stack.task("a").setValue(round, forKey: "priority")
                stack.context.processPendingChanges()
                expectEqual(forwarder.calls, ["will", "title", "section", "object", "did"], "round \(round)")
                forwarder.calls = []
            }
        }
    }

    @Test("A delegate with the method for differences receives them, and applying them gives the new results")
    func differences() throws {
        let stack = try ResultsStack()
        try stack.context.performAndWait {
            for text in ["a", "c", "e", "g"] { stack.task(text) }
            try stack.context.save()
            let controller = stack.controller()
            let recorder = DifferenceRecorder()
            controller.delegate = recorder
            try controller.performFetch()
            var identifiers = (controller.fetchedObjects ?? []).map(\.objectID)
            for round in 0..<3 {
                let objects = controller.fetchedObjects ?? []
                objects[0].setValue("z\(round)", forKey: "text")
                objects[1].setValue("note", forKey: "note")
                stack.context.delete(objects[2])
                stack.task("b\(round)")
                stack.context.processPendingChanges()
                expectEqual(recorder.differences.count, 2 * round + 1)
                let difference = try #require(recorder.differences.last)
                identifiers = try #require(identifiers.applying(difference))
                expectEqual(identifiers, (controller.fetchedObjects ?? []).map(\.objectID))
                expectEqual(difference.insertions.count, 3)
                expectEqual(difference.removals.count, 3)
                // The save assigns a permanent ID to the new object.
                try stack.context.save()
                expectEqual(recorder.differences.count, 2 * round + 2)
                let renaming = try #require(recorder.differences.last)
                identifiers = try #require(identifiers.applying(renaming))
                expectEqual(identifiers, (controller.fetchedObjects ?? []).map(\.objectID))
            }
        }
    }

    @Test("With sections, a delegate for differences receives none")
    func differencesWithSections() throws {
        let stack = try ResultsStack()
        try stack.context.performAndWait {
            let controller = stack.controller(sort: ["priority"], sections: "priority")
            let recorder = DifferenceRecorder()
            controller.delegate = recorder
            try controller.performFetch()
            stack.task("a")
            stack.context.processPendingChanges()
            #expect(recorder.differences.isEmpty)
        }
    }

    // "Tracking also needs at least one change method on the delegate."
    @Test(
        "If the delegate has no method for changes, the results stay those of the fetch",
        arguments: [false, true]
    )
    func emptyDelegate(inSections: Bool) throws {
        let stack = try ResultsStack()
        try stack.context.performAndWait {
            stack.task("a")
            let controller = stack.controller(
                sort: ["priority", "text"],
                sections: inSections ? "priority" : nil
            )
            let titler = Titler()
            controller.delegate = titler
            try controller.performFetch()
            let picture = controller.picture
            for priority in 0..<3 {
                stack.task("b", priority: priority)
                stack.context.processPendingChanges()
                expectEqual(controller.picture, picture)
                expectEqual(controller.fetchedObjects?.count, 1)
            }
            try controller.performFetch()
            expectEqual(controller.fetchedObjects?.count, 4)
        }
    }

    @Test("A deallocated delegate or controller is not called")
    func lifetimes() throws {
        let stack = try ResultsStack()
        try stack.context.performAndWait {
            var controller: NSFetchedResultsController<ResultTask>? = stack.controller()
            var recorder: Recorder? = Recorder()
            weak let watched = recorder
            controller?.delegate = recorder
            try controller?.performFetch()
            recorder = nil
            expectNil(watched)
            stack.task("a")
            stack.context.processPendingChanges()
            expectEqual(controller?.fetchedObjects?.count, 0)
            controller = nil
            stack.task("b")
            stack.context.processPendingChanges()
        }
    }
}
