// Delete rules: the effect of a deletion on related objects, for every shape of relationship.
import ExpectationSupport
import Foundation
import ManagedGraph
import Testing

@testable import StackSupport

struct DeleteRules {
    /// The names of an entity's objects in the store, sorted.
    private func stored(_ entity: String, _ stack: Stack) throws -> String {
        let other = stack.otherContext()
        return try other.performAndWait { () throws in
            try other.fetch(NSFetchRequest<NSManagedObject>(entityName: entity)).map(\.label).sorted().joined()
        }
    }

    // MARK: Nullify

    // "nullify: inverse set to nil, or object removed from the inverse set"
    @Test func nullifyEmptiesTheOtherSideOfEveryShape() throws {
        let stack = try Stack(
            model: RelationsModel.make(
                (.one("A.single"), .one("B.single")),
                (.one("A.owner"), .many("B.members")),
                (.one("A.list"), .many("B.items", ordered: true)),
                (.many("A.tags", ordered: true), .many("B.tagged", ordered: true)),
                (.many("A.parts"), .one("B.whole"))
            )
        )
        let context = stack.context
        try context.run { () throws in
            let a = try context.make("A", names: "12")
            let b = try context.make("B", "b")
            for (key, inverse) in [("owner", "members"), ("list", "items"), ("tags", "tagged")] {
                for object in a { object.relate(key, [b]) }
                expectEqual(b.joinedNames(inverse), "12")
            }
            a[0].relate("single", [b])
            a[0].relate("parts", [b])
            try context.save()
            context.delete(a[0])
            expectEqual(b.joinedNames("items"), "12", "the rules apply at the end of the event")
            context.processPendingChanges()
            expectEqual(["members", "items", "tagged"].map { b.joinedNames($0) }, ["2", "2", "2"])
            #expect(b.joinedNames("single").isEmpty && b.joinedNames("whole").isEmpty && b.isUpdated)
            try context.save()
        }
        for key in ["members", "items", "tagged"] { try expectEqual(stack.stored("B", "b", key), "2") }
        for key in ["single", "whole"] { #expect(try stack.stored("B", "b", key).isEmpty) }
    }

    @Test func aRequiredRelationshipThatADeletionEmptiesIsCode1570() throws {
        let stack = try Stack(
            model: RelationsModel.make((.many("List.items"), .one("Item.list", optional: false)))
        )
        let context = stack.context
        try context.run { () throws in
            let list = try context.make("List", "l")
            let item = try context.make("Item", "i")
            item.relate("list", [list])
            try context.save()
            context.delete(list)
            let error = #expect(throws: NSError.self) { try context.save() }
            #expect(error?.code == 1570 && error?.userInfo[NSValidationKeyErrorKey] as? String == "list")
            #expect(error?.userInfo[NSValidationObjectErrorKey] as? NSManagedObject === item)
            expectEqual(context.deletedObjects, [list])
            context.delete(item)
            try context.save()
        }
        #expect(try stored("Item", stack).isEmpty)
    }

    // MARK: Cascade

    // "deleted too, recursively; cycles are safe"
    @Test func cascadesFollowChainsOfOneEntity() throws {
        let stack = try Stack(
            model: RelationsModel.make((.many("Node.children", .cascadeDeleteRule, ordered: true), .one("Node.parent")))
        )
        let context = stack.context
        try context.run { () throws in
            let nodes = try context.make("Node", names: "rabcdx")
            nodes[0].relate("children", [nodes[1], nodes[2]])
            nodes[1].relate("children", [nodes[3]])
            nodes[3].relate("children", [nodes[4]])
            try context.save()
        }
        // The children are faults or not registered.
        let other = stack.otherContext()
        try other.run { () throws in
            other.delete(try other.find("Node", "a"))
            other.processPendingChanges()
            expectEqual(Set(other.deletedObjects.map(\.label)), ["a", "c", "d"])
            try other.save()
        }
        try expectEqual(stored("Node", stack), "brx")
        try expectEqual(stack.stored("Node", "r", "children"), "b")
    }

    @Test func cascadesEndInCycles() throws {
        let stack = try Stack(
            model: RelationsModel.make(
                (.one("Node.next", .cascadeDeleteRule), .one("Node.previous", .cascadeDeleteRule)),
                (.many("Node.friends", .cascadeDeleteRule), .many("Node.friendOf", .cascadeDeleteRule)),
                (.one("Node.twin", .cascadeDeleteRule), .one("Node.twin", .cascadeDeleteRule))
            )
        )
        let context = stack.context
        try context.run { () throws in
            let nodes = try context.make("Node", names: "abcdefz")
            for index in 0..<3 { nodes[index].relate("next", [nodes[(index + 1) % 3]]) }
            nodes[2].relate("friends", [nodes[3], nodes[4], nodes[2]])
            nodes[4].relate("twin", [nodes[5]])
            try context.save()
            context.delete(nodes[1])
            try context.save()
            #expect(nodes[..<6].allSatisfy { $0.managedObjectContext == nil })
        }
        try expectEqual(stored("Node", stack), "z")
    }

    @Test func everyCascadedObjectIsNotifiedOnce() throws {
        let stack = try Stack(model: TasksModel.make(tasksRule: .cascadeDeleteRule))
        try stack.context.run { () throws in
            let home = TestLocation(context: stack.context)
            let tasks = ["a", "b"].map { stack.context.task($0) }
            for task in tasks { task.location = home }
            try stack.context.save()
            stack.context.delete(tasks[0])
            stack.context.delete(home)
            try stack.context.save()
            for task in tasks { expectEqual(task.calls.filter { $0 == "prepareForDeletion" }.count, 1) }
        }
    }

    // MARK: Deny

    // "delete fails with 1600 while a destination exists (checked in validateForDelete)"
    @Test func denyRefusesWithCode1600AndLeavesEverything() throws {
        let stack = try Stack(
            model: RelationsModel.make(
                (.many("List.items", .denyDeleteRule, ordered: true), .one("Item.list", .denyDeleteRule))
            )
        )
        let context = stack.context
        try context.run { () throws in
            let (list, items) = try context.saveList(of: "ab")
            context.delete(list)
            let error = try #require(#expect(throws: NSError.self) { try context.save() })
            expectEqual(error.code, NSValidationRelationshipDeniedDeleteError)
            expectEqual(error.localizedDescription, "This List cannot be deleted while List.items is not empty")
            expectEqual(error.userInfo[NSValidationKeyErrorKey] as? String, "items")
            #expect(error.userInfo[NSValidationObjectErrorKey] as? NSManagedObject === list)
            expectEqual(error.userInfo[NSValidationValueErrorKey] as? NSOrderedSet, NSOrderedSet(array: items))
            let direct = #expect(throws: NSError.self) { try list.validateForDelete() }
            expectEqual(direct?.code, 1600)
            #expect(list.isDeleted)
            expectEqual(list.joinedNames("items"), "ab")
            context.rollback()
            context.delete(items[0])
            expectEqual(#expect(throws: NSError.self) { try context.save() }?.code, 1600)
            context.rollback()
            #expect(!context.hasChanges)
        }
        try expectEqual(stored("Item", stack), "ab")
        try expectEqual(stored("List", stack), "l")
    }

    @Test(arguments: [false, true])
    func denyIsSatisfiedByDeletingTheDestinationsInTheSameSave(isOwnerFirst: Bool) throws {
        let stack = try Stack(
            model: RelationsModel.make((.many("List.items", .denyDeleteRule), .one("Item.list")))
        )
        let context = stack.context
        try context.run { () throws in
            let (list, items) = try context.saveList(of: "ab")
            if isOwnerFirst { context.delete(list) }
            for item in items { context.delete(item) }
            if !isOwnerFirst { context.delete(list) }
            try context.save()
        }
        #expect(try stored("Item", stack).isEmpty && stored("List", stack).isEmpty)
    }

    @Test func denyIsSatisfiedByEmptyingTheRelationship() throws {
        let stack = try Stack(
            model: RelationsModel.make((.many("Task.tags", .denyDeleteRule), .many("Tag.tasks")))
        )
        let context = stack.context
        try context.run { () throws in
            let task = try context.make("Task", "t")
            let tags = try context.make("Tag", names: "ab")
            task.relate("tags", tags)
            try context.save()
            context.delete(task)
            expectEqual(#expect(throws: NSError.self) { try context.save() }?.code, 1600)
            for tag in tags { tag.relate("tasks", []) }
            try context.save()
        }
        #expect(try stored("Task", stack).isEmpty)
        try expectEqual(stored("Tag", stack), "ab")
    }

    @Test func aCascadeIntoADenialSavesNothing() throws {
        let stack = try Stack(
            model: RelationsModel.make(
                (.many("Shop.orders", .cascadeDeleteRule), .one("Order.shop")),
                (.many("Order.bills", .denyDeleteRule), .one("Bill.order"))
            )
        )
        let context = stack.context
        try context.run { () throws in
            let shop = try context.make("Shop", "s")
            let orders = try context.make("Order", names: "ab")
            shop.relate("orders", orders)
            orders[1].relate("bills", [try context.make("Bill", "x")])
            try context.save()
            context.delete(shop)
            let error = #expect(throws: NSError.self) { try context.save() }
            expectEqual(error?.code, 1600)
            #expect(error?.userInfo[NSValidationObjectErrorKey] as? NSManagedObject === orders[1])
        }
        try expectEqual(stored("Order", stack), "ab")
        try expectEqual(stored("Shop", stack), "s")
    }

    // MARK: No action

    // "untouched; caller must repair the inverse"
    @Test func noActionLeavesTheOtherSideUntouched() throws {
        let stack = try Stack(
            model: RelationsModel.make((.many("List.items", .noActionDeleteRule), .one("Item.list")))
        )
        let context = stack.context
        try context.run { () throws in
            let lists = try context.make("List", names: "lm")
            let items = try context.make("Item", names: "ab")
            lists[0].relate("items", [items[0]])
            try context.save()
            context.delete(lists[0])
            try context.save()
            #expect(!items[0].hasChanges)
            // A reference to a deleted object that was never saved is rejected too.
            items[1].relate("list", [lists[1]])
            let gone = try context.make("List", "x")
            items[1].relate("list", [gone])
            context.delete(gone)
            let error = #expect(throws: NSError.self) { try context.save() }
            expectEqual(error?.code, NSManagedObjectValidationError)
            items[1].setValue(nil, forKey: "list")
            try context.save()
        }
        let other = stack.otherContext()
        try other.run { () throws in
            let list = try #require(try other.find("Item", "a").value(forKey: "list") as? NSManagedObject)
            expectNil(list.value(forKey: "name"))
            #expect(list.isDeleted)
            try expectNil(other.find("Item", "b").value(forKey: "list"))
        }
    }

    // MARK: Timing

    // "Applied at processPendingChanges (or at save if propagatesDeletesAtEndOfEvent is false)"
    @Test(arguments: [NSDeleteRule.nullifyDeleteRule, .cascadeDeleteRule], [false, true])
    func withoutPropagationAtTheEndOfTheEventTheSaveAppliesTheRules(rule: NSDeleteRule, isNew: Bool) throws {
        let stack = try Stack(model: RelationsModel.make((.many("List.items", rule), .one("Item.list"))))
        let context = stack.context
        try context.run { () throws in
            context.propagatesDeletesAtEndOfEvent = false
            let list = try context.make("List", "l")
            let items = try context.make("Item", names: "ab")
            if !isNew { list.relate("items", [items[0]]) }
            try context.save()
            // A new or a saved owner of saved members.
            let deleted = isNew ? try context.make("List", "n") : list
            deleted.relate("items", [items[0]])
            context.delete(deleted)
            context.processPendingChanges()
            context.processPendingChanges()
            #expect(items[0].value(forKey: "list") as? NSManagedObject === deleted && !items[0].isDeleted)
            try context.save()
            expectNil(deleted.managedObjectContext)
            #expect(!context.hasChanges)
        }
        try expectEqual(stored("Item", stack), (rule == .cascadeDeleteRule ? "b" : "ab"))
        if rule == .nullifyDeleteRule { #expect(try stack.stored("Item", "a", "list").isEmpty) }
    }

    @Test func rollingBackForgetsRulesThatWaitedForTheSave() throws {
        let stack = try Stack(model: TasksModel.make(tasksRule: .cascadeDeleteRule))
        let context = stack.context
        try context.run { () throws in
            context.propagatesDeletesAtEndOfEvent = false
            let (task, home) = context.taskAtPlace("a")
            try context.save()
            context.delete(home)
            context.processPendingChanges()
            context.rollback()
            task.text = "b"
            try context.save()
            #expect(task.location === home && !task.isDeleted)
        }
    }

    // MARK: New objects

    // "Deleting an unsaved object simply drops it"
    @Test func deletingANewObjectDropsIt() throws {
        let stack = try Stack()
        let context = stack.context
        try context.run { () throws in
            let home = TestLocation(context: context)
            try context.save()
            let task = context.task("a")
            task.location = home
            context.processPendingChanges()
            context.delete(task)
            context.processPendingChanges()
            expectNil(task.managedObjectContext)
            #expect(context.deletedObjects.isEmpty)
            #expect(context.insertedObjects.isEmpty)
            expectEqual(home.tasks?.count, 0)
            let statements = stack.statements { _ = try? context.save() }
            #expect(statements <= 3, "at most a transaction, and no row")
        }
        try expectEqual(stack.otherContext().run { try stack.otherContext().tasks().count }, 0)
    }

    @Test(arguments: [false, true])
    func anObjectIsInsertedBackAfterItsDeletion(isEventOver: Bool) throws {
        let stack = try Stack()
        let context = stack.context
        try context.run { () throws in
            let task = context.task("a")
            try context.save()
            context.delete(task)
            if isEventOver { context.processPendingChanges() }
            context.insert(task)
            #expect(!task.isDeleted && context.deletedObjects.isEmpty)
            task.text = "b"
            try context.save()
            #expect(!context.hasChanges)
        }
        let other = stack.otherContext()
        try other.run { () throws in try expectEqual(other.tasks().map(\.text), ["b"]) }
    }

    @Test func aDroppedObjectIsInsertedAgain() throws {
        let stack = try Stack()
        let context = stack.context
        try context.run { () throws in
            let task = context.task("a")
            context.delete(task)
            context.processPendingChanges()
            context.insert(task)
            expectEqual(context.insertedObjects, [task])
            expectEqual(task.text, "a")
            try context.save()
        }
        let other = stack.otherContext()
        try other.run { () throws in try expectEqual(other.tasks().map(\.text), ["a"]) }
    }
}
