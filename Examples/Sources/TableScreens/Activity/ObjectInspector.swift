// Looks at one object for a panel: its state in the application's context, and its row in the store. It keeps inspected objects in memory, so that a fault stays one until a person fires it. Confined to the
// context's queue.
import CoreData
import Foundation

final class ObjectInspector: @unchecked Sendable {
    // Unchecked: all members are used on the context's queue.
    /// The number of objects kept in memory.
    private static let limit = 20

    private var kept: [NSManagedObject] = []

    /// Releases the inspected objects.
    func release() { kept = [] }

    /// Describes an object without reading any of its values from the store.
    ///
    /// - Parameters:
    ///   - reference: The object's reference, as in addresses.
    ///   - turn: The application's context.
    /// - Returns: The description, or nil if the model has no such entity.
    func look(at reference: String, _ turn: ApplicationStore.Turn) -> InspectedObject? {
        guard let objectID = objectID(reference, turn), let coordinator = turn.context.persistentStoreCoordinator else {
            return nil
        }
        var result = InspectedObject(objectID)
        do {
            result.row = try coordinator.storedRow(for: objectID)
        } catch {
            result.problem = (error as NSError).localizedDescription
        }
        guard result.row != nil else { return result }
        result.states = [.init(keep(objectID, turn.context), context: turn.context.name ?? "")]
        return result
    }

    /// Reads the values of a fault, or turns an unchanged object into a fault.
    func turn(_ reference: String, intoFault: Bool, _ turn: ApplicationStore.Turn) {
        guard let objectID = objectID(reference, turn),
            (try? turn.context.persistentStoreCoordinator?.storedRow(for: objectID)) != nil
        else { return }
        let object = keep(objectID, turn.context)
        if intoFault {
            if !object.hasChanges { turn.context.refresh(object, mergeChanges: false) }
        } else {
            object.willAccessValue(forKey: nil)
        }
    }

    private func objectID(_ reference: String, _ turn: ApplicationStore.Turn) -> NSManagedObjectID? {
        guard let reference = ObjectReference(reference), let coordinator = turn.context.persistentStoreCoordinator,
            coordinator.managedObjectModel.entitiesByName[reference.entityName] != nil,
            let uri = reference.uri(storeUUID: turn.storeUUID)
        else { return nil }
        return coordinator.managedObjectID(forURIRepresentation: uri)
    }

    private func keep(_ objectID: NSManagedObjectID, _ context: NSManagedObjectContext) -> NSManagedObject {
        let object = context.registeredObject(for: objectID) ?? context.object(with: objectID)
        if !kept.contains(where: { $0 === object }) {
            kept.append(object)
            if kept.count > Self.limit { kept.removeFirst() }
        }
        return object
    }
}
