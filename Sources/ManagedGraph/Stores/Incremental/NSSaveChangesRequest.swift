// A save request to an incremental store. Created by the framework, read by the store's class.
import Foundation

/// A request to save.
///
/// See [NSSaveChangesRequest](https://developer.apple.com/documentation/coredata/nssavechangesrequest).
open class NSSaveChangesRequest: NSPersistentStoreRequest {
    /// New objects; nil if the request saves only the metadata.
    open private(set) var insertedObjects: Set<NSManagedObject>?
    /// Changed objects.
    open private(set) var updatedObjects: Set<NSManagedObject>?
    /// Deleted objects.
    open private(set) var deletedObjects: Set<NSManagedObject>?
    /// Objects whose version must not have changed (`detectConflicts(for:)`); nil if there are none.
    open private(set) var lockedObjects: Set<NSManagedObject>?

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - insertedObjects: New objects.
    ///   - updatedObjects: Changed objects.
    ///   - deletedObjects: Deleted objects.
    ///   - lockedObjects: Objects whose version must not have changed.
    public init(
        inserted insertedObjects: Set<NSManagedObject>?,
        updated updatedObjects: Set<NSManagedObject>?,
        deleted deletedObjects: Set<NSManagedObject>?,
        locked lockedObjects: Set<NSManagedObject>?
    ) {
        self.insertedObjects = insertedObjects
        self.updatedObjects = updatedObjects
        self.deletedObjects = deletedObjects
        self.lockedObjects = lockedObjects
        super.init()
    }

    /// `saveRequestType`.
    open override var requestType: NSPersistentStoreRequestType { .saveRequestType }

    /// Returns a copy of the request.
    ///
    /// - Parameter zone: Not used.
    /// - Returns: The copy.
    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSSaveChangesRequest(
            inserted: insertedObjects,
            updated: updatedObjects,
            deleted: deletedObjects,
            locked: lockedObjects
        )
        copy.affectedStores = affectedStores
        return copy
    }
}
