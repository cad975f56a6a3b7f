import ExpectationSupport
import Foundation
import ManagedGraph
import Testing

@Suite("Following the context")
struct TrackingResultsTests {
    /// Three saved tasks a, c, e and a controller with a recorder as its delegate.
    private func withTracking(
        sections: String? = nil,
        where format: String? = nil,
        _ body: (ResultsStack, NSFetchedResultsController<ResultTask>, Recorder) throws -> Void
    ) throws {
        let stack = try ResultsStack()
        try stack.context.performAndWait {
            for (text, priority) in [("a", 1), ("c", 1), ("e", 2)] { stack.task(text, priority: priority) }
            try stack.context.save()
            let controller = stack.controller(
                sort: sections.map { [$0, "text"] } ?? ["text"],
                sections: sections,
                where: format
            )
            let recorder = Recorder()
            controller.delegate = recorder
            try controller.performFetch()
            try withExtendedLifetime((controller, recorder)) { try body(stack, controller, recorder) }
        }
    }

    @Test("An insertion is reported with its new path, between will and did change")
    func insertion() throws {
        try withTracking { stack, controller, recorder in
            stack.task("b")
            #expect(recorder.calls.isEmpty)
            stack.context.processPendingChanges()
            expectEqual(recorder.calls, ["will", "insert b to 0,1", "did"])
            expectEqual(controller.picture, ": a b c e")
        }
    }

    @Test("The old results are visible until will change has been called, the new ones afterwards")
    func whenResultsChange() throws {
        try withTracking { stack, controller, recorder in
            var counts: [Int?] = []
            recorder.onWillChange = { counts.append($0.fetchedObjects?.count) }
            recorder.onDidChange = { counts.append($0.fetchedObjects?.count) }
            stack.task("b")
            stack.context.processPendingChanges()
            expectEqual(counts, [3, 4])
            expectEqual(controller.fetchedObjects?.count, 4)
        }
    }

    @Test("A changed sort key is a move, another changed value an update")
    func moveAndUpdate() throws {
        try withTracking { stack, controller, recorder in
            controller.object(at: IndexPath(row: 0, section: 0)).setValue("d", forKey: "text")
            controller.object(at: IndexPath(row: 2, section: 0)).setValue("new", forKey: "note")
            stack.context.processPendingChanges()
            expectEqual(recorder.calls, ["will", "move d 0,0 to 0,1", "update e 0,2 to 0,2", "did"])
            expectEqual(controller.picture, ": c d e")
        }
    }

    @Test("A deletion is reported with its old path")
    func deletion() throws {
        try withTracking { stack, controller, recorder in
            let object = controller.object(at: IndexPath(row: 1, section: 0))
            stack.context.delete(object)
            stack.context.processPendingChanges()
            expectEqual(recorder.calls.first, "will")
            expectEqual(recorder.calls.last, "did")
            expectEqual(recorder.calls.dropFirst().first?.hasPrefix("delete"), true)
            expectEqual(recorder.calls.dropFirst().first?.hasSuffix(" 0,1"), true)
            expectEqual(controller.picture, ": a e")
            expectNil(controller.indexPath(forObject: object))
        }
    }

    @Test("Sections are reported before objects: deletions with old indexes, insertions with new ones")
    func sections() throws {
        try withTracking(sections: "priority") { stack, controller, recorder in
            expectEqual(controller.picture, "1: a c | 2: e")
            controller.object(at: IndexPath(row: 0, section: 1)).setValue(0, forKey: "priority")
            stack.context.processPendingChanges()
            expectEqual(
                recorder.calls,
                ["will", "delete section 2 1", "insert section 0 0", "move e 1,0 to 0,0", "did"]
            )
            expectEqual(controller.picture, "0: e | 1: a c")
            // Apple's are one object; dictionaries and arrays of them are compared in tests of apps.
            let inserted = try #require(recorder.sections.last as? NSObject)
            let sections = try #require(controller.sections as? [NSObject])
            #expect(inserted == sections[0] && inserted.hash == sections[0].hash && inserted != sections[1])
            expectEqual(["section": inserted] as NSDictionary, ["section": sections[0]] as NSDictionary)
        }
    }

    @Test("An object that starts or stops matching the predicate is inserted or deleted")
    func predicate() throws {
        try withTracking(where: "priority == 1") { stack, controller, recorder in
            expectEqual(controller.picture, ": a c")
            let request = NSFetchRequest<ResultTask>(entityName: "Task")
            request.predicate = NSPredicate(format: "text == 'e'")
            let other = try stack.context.fetch(request).first
            controller.object(at: IndexPath(row: 0, section: 0)).setValue(3, forKey: "priority")
            other?.setValue(1, forKey: "priority")
            stack.context.processPendingChanges()
            expectEqual(recorder.calls, ["will", "delete a 0,0", "insert e to 0,1", "did"])
        }
    }

    @Test("A change that does not affect the results is not reported")
    func unrelatedChange() throws {
        try withTracking(where: "priority == 1") { stack, _, recorder in
            _ = stack.location("Home")
            stack.task("x", priority: 2)
            try stack.context.save()
            #expect(recorder.calls.isEmpty)
        }
    }

