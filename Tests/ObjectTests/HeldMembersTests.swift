// Relationships retain their members after a read, until a refresh, a reset or the end of the context.
import ExpectationSupport
import Foundation
import ManagedGraph
import Testing

@testable import StackSupport

struct HeldMembers {
    private final class Weak { weak var object: NSManagedObject? }

    /// Two notes that share two labels.
    private func shared(_ stack: Stack) throws {
        try stack.context.performAndWait { () throws in
            let labels = try stack.context.make("Label", names: "xy")
            for note in try stack.context.make("Note", names: "ab") { note.relate("labels", labels) }
            try stack.context.save()
        }
    }

    private static func notes() -> NSManagedObjectModel {
        RelationsModel.make((.many("Note.labels"), .many("Label.notes")))
    }

    @Test func aToManyThatWasReadHoldsItsMembers() throws {
        let stack = try Stack()
        try stack.fill(places: 1, tasks: 3)
        let context = stack.otherContext()
        var home: TestLocation?
        try context.performAndWait { () throws in
            home = try context.fetch(NSFetchRequest<TestLocation>(entityName: "Location")).first
            expectEqual(home?.tasks?.count, 3)
            expectEqual(home?.tasks?.allObjects.count, 3)
        }
        try context.performAndWait { () throws in
            // Fetching them together helps only if they stay registered, so that no later read goes to the store.
            let request = NSFetchRequest<TestTask>(entityName: "Task")
            request.returnsObjectsAsFaults = false
            request.predicate = NSPredicate(format: "SELF IN %@", try #require(home?.tasks))
            _ = try context.fetch(request)
        }
        context.performAndWait {
            expectEqual(context.registeredObjects.count, 4)
            let fetches = context.statistics.fetches
            expectEqual((home?.tasks as? Set<TestTask>)?.compactMap(\.text).count, 3)
            expectEqual(context.statistics.fetches, fetches)
        }
        context.performAndWait { home = nil }
        context.performAndWait { #expect(context.registeredObjects.isEmpty) }
    }

    @Test(arguments: ["refresh", "refreshAll", "reset", "context"])
    func objectsThatHoldEachOtherLeaveMemory(_ way: String) throws {
        let stack = try Stack(model: Self.notes())
        try shared(stack)
        let gone = Weak()
        try { () throws in
            let context = stack.otherContext()
            try context.performAndWait { () throws in
                let note = try context.find("Note", "a")
                gone.object = note
                let labels = try #require(note.value(forKey: "labels") as? Set<NSManagedObject>)
                for label in labels { expectEqual((label.value(forKey: "notes") as? NSSet)?.count, 2) }
            }
            context.performAndWait {
                #expect(gone.object != nil)
                switch way {
                case "refresh": for object in context.registeredObjects { context.refresh(object, mergeChanges: false) }
                case "refreshAll": context.refreshAllObjects()
                case "reset": context.reset()
                default: break
                }
                context.processPendingChanges()
            }
            if way != "context" { context.performAndWait { expectNil(gone.object) } }
        }()
        expectNil(gone.object)
    }

    @Test func aSetIsTheSameUntilTheMembersChange() throws {
        let stack = try Stack(model: RelationsModel.make((.many("Note.labels"), .many("Label.notes"))))
        let context = stack.context
        try context.performAndWait { () throws in
            let note = try context.make("Note", "a")
            var expected = Set(try context.make("Label", names: "xyz"))
            note.relate("labels", Array(expected))
            func labels() -> NSSet? { note.value(forKey: "labels") as? NSSet }
            func check(_ step: String) {
                let set = labels()
                expectEqual(set as? Set<NSManagedObject>, expected, "\(step)")
                if !expected.isEmpty { #expect(set === labels(), "\(step)") }
            }
            check("inserted")
            try context.save()
            check("saved")
            let added = try context.make("Label", "w")
            note.mutableSetValue(forKey: "labels").add(added)
            expected.insert(added)
            check("added")
            let removed = try #require(expected.first { $0 !== added })
            removed.setValue(NSSet(), forKey: "notes")
            expected.remove(removed)
            check("removed from the other side")
            context.delete(added)
            context.processPendingChanges()
            expected.remove(added)
            check("deleted")
            try context.save()
            context.refresh(note, mergeChanges: false)
            check("read again")
            note.setValue(NSSet(), forKey: "labels")
            expected = []
            check("emptied")
            context.rollback()
            expectEqual(labels()?.count, 2)
        }
        let other = stack.otherContext()
        try other.performAndWait { () throws in
            let note = try other.find("Note", "a")
            let set = note.value(forKey: "labels") as? NSSet
            other.delete(try #require(set?.anyObject() as? NSManagedObject))
            try other.save()
            expectEqual(set?.count, 2)
            expectEqual((note.value(forKey: "labels") as? NSSet)?.count, 1)
        }
    }

    @Test func aLongChainOfMembersIsReleasedWithoutOverflow() throws {
        let stack = try Stack(model: RelationsModel.make((.many("Node.children"), .one("Node.parent"))))
        let count = 20_000
        let context = stack.context
        let first = Weak()
        try context.performAndWait { () throws in
            var nodes: [NSManagedObject] = []
            for number in 0..<count {
                let node = NSEntityDescription.insertNewObject(forEntityName: "Node", into: context)
                node.setValue(number % 1000, forKey: "number")
                node.setValue(nodes.last, forKey: "parent")
                nodes.append(node)
            }
            try context.save()
            for node in nodes { _ = node.value(forKey: "children") }
            first.object = nodes.first
        }
        context.performAndWait {
            expectNil(first.object)
            #expect(context.registeredObjects.isEmpty)
        }
    }
}
