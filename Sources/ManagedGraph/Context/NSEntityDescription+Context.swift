// Looks up the entities of a context's model.
import Foundation

extension NSEntityDescription {
    /// The entity with this name in a context's model.
    ///
    /// - Parameters:
    ///   - entityName: The name.
    ///   - context: A context whose coordinator, or whose parent's coordinator, has a model.
    /// - Returns: The entity, or nil if the model has none of this name.
    public class func entity(
        forEntityName entityName: String,
        in context: NSManagedObjectContext
    ) -> NSEntityDescription? {
        context.graphModelInUse?.entitiesByName[entityName]
    }

    /// Creates an object of the named entity and inserts it into the context.
    ///
    /// Stops the program if the model has no entity of this name.
    ///
    /// - Parameters:
    ///   - entityName: The name.
    ///   - context: The context.
    /// - Returns: The new object, of the class that the model names.
    @discardableResult
    public class func insertNewObject(
        forEntityName entityName: String,
        into context: NSManagedObjectContext
    ) -> NSManagedObject {
        guard let entity = entity(forEntityName: entityName, in: context) else {
            preconditionFailure(
                "Cannot insert an object of entity \(entityName): the context's model has no entity of this name, "
                    + "or the context has no coordinator."
            )
        }
        return context.makeObject(entity: entity, insertInto: context)
    }
}

extension NSManagedObjectContext {
    /// The model of the coordinator of this context, or of its topmost parent.
    final var graphModelInUse: NSManagedObjectModel? {
        var context = self
        while let parent = context.parent { context = parent }
        return context.persistentStoreCoordinator?.managedObjectModel
    }
}
