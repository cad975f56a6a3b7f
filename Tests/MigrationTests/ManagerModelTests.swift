// Tests the models of a migration manager: copies whose entities have only the classes that are set there.
import ExpectationSupport
import Foundation
import GraphSupport
import ManagedGraph
import Testing

struct ManagerModels {
    @Test(arguments: [false, true]) func objectsAreOfTheClassThatIsSetInTheManagersModel(isSet: Bool) throws {
        let versions = try Versions(
            "<entity name=\"Visit\"><attribute name=\"city\" optional=\"YES\" attributeType=\"String\"/></entity>",
            "<entity name=\"Place\"><attribute name=\"name\" optional=\"YES\" attributeType=\"String\"/></entity>"
        )
        try versions.fill { $0.add("Visit", ["city": "Paris"]) }
        let entity = NSEntityMapping()
        entity.name = "VisitToPlace"
        (entity.sourceEntityName, entity.destinationEntityName) = ("Visit", "Place")
        entity.mappingType = .customEntityMappingType
        entity.entityMigrationPolicyClassName = "MigrationTests.ClassPolicy"
        let mapping = NSMappingModel()
        mapping.entityMappings = [entity]
        let destination = try #require(try versions.model(2).copy() as? NSManagedObjectModel)
        destination.entitiesByName["Place"]?.managedObjectClassName = "MigrationTests.VisitedPlace"
        let manager = NSMigrationManager(sourceModel: try versions.model(1), destinationModel: destination)
        let place = try #require(manager.destinationModel.entitiesByName["Place"])
        expectEqual(place.managedObjectClassName, "NSManagedObject")
        if isSet { place.managedObjectClassName = "MigrationTests.VisitedPlace" }
        try versions.migrate(manager, mapping)
        expectEqual(destination.entitiesByName["Place"]?.managedObjectClassName, "MigrationTests.VisitedPlace")
        let context = try versions.open(2, at: versions.target)
        try context.performAndWait {
            let names: [String?] = try context.values("name", "Place")
            expectEqual(names, ["NSManagedObject \(isSet ? "VisitedPlace" : "NSManagedObject")"])
        }
    }
}
