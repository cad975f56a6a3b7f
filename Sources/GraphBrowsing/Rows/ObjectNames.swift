// Names of objects in addresses and messages, and back. Used by sessions; it reads no rows.
import Foundation
import ManagedGraph

/// Converts between identifiers and short names such as `Item/p12`.
struct ObjectNames: Sendable {
    let coordinator: NSPersistentStoreCoordinator

    /// The name of an object.
    func name(_ id: NSManagedObjectID) -> String {
        let uri = id.uriRepresentation()
        let path = uri.absoluteString.dropFirst("x-coredata://".count)
        let parts = path.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return String(path) }
        return id.isTemporaryID || coordinator.persistentStores.count < 2 ? String(parts[1]) : String(path)
    }

    /// The identifier of a saved object.
    ///
    /// - Throws: 134060 for a name of another form, or of an entity that the model does not have.
    func objectID(_ name: String) throws -> NSManagedObjectID {
        let parts = name.split(separator: "/")
        if parts.count == 3 || (parts.count == 2 && parts[1].hasPrefix("p")) {
            let stores = parts.count == 3 ? [String(parts[0])] : coordinator.persistentStores.compactMap(\.identifier)
            let path = parts.suffix(2).joined(separator: "/")
            for store in stores {
                guard let uri = URL(string: "x-coredata://\(store)/\(path)"),
                    coordinator.managedObjectModel.entitiesByName[String(parts[parts.count - 2])] != nil
                        || parts[parts.count - 2].contains("%"),
                    let id = coordinator.managedObjectID(forURIRepresentation: uri)
                else { continue }
                return id
            }
        }
        throw CoreDataError.make(
            NSCoreDataError,
            "There is no object \(name.prefix(80)).",
            remedy: "Name an object as the grid does, such as Item/p12. A new object keeps its name until it is saved."
        )
    }
}
