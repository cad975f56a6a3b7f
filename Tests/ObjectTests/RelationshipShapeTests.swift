// Every shape of relationship, set from either side: in memory, after a save, and in another context.
import ExpectationSupport
import Foundation
import GraphSupport
import ManagedGraph
import Testing

@testable import StackSupport

struct RelationshipShapes {
    // MARK: One to one

    private static let couples = RelationsModel.make((.one("Person.passport"), .one("Passport.owner")))

    @Test(arguments: [false, true])
    func oneToOneIsSetFromEitherSideAndPartnersSwap(isSavedBetween: Bool) throws {
        let stack = try Stack(model: Self.couples)
        let context = stack.context
        try context.run { () throws in
            let (a, b) = (try context.make("Person", "a"), try context.make("Person", "b"))
            let (x, y) = (try context.make("Passport", "x"), try context.make("Passport", "y"))
            a.setValue(x, forKey: "passport")
            y.setValue(b, forKey: "owner")
            expectEqual(x.joinedNames("owner"), "a")
            expectEqual(b.joinedNames("passport"), "y")
            if isSavedBetween { try context.save() }
            // An object takes over another's partner; the former partners have none.
            a.setValue(y, forKey: "passport")
            expectEqual(y.joinedNames("owner"), "a")
            #expect(x.joinedNames("owner").isEmpty && b.joinedNames("passport").isEmpty)
            x.setValue(b, forKey: "owner")
            expectEqual(b.joinedNames("passport"), "x")
            try context.save()
            expectEqual(a.joinedNames("passport"), "y")
            expectEqual(b.joinedNames("passport"), "x")
        }
        try expectEqual(stack.stored("Person", "a", "passport"), "y")
        try expectEqual(stack.stored("Passport", "x", "owner"), "b")
        try context.run { () throws in
            try context.find("Passport", "x").setValue(nil, forKey: "owner")
            try expectNil(context.find("Person", "b").value(forKey: "passport"))
            try context.save()
        }
        #expect(try stack.stored("Person", "b", "passport").isEmpty)
    }

    @Test func oneToOneToItselfHoldsBothWays() throws {
        let stack = try Stack(model: RelationsModel.make((.one("Person.spouse"), .one("Person.spouse"))))
        let context = stack.context
        try context.run { () throws in
            let people = try context.make("Person", names: "abc")
            people[0].setValue(people[1], forKey: "spouse")
            expectEqual(people[1].joinedNames("spouse"), "a")
            people[2].setValue(people[0], forKey: "spouse")
            #expect(people[0].joinedNames("spouse") == "c" && people[1].value(forKey: "spouse") == nil)
            try context.save()
        }
        try expectEqual(stack.stored("Person", "a", "spouse"), "c")
        try expectEqual(stack.stored("Person", "c", "spouse"), "a")
        #expect(try stack.stored("Person", "b", "spouse").isEmpty)
    }

    // MARK: One to many

    @Test(arguments: [false, true])
    func aMemberMovesBetweenOwnersFromEitherSide(isOrdered: Bool) throws {
        let stack = try Stack(
            model: RelationsModel.make((.many("List.items", ordered: isOrdered), .one("Item.list")))
        )
        let context = stack.context
        try context.run { () throws in
            let (one, two) = (try context.make("List", "1"), try context.make("List", "2"))
            let items = try context.make("Item", names: "abc")
            one.relate("items", items)
            try context.save()
            items[1].setValue(two, forKey: "list")
            expectEqual(one.joinedNames("items"), "ac")
            expectEqual(two.joinedNames("items"), "b")
            // The other owner takes over a member, which is never in both sets.
            two.relate("items", [items[1], items[2]])
            #expect(one.joinedNames("items") == "a" && items[2].joinedNames("list") == "2")
            try context.save()
            try expectEqual(stack.stored("List", "1", "items"), "a")
            try expectEqual(stack.stored("List", "2", "items"), "bc")
            two.relate("items", [])
            expectEqual(items.map { $0.joinedNames("list") }, ["1", "", ""])
            items[0].setValue(nil, forKey: "list")
            try context.save()
        }
        #expect(try stack.stored("List", "1", "items").isEmpty)
        #expect(try stack.stored("List", "2", "items").isEmpty)
    }

