// A migration policy that writes down the classes of the objects. Used by ManagerModels.
import Foundation
import ManagedGraph

/// Names each place after the classes of both objects.
final class ClassPolicy: NSEntityMigrationPolicy {
    override func createDestinationInstances(
        forSource sInstance: NSManagedObject,
        in mapping: NSEntityMapping,
        manager: NSMigrationManager
    ) throws {
        let place = NSEntityDescription.insertNewObject(forEntityName: "Place", into: manager.destinationContext)
        place.setValue("\(type(of: sInstance)) \(type(of: place))", forKey: "name")
        manager.associate(sourceInstance: sInstance, withDestinationInstance: place, for: mapping)
    }

    override func createRelationships(
        forDestination dInstance: NSManagedObject,
        in mapping: NSEntityMapping,
        manager: NSMigrationManager
    ) throws {}
}