    @Test("Renaming a location moves its tasks to the section of the new name")
    func renamedSection() throws {
        let stack = try ResultsStack()
        try stack.context.performAndWait {
            let home = stack.location("Home")
            stack.task("a", at: home)
            stack.task("b", at: home)
            stack.task("c", at: stack.location("Office"))
            try stack.context.save()
            let (controller, recorder) = try stack.recorded(sort: ["location.name", "text"], sections: "location.name")
            home.setValue("Zoo", forKey: "name")
            stack.context.processPendingChanges()
            expectEqual(
                recorder.calls,
                [
                    "will", "delete section Home 0", "insert section Zoo 1", "move a 0,0 to 1,0", "move b 0,1 to 1,1",
                    "did",
                ]
            )
            expectEqual(controller.picture, "Office: c | Zoo: a b")
            recorder.calls = []
            stack.context.delete(home)
            stack.context.processPendingChanges()
            expectEqual(controller.picture, ": a b | Office: c")
            expectEqual(recorder.calls.prefix(3), ["will", "delete section Zoo 1", "insert section  0"])
        }
    }

    @Test("A change of a related object that the predicate reads inserts and deletes results")
    func relatedPredicate() throws {
        let stack = try ResultsStack()
        try stack.context.performAndWait {
            let home = stack.location("Home")
            let work = stack.location("Work")
            stack.task("a", at: home)
            stack.task("b", at: work)
            try stack.context.save()
            let (controller, recorder) = try stack.recorded(where: "location.name == 'Home'")
            work.setValue("Home", forKey: "name")
            stack.context.processPendingChanges()
            home.setValue("Office", forKey: "name")
            stack.context.processPendingChanges()
            expectEqual(recorder.calls, ["will", "insert b to 0,1", "did", "will", "delete a 0,0", "did"])
            withExtendedLifetime(controller) {}
        }
    }

    @Test("Without a delegate the results are those of the last fetch")
    func staticMode() throws {
        let stack = try ResultsStack()
        try stack.context.performAndWait {
            stack.task("a")
            let controller = stack.controller()
            try controller.performFetch()
            stack.task("b")
            stack.context.processPendingChanges()
            expectEqual(controller.picture, ": a")
            try controller.performFetch()
            expectEqual(controller.picture, ": a b")
        }
    }

    @Test("Rolled back insertions are removed, rolled back deletions restored, each reported")
    func rollback() throws {
        try withTracking { stack, controller, recorder in
            stack.task("b")
            stack.context.delete(controller.object(at: IndexPath(row: 0, section: 0)))
            stack.context.processPendingChanges()
            expectEqual(controller.picture, ": b c e")
            recorder.calls = []
            stack.context.rollback()
            expectEqual(controller.picture, ": a c e")
            expectEqual(recorder.calls.count, 4)
        }
    }

    @Test("A reset sends nothing")
    func reset() throws {
        try withTracking { stack, _, recorder in
            stack.context.reset()
            #expect(recorder.calls.isEmpty)
        }
    }

    @Test("A save reports changes that were not yet processed, and nothing twice")
    func saving() throws {
        try withTracking { stack, _, recorder in
            stack.task("b")
            try stack.context.save()
            expectEqual(recorder.calls, ["will", "insert b to 0,1", "did"])
            try stack.context.save()
            expectEqual(recorder.calls.count, 3)
        }
    }

    @Test("A change that a delegate makes during a notification is reported after it")
    func nestedChanges() throws {
        try withTracking { stack, controller, recorder in
            var isFirst = true
            recorder.onDidChange = { _ in
                guard isFirst else { return }
                isFirst = false
                stack.task("d")
                stack.context.processPendingChanges()
            }
            stack.task("b")
            stack.context.processPendingChanges()
            stack.context.processPendingChanges()
            expectEqual(recorder.calls, ["will", "insert b to 0,1", "did", "will", "insert d to 0,3", "did"])
            expectEqual(controller.picture, ": a b c d e")
        }
    }

    @Test("A value that a merge policy takes from the store moves a result")
    func resolvedConflict() throws {
        try withTracking { stack, controller, recorder in
            stack.context.mergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
            let task = try #require(controller.fetchedObjects?.first)
            task.setValue(5, forKey: "priority")
            stack.context.processPendingChanges()
            recorder.calls = []
            let sibling = stack.sibling()
            try sibling.performAndWait {
                let request = NSFetchRequest<NSManagedObject>(entityName: "Task")
                request.predicate = NSPredicate(format: "text == 'a'")
                for object in try sibling.fetch(request) { object.setValue("d", forKey: "text") }
                try sibling.save()
            }
            try stack.context.save()
            expectEqual(recorder.calls, ["will", "move d 0,0 to 0,1", "did"])
            expectEqual(controller.picture, ": c d e")
        }
    }

    @Test("A delegate may change objects and save them; other controllers get the changes in their order")
    func savesOfDelegates() throws {
        try withTracking { stack, controller, recorder in
            let other = stack.controller()
            let otherRecorder = Recorder()
            other.delegate = otherRecorder
            try other.performFetch()
            var isFirst = true
            recorder.onDidChange = { _ in
                guard isFirst else { return }
                isFirst = false
                stack.task("d")
                do { try stack.context.save() } catch { Issue.record(error) }
                #expect(!stack.context.hasChanges)
            }
            stack.task("b")
            stack.context.processPendingChanges()
            let calls = ["will", "insert b to 0,1", "did", "will", "insert d to 0,3", "did"]
            expectEqual(recorder.calls, calls)
            expectEqual(otherRecorder.calls, calls)
            expectEqual(controller.picture, ": a b c d e")
            expectEqual(other.picture, ": a b c d e")
            #expect(!stack.context.hasChanges)
        }
    }
}
