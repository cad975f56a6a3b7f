// A policy that deletes objects which it has made.
import Foundation
import ManagedGraph
import Testing

/// Keeps one object of each last name when all objects are made.
final class DuplicatePolicy: NSEntityMigrationPolicy {
    override func endInstanceCreation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {
        let request = NSFetchRequest<NSManagedObject>(entityName: mapping.destinationEntityName ?? "")
        var names: Set<String> = []
        for object in try manager.destinationContext.fetch(request) {
            let name = object.value(forKey: "lastName") as? String ?? ""
            if !names.insert(name).inserted { manager.destinationContext.delete(object) }
        }
    }
}
