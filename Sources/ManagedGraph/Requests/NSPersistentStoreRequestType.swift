// The kinds of NSPersistentStoreRequest.
import Foundation

/// The kind of request to a store; raw values are Apple's.
public enum NSPersistentStoreRequestType: UInt, Sendable {
    /// A fetch.
    case fetchRequestType = 1
    /// A save.
    case saveRequestType = 2
    /// A batch insert.
    case batchInsertRequestType = 5
    /// A batch update.
    case batchUpdateRequestType = 6
    /// A batch delete.
    case batchDeleteRequestType = 7
}
