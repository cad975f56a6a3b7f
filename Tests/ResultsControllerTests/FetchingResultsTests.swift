import ExpectationSupport
import Foundation
import ManagedGraph
import Testing

@Suite("Fetching with a results controller")
struct FetchingResultsTests {
    @Test("There are no results before the first fetch")
    func beforeTheFetch() throws {
        let stack = try ResultsStack()
        stack.context.performAndWait {
            let controller = stack.controller()
            expectNil(controller.fetchedObjects)
            expectNil(controller.sections)
        }
    }

    @Test("With an empty list of sort descriptors, the order is that of the keys, new objects last")
    func emptySortDescriptors() throws {
        let stack = try ResultsStack()
        try stack.context.performAndWait { () throws in
            for text in ["b", "a", "c"] { stack.task(text) }
            try stack.context.save()
            let (controller, recorder) = try stack.recorded(sort: [])
            func texts() -> [String] {
                controller.fetchedObjects?.compactMap { $0.value(forKey: "text") as? String } ?? []
            }
            expectEqual(texts(), ["b", "a", "c"])
            controller.fetchedObjects?[1].setValue("z", forKey: "text")
            stack.task("0")
            stack.context.processPendingChanges()
            expectEqual(texts(), ["b", "z", "c", "0"])
            if let first = controller.fetchedObjects?.first { stack.context.delete(first) }
            try stack.context.save()
            expectEqual(texts(), ["z", "c", "0"])
            try controller.performFetch()
            expectEqual(texts(), ["z", "c", "0"])
            withExtendedLifetime(recorder) {}
        }
    }

    @Test("A request with nil sort descriptors is refused with 134060")
    func missingSortDescriptors() throws {
        let stack = try ResultsStack()
        stack.context.performAndWait {
            let controller = stack.controller(sort: [])
            controller.fetchRequest.sortDescriptors = nil
            #expect {
                try controller.performFetch()
            } throws: { error in
                (error as NSError).code == NSCoreDataError
                    && (error as NSError).localizedDescription.contains("no sort descriptors")
            }
        }
    }

    @Test("A sort order that splits sections is refused with 134060")
    func mismatchedSortDescriptors() throws {
        let stack = try ResultsStack()
        stack.context.performAndWait {
            for (text, priority) in [("a", 1), ("b", 2), ("c", 1)] { stack.task(text, priority: priority) }
            let controller = stack.controller(sort: ["text"], sections: "priority")
            #expect {
                try controller.performFetch()
            } throws: { error in
                (error as NSError).code == NSCoreDataError
                    && (error as NSError).localizedDescription.contains("Sort by priority first")
            }
        }
    }

    @Test("Without a section key path there is one section, even for no objects")
    func oneSection() throws {
        let stack = try ResultsStack()
        try stack.context.performAndWait {
            let controller = stack.controller()
            try controller.performFetch()
            expectEqual(controller.sections?.count, 1)
            expectEqual(controller.sections?.first?.numberOfObjects, 0)
            expectEqual(controller.fetchedObjects?.isEmpty, true)
        }
    }

    @Test("Sections follow a key path over a relationship; objects without a related object have a section too")
    func sectionsOverARelationship() throws {
        let stack = try ResultsStack()
        try stack.context.performAndWait {
            let home = stack.location("Home")
            let work = stack.location("Work")
            stack.task("b", at: home)
            stack.task("a", at: home)
            stack.task("c", at: work)
            stack.task("d")
            try stack.context.save()
            let controller = stack.controller(sort: ["location.name", "text"], sections: "location.name")
            try controller.performFetch()
            expectEqual(controller.picture, ": d | Home: a b | Work: c")
            expectEqual(controller.sectionIndexTitles, ["H", "W"])
            expectEqual(controller.section(forSectionIndexTitle: "W", at: 1), 2)
            expectEqual(controller.object(at: IndexPath(row: 1, section: 1)).value(forKey: "text") as? String, "b")
            let last = controller.object(at: IndexPath(item: 0, section: 2))
            expectEqual(controller.indexPath(forObject: last), IndexPath(row: 0, section: 2))
            expectEqual(controller.fetchedObjects?.count, 4)
        }
    }

    @Test("A changed request takes effect at the next fetch")
    func changedRequest() throws {
        let stack = try ResultsStack()
        try stack.context.performAndWait {
            for (text, priority) in [("a", 1), ("b", 3)] { stack.task(text, priority: priority) }
            let controller = stack.controller()
            try controller.performFetch()
            controller.fetchRequest.predicate = NSPredicate(format: "priority == 3")
            expectEqual(controller.picture, ": a b")
            try controller.performFetch()
            expectEqual(controller.picture, ": b")
            controller.fetchRequest.predicate = nil
            controller.fetchRequest.sortDescriptors = [NSSortDescriptor(key: "text", ascending: false)]
            try controller.performFetch()
            expectEqual(controller.picture, ": b a")
        }
    }

    @Test("Index paths of Foundation's class have sections, rows and items, too")
    func indexPathObjects() {
        let path = IndexPath(row: 3, section: 2) as NSIndexPath
        expectEqual([path.section, path.row, path.item], [2, 3, 3])
        expectEqual(NSIndexPath(row: 3, section: 2), path)
        expectEqual(NSIndexPath(item: 3, section: 2), path)
    }
}
