// Bugs that the random walk has found, each reproduced in a few steps; and checks that the invariant checks detect
// violations.
import ExpectationSupport
import Foundation
import GraphSupport
import ManagedGraph
import Testing

@testable import StackSupport

struct InvariantTests {
    private func insert(_ entity: String, into context: NSManagedObjectContext) -> NSManagedObject {
        NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
    }

    private func stack() throws -> Stack { try Stack(model: WalkSchema.makeModel()) }

    @Test func aChangeAfterARefreshAndASaveOfOthersIsSaved() throws {
        let stack = try Stack()
        let context = stack.context
        try context.run { () throws in
            let task = context.task("one")
            let otherTask = context.task("other")
            try context.save()
            task.text = "two"
            context.refresh(task, mergeChanges: false)
            otherTask.text = "others"
            try context.save()
            task.text = "three"
            expectEqual(context.updatedObjects, [task])
            try context.save()
        }
        let other = stack.otherContext()
        try other.run { () throws in try expectEqual(other.tasks("text == 'three'").count, 1) }
    }

    @Test("An object deleted again after a refresh or an insertion is deleted once", arguments: [true, false])
    func deletedAgain(isRefreshed: Bool) throws {
        let stack = try Stack()
        let context = stack.context
        try context.run { () throws in
            let task = context.task("one")
            try context.save()
            context.delete(task)
            if isRefreshed { context.refresh(task, mergeChanges: false) } else { context.insert(task) }
            #expect(!isRefreshed || !task.isDeleted)
            context.delete(task)
            try context.save()
            #expect(try context.tasks().isEmpty)
        }
    }

    @Test func resetTakesNewObjectsThatWereDeletedInTheSameEvent() throws {
        let stack = try Stack()
        let context = stack.context
        try context.run { () throws in
            let task = context.task("one")
            context.delete(task)
            context.reset()
            expectNil(task.managedObjectContext)
        }
    }

    /// [D] "Deleting an unsaved object simply drops it": delete rules no longer apply to it.
    @Test func anUnsavedObjectGoesThoughARelationshipDeniesDeletion() throws {
        let stack = try stack()
        let context = stack.context
        try context.run { () throws in
            let node = insert("Node", into: context)
            let box = insert("Box", into: context)
            node.setValue(box, forKey: "box")
            context.delete(box)
            try context.save()
            expectNil(node.value(forKey: "box"))
        }
    }

    @Test func objectsDeletedElsewhereDenyNoDeletion() throws {
        let stack = try stack()
        let context = stack.context
        let other = stack.otherContext()
        try context.run { () throws in
            let node = insert("Node", into: context)
            let box = insert("Box", into: context)
            node.setValue(box, forKey: "box")
            try context.save()
            expectEqual((box.value(forKey: "nodes") as? NSOrderedSet)?.count, 1)
            context.refresh(node, mergeChanges: false)
            let identifier = node.objectID
            try other.run { () throws in
                let node = other.object(with: identifier)
                node.setValue(nil, forKey: "box")
                other.delete(node)
                try other.save()
            }
            context.delete(box)
            // The box has other members, and so another version.
            context.mergePolicy = NSMergePolicy.overwrite
            try context.save()
        }
    }

    @Test func aMemberThatOthersAddedStandsBehindThoseThatWereRearrangedHere() throws {
        let stack = try stack()
        let context = stack.context
        let other = stack.otherContext()
        try context.run { () throws in
            let box = insert("Box", into: context)
            let nodes = (0..<2).map { _ in insert("Node", into: context) }
            box.setValue(NSOrderedSet(array: nodes), forKey: "nodes")
            try context.save()
            box.setValue(NSOrderedSet(array: nodes.reversed()), forKey: "nodes")
            let identifier = box.objectID
            let added = try other.run { () throws in
                let node = insert("Node", into: other)
                node.setValue(other.object(with: identifier), forKey: "box")
                try other.save()
                return node.objectID
            }
            context.refresh(box, mergeChanges: true)
            let expected = nodes.reversed().map(\.objectID) + [added]
            expectEqual(
                (box.value(forKey: "nodes") as? NSOrderedSet)?.compactMap { ($0 as? NSManagedObject)?.objectID },
                expected
            )
        }
    }

