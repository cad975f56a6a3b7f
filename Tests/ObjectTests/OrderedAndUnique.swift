// Ordered relationships and unique values in a small model.
import ExpectationSupport
import Foundation
import GraphSupport
import ManagedGraph
import Testing

@testable import StackSupport

struct OrderedAndUnique {
    @Test func anOrderedRelationshipKeepsItsOrder() throws {
        let list = NSEntityDescription("List")
        let item = NSEntityDescription("Item")
        item.properties = [NSAttributeDescription("name")]
        list.relate("items", toMany: true, to: item, "list", ordered: true)
        let model = NSManagedObjectModel([list, item])
        let stack = try Stack(model: model)
        try stack.context.run {
            let object = NSEntityDescription.insertNewObject(forEntityName: "List", into: stack.context)
            let items = ["x", "m", "a"].map { name in stack.context.make("Item", ["name": name]) }
            object.setValue(NSOrderedSet(array: items), forKey: "items")
            try stack.context.save()
            object.insertIntoManaged(items[2], at: 0, for: ManagedProperty("items"))
            try stack.context.save()
        }
        let other = stack.otherContext()
        try other.run {
            let object = try #require(try other.fetch(NSFetchRequest<NSManagedObject>(entityName: "List")).first)
            let names = (object.value(forKey: "items") as? NSOrderedSet)?.array
                .compactMap { ($0 as? NSManagedObject)?.value(forKey: "name") as? String }
            expectEqual(names, ["a", "x", "m"])
        }
    }

    @Test func aSecondObjectWithTheSameUniqueValueIsCode133021AndNothingIsWritten() throws {
        let model = TasksModel.make()
        model.entitiesByName["Location"]?.uniquenessConstraints = [["name"]]
        let stack = try Stack(model: model)
        try stack.context.run {
            TestLocation(context: stack.context).name = "home"
            try stack.context.save()
            let second = TestLocation(context: stack.context)
            second.name = "home"
            let error = #expect(throws: NSError.self) { try stack.context.save() }
            expectEqual(error?.code, 133021)
            #expect(second.objectID.isTemporaryID)
            second.name = "work"
            try stack.context.save()
        }
    }

    @Test func predicatesRunInSQLOverRelationshipsAndText() throws {
        let stack = try Stack()
        try stack.context.run {
            let home = TestLocation(context: stack.context)
            home.name = "Zuhause"
            for (index, text) in ["Straße", "STRASSE", "Äpfel", "apfel"].enumerated() {
                let task = stack.context.task(text, priority: Int16(index))
                if index < 2 { task.location = home }
            }
            try stack.context.save()
            let context = stack.otherContext()
            try context.run {
                try expectEqual(context.tasks("location.name BEGINSWITH[c] 'zu'").count, 2)
                try expectEqual(context.tasks("text CONTAINS[cd] 'apf'").map(\.text), ["apfel", "Äpfel"])
                try expectEqual(context.tasks("priority BETWEEN {1, 2}").count, 2)
                try expectEqual(context.tasks("text IN %@", ["apfel", "Straße"]).count, 2)
                try expectEqual(context.tasks("location == nil").count, 2)
                try expectEqual(context.tasks("NOT (location.name == 'Zuhause')").count, 2)
                let place = try #require(try context.fetch(NSFetchRequest<TestLocation>(entityName: "Location")).first)
                try expectEqual(context.tasks("location == %@", place).count, 2)
                try expectEqual(context.tasks("location IN %@", [place.objectID]).count, 2)
            }
        }
    }
}
