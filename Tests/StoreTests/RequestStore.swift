// An incremental store of CallOrderTests.
import Foundation
import ManagedGraph

/// An incremental store that records its requests.
final class RequestStore: NSIncrementalStore {
    var requests: [String] = []
    /// The error that the next requests throw.
    var refusal: Refusal?
    private var last = 6
    override var type: String { "Requests" }
    override func loadMetadata() throws {
        metadata = [NSStoreTypeKey: type, NSStoreUUIDKey: "6EA1A6BB-BF2A-4FBF-8AD5-2C0504CFBBE6"]
    }
    override func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?) throws -> Any {
        if let refusal { throw refusal }
        if let save = request as? NSSaveChangesRequest {
            let sets = [save.insertedObjects, save.updatedObjects, save.deletedObjects, save.lockedObjects]
            requests.append("save " + sets.map { $0.map { "\($0.count)" } ?? "nil" }.joined(separator: " "))
            return []
        }
        requests.append("fetch \((request as? NSFetchRequest<NSManagedObject>)?.entityName ?? "?")")
        return "nonsense"
    }
    override func newValuesForObject(
        with objectID: NSManagedObjectID,
        with context: NSManagedObjectContext
    ) throws -> NSIncrementalStoreNode {
        requests.append("values")
        return NSIncrementalStoreNode(objectID: objectID, withValues: ["name": "n", "team": NSNull()], version: 2)
    }
    override func newValue(
        forRelationship relationship: NSRelationshipDescription,
        forObjectWith objectID: NSManagedObjectID,
        with context: NSManagedObjectContext?
    ) throws -> Any {
        requests.append(relationship.name)
        return relationship.isToMany ? [] as [NSManagedObjectID] : NSNull()
    }
    override func obtainPermanentIDs(for array: [NSManagedObject]) throws -> [NSManagedObjectID] {
        requests.append("identifiers \(array.count)")
        return array.map { object in
            last += 1
            return newObjectID(for: object.entity, referenceObject: last)
        }
    }

    /// The error of a store that is not an `NSError`.
    enum Refusal: Error { case offline }
}