    /// Runs a closure in a context with a saved node and tag, and a function that relates them in another context.
    private func withNodeAndTag(
        _ body: (
            NSManagedObjectContext, _ node: NSManagedObject, _ tag: NSManagedObject,
            _ relateElsewhere: () throws -> Void
        ) throws -> Void
    ) throws {
        let stack = try stack()
        let (context, other) = (stack.context, stack.otherContext())
        try context.run { () throws in
            let (node, tag) = (insert("Node", into: context), insert("Tag", into: context))
            try context.save()
            let (nodeID, tagID) = (node.objectID, tag.objectID)
            try body(context, node, tag) {
                try other.run { () throws in
                    other.object(with: nodeID).mutableSetValue(forKey: "tags").add(other.object(with: tagID))
                    try other.save()
                }
            }
        }
    }

    @Test func aMemberThatBothHaveAddedIsOneMember() throws {
        try withNodeAndTag { context, node, tag, relateElsewhere in
            node.mutableSetValue(forKey: "tags").add(tag)
            try relateElsewhere()
            context.refresh(node, mergeChanges: true)
            expectEqual(node.mutableSetValue(forKey: "tags").count, 1)
            // The tag has not been refreshed.
            context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            try context.save()
            expectEqual(node.mutableSetValue(forKey: "tags").count, 1)
            node.mutableSetValue(forKey: "tags").remove(tag)
            expectEqual(node.mutableSetValue(forKey: "tags").count, 0)
        }
    }

    @Test func bothSidesLearnOfAMemberThatOneOfThemHadAlready() throws {
        try withNodeAndTag { context, node, tag, relateElsewhere in
            expectEqual(node.mutableSetValue(forKey: "tags").count, 0)
            try relateElsewhere()
            context.refresh(tag, mergeChanges: false)
            expectEqual(tag.mutableSetValue(forKey: "nodes").count, 1)
            tag.mutableSetValue(forKey: "nodes").add(node)
            expectEqual(node.mutableSetValue(forKey: "tags").count, 1)
        }
    }

    @Test func anUpdatedObjectWhoseRowIsGoneIsNoLongerUpdated() throws {
        let stack = try Stack()
        let context = stack.context
        let other = stack.otherContext()
        try context.run { () throws in
            let task = context.task("one")
            try context.save()
            task.text = "two"
            let identifier = task.objectID
            try other.run { () throws in
                other.delete(other.object(with: identifier))
                try other.save()
            }
            context.refresh(task, mergeChanges: true)
            _ = task.text
            #expect(task.isDeleted)
            #expect(!task.hasPersistentChangedValues || context.updatedObjects.isEmpty)
            try context.save()
            #expect(!context.hasChanges)
        }
    }

    @Test func aNewObjectThatTheParentHasTakenBackIsGoneForItsChildToo() throws {
        let stack = try Stack()
        let child = stack.context.makeChild()
        try child.run { () throws in
            let task = child.task("one")
            try child.save()
            stack.context.performAndWait { stack.context.rollback() }
            child.refresh(task, mergeChanges: true)
            expectNil(task.text)
            stack.context.performAndWait { #expect(stack.context.registeredObjects.isEmpty) }
        }
    }

    @Test func theCheckDetectsARelationshipThatOnlyOneSideHas() throws {
        let stack = try stack()
        let context = stack.context
        try context.performAndWait { () throws in
            let node = insert("Node", into: context)
            let box = insert("Box", into: context)
            try context.save()
            node.setValue(box, forKey: "box")
            #expect(context.invariantViolations().isEmpty)
            context.refresh(node, mergeChanges: false)
            _ = node.value(forKey: "name")
            expectEqual(context.invariantViolations().count, 1)
            #expect(context.invariantViolations(inverses: .none).isEmpty)
        }
    }
}
