// Tests a policy that looks up objects it created among the registered ones.
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
}
