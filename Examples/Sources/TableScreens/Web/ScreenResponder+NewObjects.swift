// The response to a browser that leaves an object inserted by +: the object is deleted if its values are unchanged.
import CoreData
import Hummingbird
import WebSupport

extension ScreenResponder {
    /// The component of the address, below the application.
    static let newObjectPath = "-new"

    func leaveNewObject(_ store: ApplicationStore, _ request: Request) async throws -> Response {
        let fields = await FormBody.fields(of: request)
        let reference = fields["address"].map { Address(target: $0).path.last ?? "" } ?? ""
        let stamp = fields["stamp"] ?? ""
        // Input in a draft is a change that the stamp does not contain yet.
        for draft in store.drafts.all where Address(target: draft.key.address).path.last == reference {
            if try await store.perform(in: draft, { _ in draft.hasInput }) { return .json("{}") }
        }
        try await store.perform { turn in
            guard let object = turn.object(reference) else { return }
            try turn.newObjects.leave(object, stamp: stamp, in: turn.context)
        }
        return .json("{}")
    }
}

extension ApplicationStore.Turn {
    /// Returns the object with a reference, or nil if there is none.
    func object(_ reference: String) -> NSManagedObject? {
        guard let reference = ObjectReference(reference), let uri = reference.uri(storeUUID: storeUUID),
            let coordinator = context.persistentStoreCoordinator,
            coordinator.managedObjectModel.entitiesByName[reference.entityName] != nil,
            let objectID = coordinator.managedObjectID(forURIRepresentation: uri),
            let object = try? context.existingObject(with: objectID), !object.isDeleted
        else { return nil }
        return object
    }
}
