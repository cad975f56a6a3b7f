// Names and keys of a context's notifications: Apple's texts.
import Foundation
import Synchronization

/// Notification entry: objects inserted.
public let NSInsertedObjectsKey = "inserted"
/// Notification entry: objects changed.
public let NSUpdatedObjectsKey = "updated"
/// Notification entry: objects deleted.
public let NSDeletedObjectsKey = "deleted"
/// Notification entry: objects refreshed without being changed.
public let NSRefreshedObjectsKey = "refreshed"
/// Notification entry: objects turned invalid.
public let NSInvalidatedObjectsKey = "invalidated"
/// Notification entry: identifiers of all objects, when all became invalid.
public let NSInvalidatedAllObjectsKey = "invalidatedAll"
/// Notification entry: identifiers of objects inserted.
public let NSInsertedObjectIDsKey = "inserted_objectIDs"
/// Notification entry: identifiers of objects changed.
public let NSUpdatedObjectIDsKey = "updated_objectIDs"
/// Notification entry: identifiers of objects deleted.
public let NSDeletedObjectIDsKey = "deleted_objectIDs"
/// Notification entry: identifiers of objects refreshed.
public let NSRefreshedObjectIDsKey = "refreshed_objectIDs"
/// Notification entry: identifiers of objects turned invalid.
public let NSInvalidatedObjectIDsKey = "invalidated_objectIDs"

extension NSNotification.Name {
    /// Posted by a context before it saves.
    public static let NSManagedObjectContextWillSave = NSNotification.Name(
        "NSManagingContextWillSaveChangesNotification"
    )
    /// Posted by a context after it has saved.
    public static let NSManagedObjectContextDidSave = NSNotification.Name("NSManagingContextDidSaveChangesNotification")
    /// Posted by a context after objects were inserted, changed, deleted or refreshed in it.
    public static let NSManagedObjectContextObjectsDidChange = NSNotification.Name(
        "NSObjectsChangedInManagingContextNotification"
    )
    /// Posted by a context after it has saved, with identifiers.
    ///
    /// Making the identifiers of a large save costs as much as writing some of its columns, so contexts begin to post this
    /// when a program first reads the name.
    public static var NSManagedObjectContextDidSaveObjectIDs: NSNotification.Name {
        IdentifierNotification.isWanted.store(true, ordering: .relaxed)
        return IdentifierNotification.name
    }
}

extension NSNotification.Name {
    /// Posted by a context after it has merged what others have saved, with identifiers.
    public static let NSManagedObjectContextDidMergeChangesObjectIDs = NSNotification.Name(
        "NSManagedObjectContextDidMergeChangesObjectIDsNotification"
    )
}

extension NSManagedObjectContext {
    /// Posted after the context has merged what others have saved, with identifiers.
    public static let didMergeChangesObjectIDsNotification = Notification.Name
        .NSManagedObjectContextDidMergeChangesObjectIDs
    /// Posted before the context saves.
    public static let willSaveObjectsNotification = Notification.Name.NSManagedObjectContextWillSave
    /// Posted after the context has saved.
    public static let didSaveObjectsNotification = Notification.Name.NSManagedObjectContextDidSave
    /// Posted after objects have changed in the context.
    public static let didChangeObjectsNotification = Notification.Name.NSManagedObjectContextObjectsDidChange
    /// Posted after the context has saved, with identifiers.
    public static var didSaveObjectIDsNotification: Notification.Name { .NSManagedObjectContextDidSaveObjectIDs }

    /// The entries of a context's notifications.
    public enum NotificationKey: String, Sendable {
        /// The generation that a pinned context has after its save.
        case queryGeneration = "newQueryGeneration"
        /// Objects inserted.
        case insertedObjects = "inserted"
        /// Objects changed.
        case updatedObjects = "updated"
        /// Objects deleted.
        case deletedObjects = "deleted"
        /// Objects refreshed.
        case refreshedObjects = "refreshed"
        /// Objects turned invalid.
        case invalidatedObjects = "invalidated"
        /// Identifiers of all objects, when all became invalid.
        case invalidatedAllObjects = "invalidatedAll"
        /// Identifiers of objects inserted.
        case insertedObjectIDs = "inserted_objectIDs"
        /// Identifiers of objects changed.
        case updatedObjectIDs = "updated_objectIDs"
        /// Identifiers of objects deleted.
        case deletedObjectIDs = "deleted_objectIDs"
        /// Identifiers of objects refreshed.
        case refreshedObjectIDs = "refreshed_objectIDs"
        /// Identifiers of objects turned invalid.
        case invalidatedObjectIDs = "invalidated_objectIDs"
    }
}

/// The notification with identifiers, and whether anyone in the process can be observing it.
enum IdentifierNotification {
    static let name = NSNotification.Name("NSManagedObjectContextDidSaveObjectIDsNotification")
    static let isWanted = Atomic<Bool>(false)
}
