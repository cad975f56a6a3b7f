import ExpectationSupport
import Foundation
import GraphSupport
import ManagedGraph
import Testing

@Suite("Entities")
struct EntityTests {
    @Test("A subentity has the inherited properties, and each refers to its declaring entity")
    func inheritance() throws {
        let model = Made.people()
        let employee = try #require(model.entitiesByName["Employee"])
        expectEqual(employee.properties.map(\.name), ["name", "home", "salary"])
        expectEqual(employee.attributesByName.keys.sorted(), ["name", "salary"])
        expectEqual(employee.relationshipsByName.keys.sorted(), ["home"])
        expectEqual(employee.propertiesByName["name"]?.entity.name, "Person")
        #expect(employee.propertiesByName["salary"]?.entity === employee)
    }

    @Test("The entity of a class is that of the model for which a coordinator was made last")
    func entityOfClass() {
        let models = ["first", "second"].map { name in
            let entity = NSEntityDescription()
            (entity.name, entity.managedObjectClassName) = (name, NSStringFromClass(DescribedTask.self))
            let model = NSManagedObjectModel()
            model.entities = [entity]
            return model
        }
        for model in models + models {
            _ = NSPersistentStoreCoordinator(managedObjectModel: model)
            expectEqual(DescribedTask.entity().name, model.entities[0].name)
        }
    }

    @Test("The description of a class is the class name of its entity, with the module")
    func classDescription() {
        expectEqual(NSManagedObject.description(), "NSManagedObject")
        expectEqual(DescribedTask.description(), "ManagedGraphModelTests.DescribedTask")
        expectEqual(DescribedTask.description(), NSStringFromClass(DescribedTask.self))
    }

