// An incremental store as applications write them: without a type of its own, reading the entity of a request that it
// casts. Used by ServiceStores.
import Foundation
import ManagedGraph

/// A service with one object of each entity, which needs no location.
final class ServiceStore: NSIncrementalStore {
    static let identifier = "2E0C4F0D-5E3B-4C0E-9D5B-8B7F0C6B7C11"
    /// The fetches, as the entity's name and the limit.
    private(set) var fetches: [String] = []
    /// The objects of each save whose version must not have changed.
    private(set) var locked: [Set<NSManagedObject>?] = []
    /// The location while the metadata were read.
    private(set) var locationAtStart: URL?

    override func loadMetadata() throws {
        locationAtStart = url
        metadata = [NSStoreUUIDKey: Self.identifier]
    }

    override func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?) throws -> Any {
        if let save = request as? NSSaveChangesRequest {
            locked.append(save.lockedObjects)
            return []
        }
        guard let fetch = castFetchRequest(request, to: NSFetchRequest<any NSFetchRequestResult>.self) else {
            throw NSError(domain: NSCocoaErrorDomain, code: NSPersistentStoreUnsupportedRequestTypeError)
        }
        fetches.append("\(fetch.entity?.name ?? "no entity") \(fetch.fetchLimit)")
        guard let entity = fetch.entity, let context else { return [] }
        let identifier = newObjectID(for: entity, referenceObject: "only \(entity.name ?? "")")
        switch fetch.resultType {
        case .countResultType: return [NSNumber(value: 1)]
        case .managedObjectIDResultType: return [identifier]
        default: return [context.object(with: identifier)]
        }
    }

    override func newValuesForObject(
        with objectID: NSManagedObjectID,
        with context: NSManagedObjectContext
    ) throws -> NSIncrementalStoreNode {
        NSIncrementalStoreNode(
            objectID: objectID,
            withValues: ["name": "\(referenceObject(for: objectID))"],
            version: 1
        )
    }

    override func newValue(
        forRelationship relationship: NSRelationshipDescription,
        forObjectWith objectID: NSManagedObjectID,
        with context: NSManagedObjectContext?
    ) throws -> Any {
        relationship.isToMany ? [] as [NSManagedObjectID] : NSNull()
    }

    override func obtainPermanentIDs(for array: [NSManagedObject]) throws -> [NSManagedObjectID] {
        array.map { newObjectID(for: $0.entity, referenceObject: UUID().uuidString) }
    }
}
