import ExpectationSupport
import Foundation
import GraphSupport
import Testing

@testable import ManagedGraph

@Suite("Routing changes to controllers")
struct RouterTests {
    @Test("Of 1,000 controllers, each for one location's tasks, a change of one task visits one")
    func byRelationship() throws {
        let stack = try ResultsStack()
        try stack.context.performAndWait {
            let places = (0..<1000).map { stack.location("\($0)") }
            for place in places { stack.task("task", at: place) }
            try stack.context.save()
            let recorder = Recorder()
            let controllers = places.map { place in
                let controller = stack.controller()
                controller.fetchRequest.predicate = NSPredicate(format: "location == %@ AND text != 'x'", place)
                return controller
            }
            for controller in controllers {
                controller.delegate = recorder
                try controller.performFetch()
            }
            let router = stack.context.resultsRouter
            var visits = router.visits
            func visitsSinceLast() -> Int {
                defer { visits = router.visits }
                return router.visits - visits
            }
            let task = controllers[7].object(at: IndexPath(row: 0, section: 0))
            task.setValue("new", forKey: "note")
            stack.context.processPendingChanges()
            expectEqual(visitsSinceLast(), 1)
            stack.task("other", at: places[9])
            stack.context.processPendingChanges()
            expectEqual(visitsSinceLast(), 1)
            task.setValue(places[8], forKey: "location")
            stack.context.processPendingChanges()
            expectEqual(visitsSinceLast(), 2, "the one that it leaves and the one that it enters")
            stack.context.refresh(task, mergeChanges: true)
            stack.context.processPendingChanges()
            expectEqual(visitsSinceLast(), 1)
            stack.context.delete(task)
            stack.context.processPendingChanges()
            expectEqual(visitsSinceLast(), 1)
            _ = stack.location("new")
            places[3].setValue("renamed", forKey: "name")
            stack.context.processPendingChanges()
            expectEqual(visitsSinceLast(), 0)
            try stack.context.save()
            expectEqual(visitsSinceLast(), 0)
            expectEqual(controllers.map { $0.fetchedObjects?.count ?? 0 }.reduce(0, +), 1000)
            expectEqual(
                recorder.calls.filter { $0 != "will" && $0 != "did" },
                [
                    "update task 0,0 to 0,0", "insert other to 0,0", "delete task 0,0", "insert task to 0,1",
                    "update task 0,1 to 0,1", "delete task 0,1",
                ]
            )
        }
    }

    @Test("Refreshing a location without renaming it examines none of its tasks, however often")
    func refreshesOfRelatedObjects() throws {
        let stack = try ResultsStack()
        let other = stack.coordinator.makeContext()
        let identifier = try stack.context.performAndWait { () throws in
            let home = stack.location("Home")
            for text in ["a", "b"] { stack.task(text, at: home) }
            try stack.context.save()
            return home.objectID
        }
        // A save of another context refreshes the location in a merge, whether it was renamed or not.
        func saved(_ change: (NSManagedObject) -> Void) throws -> Notification {
            try other.performAndWait {
                other.refreshAllObjects()
                change(try other.existingObject(with: identifier))
                let objects = other.updatedObjects
                try other.save()
                return Notification(
                    name: .NSManagedObjectContextDidSave,
                    object: other,
                    userInfo: [NSUpdatedObjectsKey: objects]
                )
            }
        }
        func rename(_ name: String) throws -> Notification { try saved { $0.setValue(name, forKey: "name") } }
        try stack.context.performAndWait {
            let (controller, recorder) = try stack.recorded(sort: ["location.name", "text"], sections: "location.name")
            let router = stack.context.resultsRouter
            func sections() -> [String] { controller.sections?.map(\.name) ?? [] }
            stack.context.mergeChanges(fromContextDidSave: try rename("Cellar"))
            expectEqual(sections(), ["Cellar"])
            let visits = router.visits
            let calls = recorder.calls.count
            for _ in 0..<3 { stack.context.mergeChanges(fromContextDidSave: try rename("Cellar")) }
            expectEqual(router.visits, visits)
            expectEqual(recorder.calls.count, calls)
            for name in ["Attic", "Cellar", "Attic"] {
                stack.context.mergeChanges(fromContextDidSave: try rename(name))
                expectEqual(sections(), [name])
            }
            let location = try stack.context.existingObject(with: identifier)
            location.setValue("Garden", forKey: "name")
            stack.context.processPendingChanges()
            expectEqual(sections(), ["Garden"])
            stack.context.rollback()
            expectEqual(sections(), ["Attic"])
            stack.context.mergeChanges(fromContextDidSave: try rename("Garden"))
            expectEqual(sections(), ["Garden"])
        }
    }