    @Test("Entities made in code name private and nested classes, and alike ones apart")
    func hiddenClasses() throws {
        let types: [NSManagedObject.Type] = [HiddenTask.self, DescribedTask.Nested.self, HiddenTasks.Nested.self]
        let names = types.map { NSStringFromClass($0) }
        let module = "ManagedGraphModelTests."
        expectEqual(names, ["HiddenTask", "DescribedTask.Nested", "HiddenTasks.Nested"].map { module + $0 })
        expectEqual(NSStringFromClass(HiddenTask.self), HiddenTask.description())
        for (name, type) in zip(names, types) { #expect(ModuleRegistration.classNamed(name) == type) }
        let model = NSManagedObjectModel()
        model.entities = names.indices.map { index in
            let entity = NSEntityDescription()
            (entity.name, entity.managedObjectClassName) = ("E\(index)", names[index])
            return entity
        }
        let context = NSPersistentStoreCoordinator(managedObjectModel: model).makeContext()
        context.performAndWait {
            for (index, type) in types.enumerated() {
                let object = NSEntityDescription.insertNewObject(forEntityName: "E\(index)", into: context)
                #expect(Swift.type(of: object) == type)
            }
        }
    }

    @Test("Copies of a pair of relationships are inverses of each other in the entities that have them")
    func copiedPairs() throws {
        let entities = ["Book", "BookTag", "Film", "FilmTag"].map { name in
            let entity = NSEntityDescription()
            entity.name = name
            return entity
        }
        do {
            // The originals are gone when the model is used.
            let tags = NSRelationshipDescription()
            tags.name = "tags"
            tags.maxCount = 0
            let owner = NSRelationshipDescription()
            owner.name = "owner"
            owner.maxCount = 1
            tags.inverseRelationship = owner
            owner.inverseRelationship = tags
            for (one, other) in [(entities[0], entities[1]), (entities[2], entities[3])] {
                tags.destinationEntity = other
                owner.destinationEntity = one
                one.properties = [try #require(tags.copy() as? NSRelationshipDescription)]
                other.properties = [try #require(owner.copy() as? NSRelationshipDescription)]
            }
        }
        let model = NSManagedObjectModel()
        model.entities = entities
        for (one, other) in [(entities[0], entities[1]), (entities[2], entities[3])] {
            let tags = try #require(one.relationshipsByName["tags"])
            #expect(tags.inverseRelationship === other.relationshipsByName["owner"])
            #expect(tags.inverseRelationship?.inverseRelationship === tags)
        }
        try model.checkConsistency()
    }

    @Test("Setting properties keeps the inherited ones in their superentity")
    func settingProperties() throws {
        let model = Made.people()
        let employee = try #require(model.entitiesByName["Employee"])
        employee.properties += [NSAttributeDescription("title")]
        expectEqual(employee.properties.map(\.name), ["name", "home", "salary", "title"])
        expectEqual(employee.superentity?.properties.map(\.name), ["name", "home"])
    }

    @Test("An entity is a kind of itself and of all its superentities", arguments: [false, true])
    func kinds(inUse: Bool) throws {
        let model = Made.people()
        // Not equal to the model of another test, whose entities it would share while both are in use.
        for entity in model.entities { entity.versionHashModifier = "kinds" }
        if inUse { _ = NSPersistentStoreCoordinator(managedObjectModel: model) }
        let person = try #require(model.entitiesByName["Person"])
        let employee = try #require(model.entitiesByName["Employee"])
        let place = try #require(model.entitiesByName["Place"])
        #expect(employee.isKindOf(entity: person))
        #expect(employee.isKindOf(entity: employee))
        #expect(!person.isKindOf(entity: employee))
        #expect(!place.isKindOf(entity: person))
        #expect(person.subentitiesByName["Employee"] === employee)
        #expect(employee.superentity === person)
        expectEqual(place.relationships(forDestination: person).map(\.name), ["people"])
        #expect(employee.managedObjectModel === model)
    }

    @Test("Lookups return the same before and after the model is in use")
    func caches() throws {
        let model = Made.people()
        let before = model.entities.map { $0.propertiesByName.keys.sorted() }
        let hashes = model.entityVersionHashesByName
        _ = NSPersistentStoreCoordinator(managedObjectModel: model)
        expectEqual(model.entities.map { $0.propertiesByName.keys.sorted() }, before)
        expectEqual(model.entityVersionHashesByName, hashes)
    }

    @Test("The renaming identifier is the name until another is set")
    func renaming() {
        let entity = NSEntityDescription("Task", [NSAttributeDescription("text")])
        expectEqual(entity.renamingIdentifier, "Task")
        expectEqual(entity.properties[0].renamingIdentifier, "text")
        entity.renamingIdentifier = "Event"
        entity.properties[0].renamingIdentifier = "title"
        expectEqual(entity.renamingIdentifier, "Event")
        expectEqual(entity.properties[0].renamingIdentifier, "title")
    }

    @Test("The class is NSManagedObject until another is named")
    func classNames() {
        let entity = NSEntityDescription("Task")
        expectEqual(entity.managedObjectClassName, "NSManagedObject")
        entity.managedObjectClassName = "App.Task"
        expectEqual(entity.managedObjectClassName, "App.Task")
    }

    @Test("A relationship is to-many unless its largest number is 1")
    func cardinality() {
        let place = NSEntityDescription("Place")
        #expect(!NSRelationshipDescription("one", to: place).isToMany)
        let many = NSRelationshipDescription("many", to: place, toMany: true)
        #expect(many.isToMany)
        many.maxCount = 5
        #expect(many.isToMany)
        many.maxCount = 1
        #expect(!many.isToMany)
    }

    @Test("Type and attributeType are two views of one setting")
    func types() {
        let attribute = NSAttributeDescription()
        attribute.type = .uuid
        expectEqual(attribute.attributeType, .UUIDAttributeType)
        attribute.attributeType = .dateAttributeType
        expectEqual(attribute.type, .date)
        expectEqual(attribute.attributeValueClassName, "NSDate")
    }

    @Test("Coordinators freeze a model, copies are editable")
    func copies() throws {
        let model = Made.people()
        model.setEntities([try #require(model.entitiesByName["Place"])], forConfigurationName: "Places")
        _ = NSPersistentStoreCoordinator(managedObjectModel: model)
        #expect(!model.isEditable)
        let copy = try #require(model.copy() as? NSManagedObjectModel)
        #expect(copy.isEditable)
        expectEqual(copy.entityVersionHashesByName, model.entityVersionHashesByName)
        let person = try #require(copy.entitiesByName["Person"])
        let place = try #require(copy.entitiesByName["Place"])
        #expect(person !== model.entitiesByName["Person"])
        #expect(person.relationshipsByName["home"]?.destinationEntity === place)
        #expect(person.relationshipsByName["home"]?.inverseRelationship === place.relationshipsByName["people"])
        #expect(copy.entitiesByName["Employee"]?.superentity === person)
        #expect(copy.entities(forConfigurationName: "Places")?.first === place)
        person.properties += [NSAttributeDescription("age", .integer16AttributeType)]
        #expect(copy.entityVersionHashesByName["Person"] != model.entityVersionHashesByName["Person"])
        expectEqual(copy.entityVersionHashesByName["Place"], model.entityVersionHashesByName["Place"])
    }

    @Test("A known model has the expected hashes")
    func knownHash() throws {
        let user = NSEntityDescription(
            "User",
            [NSAttributeDescription("name", optional: false), NSAttributeDescription("petName")]
        )
        let model = NSManagedObjectModel([user])
        func hex(_ data: Data?) -> String { (data ?? Data()).map { String(format: "%02x", $0) }.joined() }
        expectEqual(
            hex(user.propertiesByName["name"]?.versionHash),
            "8cb9965c0031ac68913984f3110941ad965395be9fd9b17de7be54bc7ad46890"
        )
        expectEqual(hex(user.versionHash), "6b31f4e97b691d16c4c820bae55f89408d47013bd42151ecfde1eac7fe4be798")
        expectEqual(model.entityVersionHashesByName["User"], user.versionHash)
    }
}

private final class HiddenTask: NSManagedObject {}

private enum HiddenTasks {
    final class Nested: NSManagedObject {}
}
