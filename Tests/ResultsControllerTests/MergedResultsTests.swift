import ExpectationSupport
import Foundation
import GraphSupport
import Testing

@testable import ManagedGraph

@Suite("Results controllers and other contexts")
struct MergedResultsTests {
    /// Three saved tasks in two locations, a context that merges, and a controller over it.
    private func withSibling(
        sort: [String] = ["location.name", "text"],
        sections: String? = "location.name",
        where format: String? = nil,
        _ body: (ResultsStack, NSManagedObjectContext, NSFetchedResultsController<ResultTask>, Recorder) throws -> Void
    ) throws {
        let stack = try ResultsStack()
        stack.context.automaticallyMergesChangesFromParent = true
        let sibling = stack.sibling()
        let recorder = Recorder()
        let controller = try stack.context.performAndWait {
            let home = stack.location("Home")
            stack.task("a", priority: 1, at: home)
            stack.task("b", priority: 2, at: home)
            stack.task("c", priority: 1, at: stack.location("Office"))
            try stack.context.save()
            stack.context.reset()
            let controller = stack.controller(sort: sort, sections: sections, where: format)
            controller.delegate = recorder
            try controller.performFetch()
            return controller
        }
        try body(stack, sibling, controller, recorder)
    }

    /// Changes objects that match a format in another context, saves, and waits for the merge.
    private func change(
        _ stack: ResultsStack,
        _ sibling: NSManagedObjectContext,
        _ entity: String,
        _ format: String,
        _ body: (NSManagedObject) -> Void
    ) throws {
        try sibling.performAndWait {
            let request = NSFetchRequest<NSManagedObject>(entityName: entity)
            request.predicate = NSPredicate(format: format)
            for object in try sibling.fetch(request) { body(object) }
            try sibling.save()
        }
        stack.context.performAndWait {}
    }

    @Test(
        "A location that another context renames moves its tasks, whether it is in memory here or not",
        arguments: [
            false, true,
        ]
    )
    func renamedElsewhere(inMemory: Bool) throws {
        try withSibling { stack, sibling, controller, recorder in
            let held = try stack.context.performAndWait { () throws in
                inMemory ? try stack.context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Location")) : []
            }
            try change(stack, sibling, "Location", "name == 'Home'") { $0.setValue("Zoo", forKey: "name") }
            stack.context.performAndWait {
                expectEqual(controller.picture, "Office: c | Zoo: a b")
                expectEqual(recorder.calls.prefix(3), ["will", "delete section Home 0", "insert section Zoo 1"])
                withExtendedLifetime(held) {}
            }
        }
    }

    @Test("Changes of another context add and remove results by the predicate, even for objects not in memory here")
    func predicateElsewhere() throws {
        try withSibling(sort: ["text"], sections: nil, where: "priority == 1") { stack, sibling, controller, recorder in
            try change(stack, sibling, "Task", "text == 'b'") { $0.setValue(1, forKey: "priority") }
            try change(stack, sibling, "Task", "text == 'a'") { $0.setValue(5, forKey: "priority") }
            stack.context.performAndWait { expectEqual(controller.picture, ": b c") }
            expectEqual(recorder.calls, ["will", "insert b to 0,1", "did", "will", "delete a 0,0", "did"])
        }
    }

    @Test("Insertions, deletions and updates of another context's save are one batch")
    func oneBatch() throws {
        try withSibling(sort: ["text"], sections: nil) { stack, sibling, controller, recorder in
            try change(stack, sibling, "Task", "text != 'c'") { task in
                if task.value(forKey: "text") as? String == "a" {
                    sibling.delete(task)
                } else {
                    task.setValue("new", forKey: "note")
                }
                let new = NSEntityDescription.insertNewObject(forEntityName: "Task", into: sibling)
                new.setValue("d", forKey: "text")
            }
            stack.context.performAndWait { expectEqual(controller.picture, ": b c d d") }
            expectEqual(recorder.calls.count, 6)
            expectEqual(recorder.calls.filter { $0 == "will" }.count, 1)
            #expect(recorder.calls.contains("update b 0,1 to 0,0"))
        }
    }

