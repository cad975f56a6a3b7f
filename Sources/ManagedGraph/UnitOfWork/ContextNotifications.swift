// The names and keys of a context's notifications, with Apple's values.
import Foundation
import Synchronization

/// A notification key: inserted objects.
public let NSInsertedObjectsKey = "inserted"
/// A notification key: updated objects.
public let NSUpdatedObjectsKey = "updated"
/// A notification key: deleted objects.
public let NSDeletedObjectsKey = "deleted"
/// A notification key: objects refreshed without being changed.
public let NSRefreshedObjectsKey = "refreshed"
/// A notification key: invalidated objects.
public let NSInvalidatedObjectsKey = "invalidated"
/// A notification key: identifiers of all objects, if all were invalidated.
public let NSInvalidatedAllObjectsKey = "invalidatedAll"
/// A notification key: identifiers of inserted objects.
public let NSInsertedObjectIDsKey = "inserted_objectIDs"
/// A notification key: identifiers of updated objects.
public let NSUpdatedObjectIDsKey = "updated_objectIDs"
/// A notification key: identifiers of deleted objects.
public let NSDeletedObjectIDsKey = "deleted_objectIDs"
/// A notification key: identifiers of refreshed objects.
public let NSRefreshedObjectIDsKey = "refreshed_objectIDs"
/// A notification key: identifiers of invalidated objects.
public let NSInvalidatedObjectIDsKey = "invalidated_objectIDs"

extension NSNotification.Name {
    /// Posted by a context before it saves.
    public static let NSManagedObjectContextWillSave = NSNotification.Name(
        "NSManagingContextWillSaveChangesNotification"
    )
    /// Posted by a context after it has saved.
    public static let NSManagedObjectContextDidSave = NSNotification.Name("NSManagingContextDidSaveChangesNotification")
    /// Posted by a context after objects were inserted, updated, deleted or refreshed in it.
    public static let NSManagedObjectContextObjectsDidChange = NSNotification.Name(
        "NSObjectsChangedInManagingContextNotification"
    )
    /// Posted by a context after it has saved, with identifiers.
    ///
    /// Creating the identifiers of a large save costs as much as writing some of its columns, so contexts only post
    /// this after a program has first read the name.
    public static var NSManagedObjectContextDidSaveObjectIDs: NSNotification.Name {
        IdentifierNotification.saved.nameForObservers
    }
}

extension NSNotification.Name {
    /// Posted by a context, with identifiers, after it has merged changes saved elsewhere; only after a program has
    /// first read the name, as sets of all identifiers cost as much as the merge.
    public static var NSManagedObjectContextDidMergeChangesObjectIDs: NSNotification.Name {
        IdentifierNotification.merged.nameForObservers
    }
}

extension NSManagedObjectContext {
    /// Posted, with identifiers, after the context has merged changes saved elsewhere.
    public static var didMergeChangesObjectIDsNotification: Notification.Name {
        .NSManagedObjectContextDidMergeChangesObjectIDs
    }
    /// Posted before the context saves.
    public static let willSaveObjectsNotification = Notification.Name.NSManagedObjectContextWillSave
    /// Posted after the context has saved.
    public static let didSaveObjectsNotification = Notification.Name.NSManagedObjectContextDidSave
    /// Posted after objects have changed in the context.
    public static let didChangeObjectsNotification = Notification.Name.NSManagedObjectContextObjectsDidChange
    /// Posted after the context has saved, with identifiers.
    public static var didSaveObjectIDsNotification: Notification.Name { .NSManagedObjectContextDidSaveObjectIDs }

    /// The keys of a context's notifications.
    public enum NotificationKey: String, Sendable {
        /// The generation of a pinned context after its save.
        case queryGeneration = "newQueryGeneration"
        /// Inserted objects.
        case insertedObjects = "inserted"
        /// Updated objects.
        case updatedObjects = "updated"
        /// Deleted objects.
        case deletedObjects = "deleted"
        /// Refreshed objects.
        case refreshedObjects = "refreshed"
        /// Invalidated objects.
        case invalidatedObjects = "invalidated"
        /// Identifiers of all objects, if all were invalidated.
        case invalidatedAllObjects = "invalidatedAll"
        /// Identifiers of inserted objects.
        case insertedObjectIDs = "inserted_objectIDs"
        /// Identifiers of updated objects.
        case updatedObjectIDs = "updated_objectIDs"
        /// Identifiers of deleted objects.
        case deletedObjectIDs = "deleted_objectIDs"
        /// Identifiers of refreshed objects.
        case refreshedObjectIDs = "refreshed_objectIDs"
        /// Identifiers of invalidated objects.
        case invalidatedObjectIDs = "invalidated_objectIDs"
    }
}

/// A notification with identifiers, and whether the process may have observers of it.
final class IdentifierNotification: Sendable {
    static let saved = IdentifierNotification("NSManagedObjectContextDidSaveObjectIDsNotification")
    static let merged = IdentifierNotification("NSManagedObjectContextDidMergeChangesObjectIDsNotification")

    let name: NSNotification.Name
    private let isNamed = Atomic<Bool>(false)

    private init(_ name: String) { self.name = NSNotification.Name(name) }

    /// The name as a program reads it, which may observe the notification from then on.
    var nameForObservers: NSNotification.Name {
        isNamed.store(true, ordering: .relaxed)
        return name
    }

    var isWanted: Bool { isNamed.load(ordering: .relaxed) }
}