    @Test func aTreeIsBuiltFromEitherSide() throws {
        let stack = try Stack(
            model: RelationsModel.make((.many("Node.children", ordered: true), .one("Node.parent")))
        )
        let context = stack.context
        try context.run { () throws in
            let nodes = try context.make("Node", names: "rabc")
            nodes[0].relate("children", [nodes[1], nodes[2]])
            nodes[3].setValue(nodes[1], forKey: "parent")
            try context.save()
            nodes[2].setValue(nodes[1], forKey: "parent")
            try context.save()
            expectEqual(nodes[0].value(forKeyPath: "children.children.name") as? [String], ["c", "b"])
        }
        try expectEqual(stack.stored("Node", "r", "children"), "a")
        try expectEqual(stack.stored("Node", "a", "children"), "cb")
        try expectEqual(stack.stored("Node", "b", "parent"), "a")
    }

    // MARK: Many to many

    private static let shapes: [(String, Bool, Bool)] = [
        ("neither side", false, false), ("one side", true, false), ("both sides", true, true),
    ]

    @Test(arguments: [0, 1, 2])
    func manyToManyIsSetFromEitherSide(shape: Int) throws {
        let (_, isOrdered, isInverseOrdered) = Self.shapes[shape]
        let stack = try Stack(
            model: RelationsModel.make(
                (.many("Task.tags", ordered: isOrdered), .many("Tag.tasks", ordered: isInverseOrdered))
            )
        )
        let context = stack.context
        try context.run { () throws in
            let tasks = try context.make("Task", names: "12")
            let tags = try context.make("Tag", names: "abc")
            tasks[0].relate("tags", [tags[0], tags[2]])
            tags[2].relate("tasks", [tasks[1], tasks[0]])
            expectEqual(tasks[1].joinedNames("tags"), "c")
            try context.save()
            try expectEqual(stack.stored("Task", "1", "tags"), "ac")
            try expectEqual(stack.stored("Tag", "c", "tasks"), (isInverseOrdered ? "21" : "12"))
            tags[2].relate("tasks", [tasks[1]])
            expectEqual(tasks[0].joinedNames("tags"), "a")
            tasks[0].relate("tags", [])
            tasks[1].relate("tags", [tags[2], tags[0]])
            expectEqual(tags[0].joinedNames("tasks"), "2")
            try context.save()
        }
        #expect(try stack.stored("Task", "1", "tags").isEmpty)
        try expectEqual(stack.stored("Task", "2", "tags"), (isOrdered ? "ca" : "ac"))
        try expectEqual(stack.stored("Tag", "a", "tasks"), "2")
    }

    @Test func friendsAreFriendsOfTheirFriends() throws {
        let stack = try Stack(model: RelationsModel.make((.many("Person.friends"), .many("Person.friends"))))
        let context = stack.context
        try context.run { () throws in
            let people = try context.make("Person", names: "abc")
            people[0].relate("friends", [people[1], people[2]])
            expectEqual(people[1].joinedNames("friends"), "a")
            try context.save()
            people[2].relate("friends", [people[1]])
            #expect(people[0].joinedNames("friends") == "b" && people[1].joinedNames("friends") == "ac")
            try context.save()
        }
        try expectEqual(stack.stored("Person", "a", "friends"), "b")
        try expectEqual(stack.stored("Person", "b", "friends"), "ac")
        try expectEqual(stack.stored("Person", "c", "friends"), "b")
    }

    // MARK: Without inverse

