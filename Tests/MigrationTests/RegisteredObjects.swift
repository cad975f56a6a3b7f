// Tests policies that look up objects among the registered ones, or read objects through relationships.
import ExpectationSupport
import Foundation
import GraphSupport
import ManagedGraph
import Testing

struct RegisteredObjects {
    @Test(arguments: [NSPersistentStore.StoreType.sqlite, .xml])
    func aPolicyFindsTheObjectsOfEarlierPortions(type: NSPersistentStore.StoreType) throws {
        let versions = try Versions(
            "<entity name=\"Visit\"><attribute name=\"city\" optional=\"YES\" attributeType=\"String\"/></entity>",
            "<entity name=\"Place\"><attribute name=\"name\" optional=\"YES\" attributeType=\"String\"/></entity>"
        )
        try versions.fill { context in
            for number in 0..<500 { context.add("Visit", ["city": "city \(number % 60)"]) }
        }
        let entity = NSEntityMapping()
        entity.name = "VisitToPlace"
        (entity.sourceEntityName, entity.destinationEntityName) = ("Visit", "Place")
        entity.mappingType = .customEntityMappingType
        entity.entityMigrationPolicyClassName = "MigrationTests.PlacePolicy"
        let mapping = NSMappingModel()
        mapping.entityMappings = [entity]
        let manager = try versions.manager()
        // Far fewer than the places, so that objects would be released.
        (manager.portionSize, manager.heldCount) = (7, 10)
        let target = versions.folder.appending(path: "New")
        try versions.migrate(manager, mapping, to: target, type)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try versions.model(2))
        try coordinator.addPersistentStore(type: type, at: target)
        let context = coordinator.makeContext()
        try context.performAndWait { try expectEqual(context.all("Place").count, 60) }
    }

    @Test func aPolicyReadsPrimitiveValuesOfObjectsThatItReachesThroughRelationships() throws {
        let versions = try Versions(
            """
            <entity name="Item"><attribute name="name" optional="YES" attributeType="String"/>
            <relationship name="list" optional="YES" maxCount="1" destinationEntity="List" inverseName="items" inverseEntity="List"/></entity>
            <entity name="List">
            <relationship name="items" optional="YES" toMany="YES" destinationEntity="Item" inverseName="list" inverseEntity="Item"/></entity>
            """,
            "<entity name=\"List\"><attribute name=\"names\" optional=\"YES\" attributeType=\"String\"/></entity>"
        )
        try versions.fill { context in
            let list = context.add("List", [:])
            for name in ["a", "b"] { context.add("Item", ["name": name, "list": list]) }
        }
        let entity = NSEntityMapping()
        entity.name = "lists"
        (entity.sourceEntityName, entity.destinationEntityName) = ("List", "List")
        entity.mappingType = .customEntityMappingType
        entity.entityMigrationPolicyClassName = "MigrationTests.PrimitiveValuePolicy"
        let mapping = NSMappingModel()
        mapping.entityMappings = [entity]
        try versions.migrate(versions.manager(), mapping)
        let context = try versions.open(2, at: versions.target)
        try context.performAndWait {
            let names: [String?] = try context.values("names", "List")
            expectEqual(names, ["a b"])
        }
    }
}