    @Test(
        "Attributes, conjunctions and nil are routed by their values, in either order",
        arguments: [
            "priority == 3", "3 == priority", "text == 'a' AND priority == 3",
            "(priority == 3 AND text != 'x') AND note == nil",
            "priority == 3.0", "text == 'a'",
        ]
    )
    func byAttribute(format: String) throws {
        let stack = try ResultsStack()
        try stack.context.performAndWait {
            let (controller, recorder) = try stack.recorded(where: format)
            defer { withExtendedLifetime(recorder) {} }
            let router = stack.context.resultsRouter
            for priority in [1, 2] { stack.task("b", priority: priority).setValue("n", forKey: "note") }
            stack.context.processPendingChanges()
            expectEqual(router.visits, 0)
            let task = stack.task("a", priority: 3)
            stack.context.processPendingChanges()
            expectEqual(router.visits, 1)
            expectEqual(controller.fetchedObjects?.count, 1)
            task.setValue("x", forKey: "text")
            task.setValue(4, forKey: "priority")
            stack.context.processPendingChanges()
            expectEqual(router.visits, 2)
            expectEqual(controller.fetchedObjects?.isEmpty, true)
        }
    }

    @Test(
        "A predicate without such a condition is evaluated for each change of its entity and of no other",
        arguments: [
            "priority > 2", "priority == 3 OR text == 'a'", "NOT priority == 1", "text ==[c] 'A'",
            "location.name == 'Home'",
        ]
    )
    func general(format: String) throws {
        let stack = try ResultsStack()
        try stack.context.performAndWait {
            let home = stack.location("Home")
            let (controller, recorder) = try stack.recorded(where: format)
            defer { withExtendedLifetime(recorder) {} }
            let router = stack.context.resultsRouter
            stack.task("a", priority: 3, at: home)
            stack.context.processPendingChanges()
            expectEqual(router.visits, 1)
            expectEqual(controller.fetchedObjects?.count, 1)
            _ = stack.location("Office")
            stack.context.processPendingChanges()
            expectEqual(router.visits, 1)
        }
    }

    @Test("A change to a property that the predicate does not read requires no evaluation")
    func noEvaluation() throws {
        let stack = try ResultsStack()
        try stack.context.performAndWait {
            for number in 0..<100 { stack.task("\(number)", priority: number) }
            let (controller, recorder) = try stack.recorded(where: "priority < 50")
            let inside = controller.object(at: IndexPath(row: 0, section: 0))
            let request = NSFetchRequest<ResultTask>(entityName: "Task")
            request.predicate = NSPredicate(format: "priority == 99")
            let outside = try #require(try stack.context.fetch(request).first)
            inside.setValue("new", forKey: "note")
            outside.setValue("new", forKey: "note")
            stack.context.processPendingChanges()
            expectEqual(recorder.calls, ["will", "update 0 0,0 to 0,0", "did"])
        }
    }

    @Test("A deallocated controller is no longer visited, wherever it was released")
    func departure() async throws {
        let stack = try ResultsStack()
        let recorder = Recorder()
        var controller: NSFetchedResultsController<ResultTask>? = try stack.context.performAndWait {
            let controller = stack.controller()
            controller.delegate = recorder
            try controller.performFetch()
            return controller
        }
        weak let watched = controller
        controller = nil
        expectNil(watched)
        stack.context.performAndWait {
            stack.task("a")
            stack.context.processPendingChanges()
            expectEqual(stack.context.resultsRouter.visits, 0)
        }
        #expect(recorder.calls.isEmpty)
    }

    @Test("One change in a controller over 100,000 rows reads no row, moves nothing else and visits one controller")
    func oneOfManyRows() throws {
        let stack = try ResultsStack()
        try stack.context.performAndWait {
            try stack.saveTasks(100_000, digits: 6)
            let (controller, recorder) = try stack.recorded()
            let object = controller.object(at: IndexPath(row: 70_000, section: 0))
            let before = (stack.context.statistics, stack.coordinator.statistics)
            object.setValue("000100a", forKey: "text")
            stack.context.processPendingChanges()
            expectEqual(recorder.calls, ["will", "move 000100a 0,70000 to 0,101", "did"])
            expectEqual((stack.context.statistics - before.0).rowsRead, 0)
            expectEqual((stack.coordinator.statistics - before.1).statements, 0)
            expectEqual(stack.context.resultsRouter.visits, 1)
        }
    }
}
