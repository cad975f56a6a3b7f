// A class that inserts an object whenever it is validated for an update. Used by MergePolicies.
import Foundation
import ManagedGraph

/// Inserts a tag with each validation for an update, as classes do that record changes.
final class TaggingTask: NSManagedObject {
    override func validateForUpdate() throws {
        try super.validateForUpdate()
        guard let context = managedObjectContext else { return }
        _ = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
    }
}
