// Composite attributes: dictionaries in the API, a column for each element in the store.
import ExpectationSupport
import Foundation
import GraphSupport
import ManagedGraph
import Testing

@testable import StackSupport

struct CompositeAttributes {
    private static func model() -> NSManagedObjectModel {
        let place = NSCompositeAttributeDescription()
        place.name = "place"
        place.elements = [
            NSAttributeDescription("latitude", .doubleAttributeType),
            NSAttributeDescription("longitude", .doubleAttributeType),
        ]
        let address = NSCompositeAttributeDescription()
        address.name = "address"
        address.elements = [
            NSAttributeDescription("street"),
            NSAttributeDescription("number", .integer16AttributeType),
            place,
        ]
        for composite in [place, address] { composite.isOptional = true }
        let person = NSEntityDescription("Person")
        person.properties = [NSAttributeDescription("name"), address]
        return NSManagedObjectModel([person])
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
            expectNil(person.value(forKey: "address"))
            person.setValue(value, forKey: "address")
            expectEqual((person.value(forKey: "address") as? NSDictionary)?["street"] as? String, "Main")
            try stack.context.save()
        }
        let again = try Stack(model: Self.model(), url: stack.url)
        try again.context.run { () throws in
            let person = try person(again.context)
            let address = try #require(person.value(forKey: "address") as? [String: Any])
            expectEqual(address["street"] as? String, "Main")
            expectEqual(address["number"] as? Int, 7)
            expectEqual((address["place"] as? [String: Any])?["longitude"] as? Double, -2.5)
            expectEqual(person.value(forKeyPath: "address.place.latitude") as? Double, 1.5)
        }
        try expectEqual(stack.rows("SELECT ZSTREET, ZNUMBER, ZLATITUDE FROM ZPERSON").count, 1)
    }

    @Test func anElementIsSetByItsPathAndChangesAreTheComposites() throws {
        let stack = try Stack(model: Self.model())
        try stack.context.run { () throws in
            let entity = try #require(stack.coordinator.managedObjectModel.entitiesByName["Person"])
            let person = NSManagedObject(entity: entity, insertInto: stack.context)
            person.setValue(["street": "Main", "number": 7] as [String: Any], forKey: "address")
            try stack.context.save()
            person.setValue("Side", forKeyPath: "address.street")
            expectEqual(Set(person.changedValues().keys), ["address"])
            let committed = person.committedValues(forKeys: nil)["address"] as? [String: Any]
            expectEqual(committed?["street"] as? String, "Main")
            let other = stack.otherContext()
            try stack.context.save()
            try other.performAndWait { () throws in
                let address = try self.person(other).value(forKey: "address") as? [String: Any]
                expectEqual(address?["street"] as? String, "Side")
                expectEqual(address?["number"] as? Int, 7)
            }
            person.setValue(nil, forKey: "address")
            expectNil(person.value(forKey: "address"))
            stack.context.rollback()
            expectEqual(person.value(forKeyPath: "address.number") as? Int, 7)
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
            try expectEqual(names(), ["p9", "p8"])
            try stack.context.save()
            try expectEqual(names(), ["p9", "p8"])
        }
    }

    /// People with two addresses of one type, a required element with a default value, and a boss.
    private static func richModel() -> NSManagedObjectModel {
        func address(_ name: String) -> NSCompositeAttributeDescription {
            let composite = NSCompositeAttributeDescription()
            composite.name = name
            composite.isOptional = true
            composite.elements = [
                NSAttributeDescription("street"),
                NSAttributeDescription("floor", .integer16AttributeType, optional: false),
            ]
            return composite
        }
        let size = NSCompositeAttributeDescription()
        size.name = "size"
        size.isOptional = false
        size.elements = [NSAttributeDescription("width", .doubleAttributeType, optional: false, default: 2.5)]
        let person = NSEntityDescription("Person")
        let child = NSEntityDescription("Child")
        child.properties = [address("school")]
        person.subentities = [child]
        person.properties = [
            NSAttributeDescription("name"), address("home"), address("work"), size,
        ]
        person.relate("boss", to: person, "staff", inverseToMany: true)
        return NSManagedObjectModel([person, child])
    }

    private func make(_ name: String, _ stack: Stack) throws -> NSManagedObject {
        let entity = try #require(stack.coordinator.managedObjectModel.entitiesByName[name])
        return NSManagedObject(entity: entity, insertInto: stack.context)
    }

    @Test func compositesOfOneTypeKeepTheirElementsApart() throws {
        let stack = try Stack(model: Self.richModel())
        try stack.context.run { () throws in
            let person = try make("Child", stack)
            person.setValue(["street": "Home", "floor": 1] as [String: Any], forKey: "home")
            person.setValue(["street": "Work", "floor": 2] as [String: Any], forKey: "work")
            person.setValue(["street": "School", "floor": 3] as [String: Any], forKey: "school")
            try stack.context.save()
        }
        let again = try Stack(model: Self.richModel(), url: stack.url)
        try again.context.run { () throws in
            let person = try person(again.context)
            for (key, street, floor) in [("home", "Home", 1), ("work", "Work", 2), ("school", "School", 3)] {
                let address = try #require(person.value(forKey: key) as? [String: Any])
                expectEqual(address["street"] as? String, street)
                expectEqual(address["floor"] as? Int, floor)
                let request = NSFetchRequest<NSManagedObject>(entityName: "Child")
                request.predicate = NSPredicate(format: "%K == %@", argumentArray: [key + ".street", street])
                try expectEqual(again.context.count(for: request), 1)
                request.predicate = NSPredicate(format: "%K == %@", argumentArray: [key + ".street", "Other"])
                try expectEqual(again.context.count(for: request), 0)
            }
        }
    }

    @Test func elementsHaveTheirDefaultValuesAndRules() throws {
        let stack = try Stack(model: Self.richModel())
        try stack.context.run { () throws in
            let person = try make("Person", stack)
            expectEqual((person.value(forKey: "size") as? [String: Any])?["width"] as? Double, 2.5)
            // An optional composite without a value does not validate its elements.
            try stack.context.save()
            person.setValue("Main", forKeyPath: "home.street")
            let error = #expect(throws: NSError.self) { try stack.context.save() }
            expectEqual(error?.code, 1570)
            expectEqual(error?.localizedDescription.contains("floor"), true)
            person.setValue(0, forKeyPath: "home.floor")
            try stack.context.save()
            person.setValue(nil, forKey: "size")
            #expect(throws: NSError.self) { try stack.context.save() }
        }
    }

    @Test func aPathThroughARelationshipSetsAnElement() throws {
        let stack = try Stack(model: Self.richModel())
        try stack.context.run { () throws in
            let (person, boss) = (try make("Person", stack), try make("Person", stack))
            person.setValue(boss, forKey: "boss")
            person.setValue("Main", forKeyPath: "boss.home.street")
            expectEqual(boss.value(forKeyPath: "home.street") as? String, "Main")
            expectEqual(person.value(forKeyPath: "boss.home.street") as? String, "Main")
            boss.setValue(1, forKeyPath: "home.floor")
            try stack.context.save()
            let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
            request.predicate = NSPredicate(format: "boss.home.street BEGINSWITH 'M'")
            try expectEqual(stack.context.fetch(request), [person])
            request.predicate = NSPredicate(format: "ANY staff.home.floor == nil AND home.floor == 1")
            try expectEqual(stack.context.fetch(request), [boss])
        }
    }

    @Test func eventsUndoAndRollbackCoverTheWholeComposite() throws {
        let stack = try Stack(model: Self.richModel())
        try stack.context.run { () throws in
            let undoManager = UndoManager()
            stack.context.undoManager = undoManager
            let person = try make("Person", stack)
            person.setValue(["street": "Main", "floor": 1] as [String: Any], forKey: "home")
            try stack.context.save()
            undoManager.removeAllActions()
            person.setValue("Side", forKeyPath: "home.street")
            let former = person.changedValuesForCurrentEvent()
            expectEqual(Array(former.keys), ["home"])
            expectEqual((former["home"] as? [String: Any])?["street"] as? String, "Main")
            expectEqual((former["home"] as? [String: Any])?["floor"] as? Int, 1)
            stack.context.processPendingChanges()
            undoManager.undo()
            expectEqual(person.value(forKeyPath: "home.street") as? String, "Main")
            undoManager.redo()
            expectEqual(person.value(forKeyPath: "home.street") as? String, "Side")
        }
    }

    @Test func childContextsHandElementsOver() throws {
        let stack = try Stack(model: Self.richModel())
        let child = stack.context.makeChild()
        let identifier = try stack.context.run { () throws in
            let person = try make("Person", stack)
            person.setValue(["street": "Main", "floor": 1] as [String: Any], forKey: "home")
            try stack.context.save()
            return person.objectID
        }
        try child.run { () throws in
            let person = try child.existingObject(with: identifier)
            expectEqual(person.value(forKeyPath: "home.street") as? String, "Main")
            person.setValue("Side", forKeyPath: "home.street")
            try child.save()
        }
        try stack.context.run { () throws in
            let person = try stack.context.existingObject(with: identifier)
            expectEqual((person.value(forKey: "home") as? [String: Any])?["street"] as? String, "Side")
            expectEqual((person.value(forKey: "home") as? [String: Any])?["floor"] as? Int, 1)
        }
    }

    @Test func resultsAsDictionariesHoldTheWholeOrAnElement() throws {
        let stack = try Stack(model: Self.richModel())
        try stack.context.run { () throws in
            try make("Person", stack).setValue(["street": "Main", "floor": 1] as [String: Any], forKey: "home")
            try stack.context.save()
            let request = NSFetchRequest<NSDictionary>(entityName: "Person")
            request.resultType = .dictionaryResultType
            request.propertiesToFetch = ["home", "size.width"]
            let row = try #require(try stack.context.fetch(request).first)
            expectEqual((row["home"] as? [String: Any])?["street"] as? String, "Main")
            expectEqual((row["home"] as? [String: Any])?["floor"] as? Int, 1)
            expectEqual(row["size.width"] as? Double, 2.5)
            request.propertiesToFetch = nil
            let whole = try #require(try stack.context.fetch(request).first)
            expectEqual((whole["home"] as? [String: Any])?["floor"] as? Int, 1)
            expectEqual((whole["size"] as? [String: Any])?["width"] as? Double, 2.5)
        }
    }

    @Test func generatedAccessorsReadAndSetTheDictionary() throws {
        let stack = try Stack(model: Self.richModel())
        let home = ManagedProperty("home")
        try stack.context.run { () throws in
            let person = try make("Person", stack)
            var value: [String: Any]? = person.managedValue(for: home)
            expectNil(value)
            person.setManagedValue(["street": "Main", "floor": 4] as [String: Any]?, for: home)
            value = person.managedValue(for: home)
            expectEqual(value?["floor"] as? Int, 4)
        }
    }
}
