// Uses a model of unknown content, for tests of damaged and foreign models.
import Foundation
import ManagedGraph

extension NSManagedObjectModel {
    /// Opens a store in memory with the model, and saves an object of each entity; the model's rules may refuse the save.
    package func saveAnObjectOfEachEntity() throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: self)
        let store = try coordinator.addPersistentStore(type: .inMemory, at: URL(fileURLWithPath: "/dev/null"))
        let context = coordinator.makeContext()
        try context.performAndWait {
            for entity in entities where !entity.isAbstract {
                let object = NSManagedObject(entity: entity, insertInto: context)
                for name in entity.attributesByName.keys { _ = object.value(forKey: name) }
                if entity.attributesByName["name"]?.attributeType == .stringAttributeType {
                    object.setValue("a", forKey: "name")
                }
            }
            try context.save()
        }
        try coordinator.remove(store)
    }
}
