// A migration policy that looks up the objects it created among the registered ones. Used by RegisteredObjects.
import Foundation
import ManagedGraph

/// Creates one place per city name, and reuses an existing one.
final class PlacePolicy: NSEntityMigrationPolicy {
    override func createDestinationInstances(
        forSource sInstance: NSManagedObject,
        in mapping: NSEntityMapping,
        manager: NSMigrationManager
    ) throws {
        let name = sInstance.value(forKey: "city") as? String
        let existing = manager.destinationContext.registeredObjects.first {
            $0.entity.name == "Place" && $0.value(forKey: "name") as? String == name
        }
        let place =
            existing ?? NSEntityDescription.insertNewObject(forEntityName: "Place", into: manager.destinationContext)
        if existing == nil { place.setValue(name, forKey: "name") }
        manager.associate(sourceInstance: sInstance, withDestinationInstance: place, for: mapping)
    }

    override func createRelationships(
        forDestination dInstance: NSManagedObject,
        in mapping: NSEntityMapping,
        manager: NSMigrationManager
    ) throws {}
}