    @Test("A refreshed location moves its tasks too")
    func refreshedLocation() throws {
        try withSibling { stack, sibling, controller, _ in
            stack.context.performAndWait { stack.context.automaticallyMergesChangesFromParent = false }
            let location = try stack.context.performAndWait { () throws in
                let all = try stack.context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Location"))
                return all.first { $0.value(forKey: "name") as? String == "Home" }
            }
            try change(stack, sibling, "Location", "name == 'Home'") { $0.setValue("Zoo", forKey: "name") }
            try stack.context.performAndWait {
                expectEqual(controller.picture, "Home: a b | Office: c")
                stack.context.refresh(try #require(location), mergeChanges: true)
                stack.context.processPendingChanges()
                expectEqual(controller.picture, "Office: c | Zoo: a b")
            }
        }
    }

    @Test("A controller over a child follows the child's changes and the parent's saves")
    func child() throws {
        try withSibling(sort: ["text"], sections: nil) { stack, _, parents, _ in
            let child = stack.context.makeChild()
            child.automaticallyMergesChangesFromParent = true
            let recorder = Recorder()
            let controller = try child.performAndWait {
                let controller = NSFetchedResultsController(tasksOf: child)
                controller.delegate = recorder
                try controller.performFetch()
                controller.object(at: IndexPath(row: 0, section: 0)).setValue("x", forKey: "text")
                child.processPendingChanges()
                expectEqual(controller.picture, ": b c x")
                try child.save()
                return controller
            }
            try stack.context.performAndWait {
                stack.context.processPendingChanges()
                expectEqual(parents.picture, ": b c x")
                stack.task("y")
                try stack.context.save()
            }
            child.performAndWait { expectEqual(controller.picture, ": b c x y") }
            expectEqual(
                recorder.calls,
                [
                    "will", "move x 0,0 to 0,2", "did", "will", "insert y to 0,3", "update x 0,2 to 0,2", "did",
                ]
            )
        }
    }

    @Test("Undo and redo are reported like other changes")
    func undo() throws {
        try withSibling(sort: ["text"], sections: nil) { stack, _, controller, recorder in
            stack.context.performAndWait {
                stack.context.undoManager = UndoManager()
                stack.context.delete(controller.object(at: IndexPath(row: 0, section: 0)))
                stack.context.processPendingChanges()
                recorder.calls = []
                stack.context.undo()
                expectEqual(controller.picture, ": a b c")
                stack.context.redo()
                expectEqual(controller.picture, ": b c")
            }
            expectEqual(recorder.calls.filter { $0 == "will" }.count, 2)
        }
    }

    // "Individually invalidated objects count as deletes. When all are invalidated (reset, store removal) nothing is
    // sent; caller must fetch again."
    @Test("Single invalidated objects are deletions; if all are, nothing is sent before the next fetch")
    func invalidation() throws {
        try withSibling(sort: ["text"], sections: nil) { stack, _, controller, recorder in
            try stack.context.performAndWait {
                let object: NSManagedObject = controller.object(at: IndexPath(row: 1, section: 0))
                NotificationCenter.default.post(
                    name: NSManagedObjectContext.didChangeObjectsNotification,
                    object: stack.context,
                    userInfo: [NSInvalidatedObjectsKey: Set([object])]
                )
                expectEqual(recorder.calls, ["will", "delete b 0,1", "did"])
                recorder.calls = []
                stack.context.reset()
                stack.task("n")
                stack.context.processPendingChanges()
                #expect(recorder.calls.isEmpty)
                expectEqual(controller.fetchedObjects?.count, 2)
                try controller.performFetch()
                expectEqual(controller.picture, ": a b c n")
                stack.task("o")
                stack.context.processPendingChanges()
                expectEqual(recorder.calls, ["will", "insert o to 0,4", "did"])
                recorder.calls = []
                let store = try #require(stack.coordinator.persistentStores.first)
                try stack.coordinator.remove(store)
                stack.task("p")
                stack.context.processPendingChanges()
                #expect(recorder.calls.isEmpty)
            }
        }
    }

    @Test("A controller follows its context after its store was moved")
    func movedStore() throws {
        try withSibling(sort: ["text"], sections: nil) { stack, _, controller, recorder in
            let store = try #require(stack.coordinator.persistentStores.first)
            _ = try stack.coordinator.migratePersistentStore(store, to: URL(filePath: "/dev/null"), type: .inMemory)
            try stack.context.performAndWait { () throws in
                stack.task("d")
                stack.context.processPendingChanges()
                expectEqual(recorder.calls, ["will", "insert d to 0,3", "did"])
                recorder.calls = []
                try stack.context.save()
                let object: NSManagedObject = controller.object(at: IndexPath(row: 0, section: 0))
                stack.context.delete(object)
                stack.context.processPendingChanges()
                expectEqual(recorder.calls, ["will", "delete a 0,0", "did"])
            }
        }
    }

    @Test("A delegate that is set again receives missed changes with the next one, relative to its last state")
    func delegateThatComesBack() throws {
        try withSibling(sort: ["text"], sections: nil) { stack, _, controller, recorder in
            stack.context.performAndWait {
                controller.delegate = nil
                stack.context.delete(controller.object(at: IndexPath(row: 0, section: 0)))
                stack.context.processPendingChanges()
                expectEqual(controller.picture, ": a b c")
                controller.delegate = recorder
                stack.task("d")
                stack.context.processPendingChanges()
                expectEqual(controller.picture, ": b c d")
            }
            expectEqual(recorder.calls, ["will", "delete a 0,0", "insert d to 0,2", "did"])
        }
    }

    @Test("A limit and an offset are kept while following: results beyond the limit are removed, others move up")
    func window() throws {
        let stack = try ResultsStack()
        try stack.context.performAndWait {
            for text in ["a", "b", "c", "d", "e"] { stack.task(text) }
            try stack.context.save()
            let controller = stack.controller()
            controller.fetchRequest.fetchLimit = 2
            controller.fetchRequest.fetchOffset = 1
            let recorder = Recorder()
            controller.delegate = recorder
            try controller.performFetch()
            expectEqual(controller.picture, ": b c")
            stack.task("0")
            stack.context.processPendingChanges()
            expectEqual(controller.picture, ": a b")
            expectEqual(recorder.calls, ["will", "delete c 0,1", "insert a to 0,0", "did"])
            stack.context.delete(controller.object(at: IndexPath(row: 0, section: 0)))
            stack.context.processPendingChanges()
            expectEqual(controller.picture, ": b c")
        }
    }

    @Test("A fetch uses unsaved names of locations for sections and predicates")
    func unsavedRelated() throws {
        try withSibling { stack, _, _, _ in
            try stack.context.performAndWait {
                let all = try stack.context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Location"))
                for location in all where location.value(forKey: "name") as? String == "Home" {
                    location.setValue("Zoo", forKey: "name")
                }
                let sorted = stack.controller(sort: ["location.name", "text"], sections: "location.name")
                try sorted.performFetch()
                expectEqual(sorted.picture, "Office: c | Zoo: a b")
                let chosen = stack.controller(where: "location.name == 'Zoo'")
                try chosen.performFetch()
                expectEqual(chosen.picture, ": a b")
                chosen.fetchRequest.fetchLimit = 1
                try chosen.performFetch()
                expectEqual(chosen.picture, ": a")
            }
        }
    }

    @Test(
        "A predicate over a to-many relationship follows its members",
        arguments: [
            "ANY tasks.priority == 7", "SUBQUERY(tasks, $t, $t.priority == 7).@count > 0", "tasks.@max.priority == 7",
        ]
    )
    func toMany(format: String) throws {
        let stack = try ResultsStack()
        try stack.context.performAndWait {
            let home = stack.location("Home")
            let task = stack.task("a", priority: 1, at: home)
            try stack.context.save()
            let request = NSFetchRequest<NSManagedObject>(entityName: "Location")
            request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
            request.predicate = NSPredicate(format: format)
            let controller = NSFetchedResultsController(
                fetchRequest: request,
                managedObjectContext: stack.context,
                sectionNameKeyPath: nil,
                cacheName: nil
            )
            let recorder = TableDelegate()
            recorder.rows = [[]]
            controller.delegate = recorder
            try controller.performFetch()
            expectEqual(controller.fetchedObjects, [])
            task.setValue(7, forKey: "priority")
            stack.context.processPendingChanges()
            expectEqual(controller.fetchedObjects, [home])
            task.setValue(2, forKey: "priority")
            stack.context.processPendingChanges()
            expectEqual(controller.fetchedObjects, [])
            expectEqual(recorder.rows, [[]])
        }
    }
}
