import Foundation
import ManagedGraph
import Testing

@Suite("Delegates of results controllers")
struct DelegateTests {
    @Test("The delegate gets the very controller that it was set on, and can read it")
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
                #expect(erased.sections?.first?.numberOfObjects == 2)
                #expect(erased.fetchRequest.entityName == "Task")
            }
            controller.delegate = recorder
            try controller.performFetch()
            stack.task("b")
            stack.context.processPendingChanges()
            #expect(isSame)
            #expect(texts == ["a", "b", "a"])
            #expect(paths == [[0, 0], [0, 1], [0, 0]])
            #expect(first.value(forKey: "text") as? String == "a")
        }
    }

    @Test("A delegate with the method for differences gets them, and applied they give the new results")
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
                try stack.context.save()
                #expect(recorder.differences.count == round + 1)
                let difference = try #require(recorder.differences.last)
                identifiers = try #require(identifiers.applying(difference))
                #expect(identifiers.count == controller.fetchedObjects?.count)
                #expect(difference.insertions.count == 3)
                #expect(difference.removals.count == 3)
            }
        }
    }

    @Test("With sections a delegate for differences gets none")
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
            #expect(controller.picture == "0: a")
        }
    }

    @Test("A delegate without any method for changes keeps the results up to date all the same")
    func emptyDelegate() throws {
        let stack = try ResultsStack()
        try stack.context.performAndWait {
            let controller = stack.controller()
            let titler = Titler()
            controller.delegate = titler
            try controller.performFetch()
            stack.task("a")
            stack.context.processPendingChanges()
            #expect(controller.picture == ": a")
        }
    }

    @Test("A delegate that is gone, and a controller that is gone, are left in peace")
    func lifetimes() throws {
        let stack = try ResultsStack()
        try stack.context.performAndWait {
            var controller: NSFetchedResultsController<ResultTask>? = stack.controller()
            var recorder: Recorder? = Recorder()
            weak let watched = recorder
            controller?.delegate = recorder
            try controller?.performFetch()
            recorder = nil
            #expect(watched == nil)
            stack.task("a")
            stack.context.processPendingChanges()
            #expect(controller?.fetchedObjects?.count == 0)
            controller = nil
            stack.task("b")
            stack.context.processPendingChanges()
        }
    }
}