    @Test func aRelationshipWithoutInverseLeavesTheOtherSideAlone() throws {
        let model = RelationsModel.make(oneWay: [
            (.one("Person.best"), to: "Person"), (.many("Shelf.books"), to: "Book"),
        ])
        let stack = try Stack(model: model)
        let context = stack.context
        try context.run { () throws in
            let people = try context.make("Person", names: "abc")
            people[0].setValue(people[2], forKey: "best")
            people[1].setValue(people[2], forKey: "best")
            let shelf = try context.make("Shelf", "s")
            let books = try context.make("Book", names: "xyz")
            shelf.relate("books", books)
            try context.save()
            #expect(!people[2].hasChanges)
            shelf.relate("books", [books[1]])
            #expect(!books[0].hasChanges)
            people[0].setValue(nil, forKey: "best")
            try context.save()
        }
        #expect(try stack.stored("Person", "a", "best").isEmpty)
        try expectEqual(stack.stored("Person", "b", "best"), "c")
        try expectEqual(stack.stored("Shelf", "s", "books"), "y")
    }

    // MARK: Inheritance

    @Test func membersOfSubentitiesKeepTheirEntity() throws {
        let model = RelationsModel.make((.many("Shelf.media"), .one("Medium.shelf")))
        let medium = try #require(model.entitiesByName["Medium"])
        let book = NSEntityDescription("Book")
        book.properties = [NSAttributeDescription("author")]
        let record = NSEntityDescription("Record")
        medium.subentities = [book, record]
        let stack = try Stack(model: model)
        let context = stack.context
        try context.run { () throws in
            let shelf = try context.make("Shelf", "s")
            let otherShelf = try context.make("Shelf", "t")
            let media = [
                try context.make("Book", "b"), try context.make("Record", "r"), try context.make("Medium", "m"),
            ]
            shelf.relate("media", media)
            try context.save()
            media[1].setValue(otherShelf, forKey: "shelf")
            expectEqual(shelf.joinedNames("media"), "bm")
            try context.save()
        }
        let other = stack.otherContext()
        try other.run { () throws in
            let members = try other.find("Shelf", "s").value(forKey: "media") as? NSSet
            let entities = members?.compactMap { ($0 as? NSManagedObject)?.entity.name }
            expectEqual(entities?.sorted(), ["Book", "Medium"])
            try expectEqual(other.find("Record", "r").joinedNames("shelf"), "t")
        }
    }

    // MARK: Costs

    @Test func addingToAToManyOfAnyKindRunsNoStatement() throws {
        let stack = try Stack(
            model: RelationsModel.make(
                (.many("List.items"), .one("Item.list")),
                (.many("List.steps", ordered: true), .one("Step.list")),
                (.many("List.tags", ordered: true), .many("Tag.lists"))
            )
        )
        try stack.context.run { () throws in
            let list = try stack.context.make("List", "l")
            list.relate("items", try stack.context.make("Item", names: "ab"))
            list.relate("steps", try stack.context.make("Step", names: "ab"))
            list.relate("tags", try stack.context.make("Tag", names: "ab"))
            try stack.context.save()
        }
        let context = stack.otherContext()
        try context.run { () throws in
            let list = try context.find("List", "l")
            let new = [
                try context.make("Item", "z"), try context.make("Step", "z"), try context.make("Tag", "z"),
            ]
            let statements = stack.statements {
                list.mutableSetValue(forKey: "items").add(new[0])
                new[1].setValue(list, forKey: "list")
                list.addToManaged(new[2], for: ManagedProperty("tags"))
            }
            // Adding to a many-to-many relationship queries existing members only at the save.
            expectEqual(statements, 0)
            let rows = context.statistics.rowsRead
            try context.save()
            expectEqual(context.statistics.rowsRead, rows)
        }
        try expectEqual(stack.stored("List", "l", "items"), "abz")
        try expectEqual(stack.stored("List", "l", "steps"), "abz")
        try expectEqual(stack.stored("List", "l", "tags"), "abz")
    }

