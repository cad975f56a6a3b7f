// A migration policy that reads primitive values of related objects. Used by RegisteredObjects.
import Foundation
import ManagedGraph

/// Copies the names of a list's items into the list.
final class PrimitiveValuePolicy: NSEntityMigrationPolicy {
    override func createDestinationInstances(
        forSource sInstance: NSManagedObject,
        in mapping: NSEntityMapping,
        manager: NSMigrationManager
    ) throws {
        let list = NSEntityDescription.insertNewObject(forEntityName: "List", into: manager.destinationContext)
        let items = sInstance.value(forKey: "items") as? Set<NSManagedObject> ?? []
        let names = items.map { $0.primitiveValue(forKey: "name") as? String ?? "none" }
        list.setValue(names.sorted().joined(separator: " "), forKey: "names")
        manager.associate(sourceInstance: sInstance, withDestinationInstance: list, for: mapping)
    }
}
