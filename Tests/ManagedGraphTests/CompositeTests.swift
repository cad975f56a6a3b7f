// Composite attributes: dictionaries to users, a column for each element in the store.
import Foundation
import ManagedGraph
import Testing

@Suite struct CompositeAttributes {
    private static func model() -> NSManagedObjectModel {
        let place = NSCompositeAttributeDescription()
        place.name = "place"
        place.elements = [
            TasksModel.attribute("latitude", .doubleAttributeType),
            TasksModel.attribute("longitude", .doubleAttributeType),
        ]
        let address = NSCompositeAttributeDescription()
        address.name = "address"
        address.elements = [
            TasksModel.attribute("street", .stringAttributeType),
            TasksModel.attribute("number", .integer16AttributeType),
            place,
        ]
        for composite in [place, address] { composite.isOptional = true }
        let person = NSEntityDescription()
        person.name = "Person"
        person.properties = [TasksModel.attribute("name", .stringAttributeType), address]
        let model = NSManagedObjectModel()
        model.entities = [person]
        return model
    }

    private func person(_ context: NSManagedObjectContext) throws -> NSManagedObject {
        try #require(try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Person")).first)
    }

    @Test func aDictionaryGoesInAndComesOut() throws {
        let stack = try Stack(model: Self.model())
        let value: [String: Any] = ["street": "Main", "number": 7, "place": ["latitude": 1.5, "longitude": -2.5]]
        try stack.context.run { () throws in
            let entity = try #require(stack.coordinator.managedObjectModel.entitiesByName["Person"])
            let person = NSManagedObject(entity: entity, insertInto: stack.context)
            #expect(person.value(forKey: "address") == nil)
            person.setValue(value, forKey: "address")
            #expect((person.value(forKey: "address") as? NSDictionary)?["street"] as? String == "Main")
            try stack.context.save()
        }
        let again = try Stack(model: Self.model(), url: stack.url)
        try again.context.run { () throws in
            let person = try person(again.context)
            let found = try #require(person.value(forKey: "address") as? [String: Any])
            #expect(found["street"] as? String == "Main" && found["number"] as? Int == 7)
            #expect((found["place"] as? [String: Any])?["longitude"] as? Double == -2.5)
            #expect(person.value(forKeyPath: "address.place.latitude") as? Double == 1.5)
        }
        #expect(try stack.rows("SELECT ZSTREET, ZNUMBER, ZLATITUDE FROM ZPERSON").count == 1)
    }

    @Test func anElementIsSetByItsPathAndChangesAreTheComposites() throws {
        let stack = try Stack(model: Self.model())
        try stack.context.run { () throws in
            let entity = try #require(stack.coordinator.managedObjectModel.entitiesByName["Person"])
            let person = NSManagedObject(entity: entity, insertInto: stack.context)
            person.setValue(["street": "Main", "number": 7] as [String: Any], forKey: "address")
            try stack.context.save()
            person.setValue("Side", forKeyPath: "address.street")
            #expect(Set(person.changedValues().keys) == ["address"])
            let committed = person.committedValues(forKeys: nil)["address"] as? [String: Any]
            #expect(committed?["street"] as? String == "Main")
            let other = stack.otherContext()
            try stack.context.save()
            try other.performAndWait { () throws in
                let found = try self.person(other).value(forKey: "address") as? [String: Any]
                #expect(found?["street"] as? String == "Side" && found?["number"] as? Int == 7)
            }
            person.setValue(nil, forKey: "address")
            #expect(person.value(forKey: "address") == nil)
            stack.context.rollback()
            #expect(person.value(forKeyPath: "address.number") as? Int == 7)
        }
    }

    @Test func predicatesAndSortsReachElementsInTheStoreAndInMemory() throws {
        let stack = try Stack(model: Self.model())
        try stack.context.run { () throws in
            let entity = try #require(stack.coordinator.managedObjectModel.entitiesByName["Person"])
            for number in 0..<10 {
                let person = NSManagedObject(entity: entity, insertInto: stack.context)
                person.setValue("p\(number)", forKey: "name")
                person.setValue(["number": number, "place": ["latitude": Double(-number)]], forKey: "address")
            }
            func names() throws -> [String] {
                let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
                request.predicate = NSPredicate(format: "address.number > 6 AND address.place.latitude < -7")
                request.sortDescriptors = [NSSortDescriptor(key: "address.place.latitude", ascending: true)]
                return try stack.context.fetch(request).compactMap { $0.value(forKey: "name") as? String }
            }
            #expect(try names() == ["p9", "p8"])
            try stack.context.save()
            #expect(try names() == ["p9", "p8"])
        }
    }
}