    @Test func thousandsOfMembersAreAddedAndTakenOutInLinearTime() throws {
        let stack = try Stack(model: RelationsModel.make((.many("List.items"), .one("Item.list"))))
        try stack.context.run { () throws in
            let list = try stack.context.make("List", "l")
            let items = (0..<20_000).map { _ in
                NSEntityDescription.insertNewObject(forEntityName: "Item", into: stack.context)
            }
            let clock = ContinuousClock()
            let time = clock.measure {
                for item in items { item.setValue(list, forKey: "list") }
                for item in items { item.setValue(nil, forKey: "list") }
            }
            // Quadratic work would take minutes here.
            #expect(time < .seconds(10))
            #expect(list.joinedNames("items").isEmpty)
        }
    }

    // MARK: Errors

    @Test func anObjectOfAnotherContextStopsTheProgramWithASentence() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let stack = try Stack()
            let other = stack.otherContext()
            let place = other.performAndWait { TestLocation(context: other) }
            stack.context.performAndWait { stack.context.task("a").location = place }
        }
        let errorOutput = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(errorOutput.contains("Task.location cannot refer to an object of another context"))
    }

    @Test func aDeletedObjectCannotBeRelatedToAndTheSaveSaysSo() throws {
        let stack = try Stack()
        try stack.context.run { () throws in
            let place = TestLocation(context: stack.context)
            try stack.context.save()
            stack.context.delete(place)
            try stack.context.save()
            let task = stack.context.task("a")
            task.location = place
            expectNil(task.location)
            let error = #expect(throws: NSError.self) { try stack.context.save() }
            expectEqual(error?.code, NSManagedObjectValidationError)
            expectEqual(error?.localizedDescription.contains("Task.location cannot lead to Location/p1"), true)
            // Deleting it again, or clearing the reference to it, has no effect.
            stack.context.delete(place)
            task.location = nil
            try stack.context.save()
        }
    }

    @Test func anObjectOfAnotherStoreIsCode133010AtTheSave() throws {
        let stack = try Stack()
        let second = try stack.addStore("Other.sqlite")
        try stack.context.run { () throws in
            let task = stack.context.task("a")
            let place = TestLocation(context: stack.context)
            stack.context.assign(place, to: second)
            task.location = place
            let error = #expect(throws: NSError.self) { try stack.context.save() }
            expectEqual(error?.code, NSManagedObjectExternalRelationshipError)
            expectEqual((error?.userInfo[NSAffectedObjectsErrorKey] as? [NSManagedObject])?.contains(task), true)
            task.location = nil
            try stack.context.save()
        }
    }

    @Test(arguments: [false, true])
    func aMemberInAnotherStoreIsCode133010AtTheSave(fromTheOtherSide: Bool) throws {
        let stack = try Stack()
        let second = try stack.addStore("Other.sqlite")
        try stack.context.run { () throws in
            let task = stack.context.task("a")
            let tag = try stack.context.make("Tag", "t")
            stack.context.assign(tag, to: second)
            if fromTheOtherSide {
                tag.mutableSetValue(forKey: "tagged").add(task)
            } else {
                task.mutableSetValue(forKey: "tags").add(tag)
            }
            let error = #expect(throws: NSError.self) { try stack.context.save() }
            expectEqual(error?.code, NSManagedObjectExternalRelationshipError)
            expectEqual((error?.userInfo[NSAffectedObjectsErrorKey] as? [NSManagedObject])?.contains(tag), true)
            task.mutableSetValue(forKey: "tags").remove(tag)
            try stack.context.save()
        }
    }

    @Test func aMemberInAnotherStoreIsCode133010WithoutAnInverse() throws {
        let stack = try Stack(model: RelationsModel.make(oneWay: [(.many("Note.tags"), to: "Tag")]))
        let second = try stack.addStore("Other.sqlite")
        try stack.context.run { () throws in
            let note = try stack.context.make("Note", "n")
            let tag = try stack.context.make("Tag", "t")
            stack.context.assign(tag, to: second)
            note.relate("tags", [tag])
            let error = #expect(throws: NSError.self) { try stack.context.save() }
            expectEqual(error?.code, NSManagedObjectExternalRelationshipError)
            note.relate("tags", [])
            try stack.context.save()
        }
    }

    @Test func anObjectWithoutContextJoinsTheOneItIsRelatedTo() throws {
        let stack = try Stack()
        try stack.context.run { () throws in
            let entity = try #require(stack.coordinator.managedObjectModel.entitiesByName["Location"])
            let place = TestLocation(entity: entity, insertInto: nil)
            place.name = "home"
            let task = stack.context.task("a")
            task.location = place
            #expect(place.managedObjectContext === stack.context)
            try stack.context.save()
            expectEqual(place.tasks, NSSet(object: task))
        }
    }

    @Test func objectsWithoutContextAreRelatedToEachOther() throws {
        let model = RelationsModel.make((.many("List.items", ordered: true), .one("Item.list")))
        let list = NSManagedObject(entity: try #require(model.entitiesByName["List"]), insertInto: nil)
        let items = try (0..<3).map { index in
            let item = NSManagedObject(entity: try #require(model.entitiesByName["Item"]), insertInto: nil)
            item.setValue("\(index)", forKey: "name")
            return item
        }
        list.relate("items", [items[2], items[0], items[1]])
        list.mutableOrderedSetValue(forKey: "items").moveObjects(at: IndexSet(integer: 0), to: 2)
        #expect(list.joinedNames("items") == "012" && items[1].value(forKey: "list") as? NSManagedObject === list)
    }

    // MARK: Key-value coding

    @Test func keyPathsLeadThroughToManyRelationships() throws {
        let stack = try Stack()
        try stack.context.run { () throws in
            let home = TestLocation(context: stack.context)
            for (index, text) in ["a", "b", "b"].enumerated() {
                stack.context.task(text, priority: Int16(index + 1)).location = home
            }
            let bare = TestTask(context: stack.context)
            bare.location = home
            expectEqual(home.value(forKeyPath: "tasks.text") as? Set<String>, ["a", "b"])
            expectEqual(home.value(forKeyPath: "tasks.text") as? NSSet, NSSet(array: ["a", "b"]))
            expectEqual(home.value(forKeyPath: "tasks.@count") as? Int, 4)
            expectEqual(home.value(forKeyPath: "tasks.@sum.priority") as? Int16, 6)
            expectEqual(home.value(forKeyPath: "tasks.@max.priority") as? Double, 3)
            expectEqual(home.value(forKeyPath: "tasks.@min.text") as? String, "a")
            expectEqual(home.value(forKeyPath: "tasks.@avg.priority") as? Double, 1.5)
            expectEqual((home.value(forKeyPath: "tasks.@distinctUnionOfObjects.text") as? NSSet)?.count, 2)
            expectEqual(bare.value(forKeyPath: "location.tasks") as? NSSet, home.tasks)
            expectNil(bare.value(forKeyPath: "location.name"))
        }
    }

    @Test func aMutableSetIsALiveView() throws {
        let stack = try Stack()
        try stack.context.run { () throws in
            let home = TestLocation(context: stack.context)
            let tasks = ["a", "b", "c"].map { stack.context.task($0) }
            let view = home.mutableSetValue(forKey: "tasks")
            view.add(tasks[0])
            tasks[1].location = home
            #expect(view.count == 2 && view.contains(tasks[1]) && !view.contains(tasks[2]))
            expectEqual(view, NSSet(array: [tasks[0], tasks[1]]))
            view.union([tasks[2]])
            #expect(tasks[2].location === home)
            view.minus([tasks[0]])
            expectNil(tasks[0].location)
            view.intersect([tasks[2]])
            #expect(view.allObjects.count == 1 && view.anyObject() as? TestTask === tasks[2])
            let copy = try #require(view.copy() as? NSSet)
            view.setSet([tasks[0], tasks[1]])
            #expect(home.tasks == NSSet(array: [tasks[0], tasks[1]]) && copy == NSSet(object: tasks[2]))
            let path = tasks[0].mutableSetValue(forKeyPath: "location.tasks")
            path.removeAllObjects()
            #expect(tasks.allSatisfy { $0.location == nil })
            // The path now ends at nil.
            expectEqual(tasks[0].mutableSetValue(forKeyPath: "location.tasks").count, 0)
        }
    }
}
