// An incremental store of ConcurrentMoveTests.
import Foundation
import ManagedGraph

/// An incremental store that keeps nothing.
final class SteppingService: NSIncrementalStore {
    static let storeType = "SteppingService"
    override var type: String { Self.storeType }
    override func loadMetadata() throws { metadata = [NSStoreTypeKey: type, NSStoreUUIDKey: UUID().uuidString] }

    override func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?) throws -> Any {
        step(request is NSSaveChangesRequest ? "save" : "fetch")
        return [Any]()
    }

    override func obtainPermanentIDs(for array: [NSManagedObject]) throws -> [NSManagedObjectID] {
        step("identifiers")
        return array.map { newObjectID(for: $0.entity, referenceObject: UUID().uuidString) }
    }
}
