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

/// The base class of requests to stores.
open class NSPersistentStoreRequest: NSObject, NSCopying {
    /// The stores to use; nil for all stores of the coordinator.
    open var affectedStores: [NSPersistentStore]?

    /// The kind of request.
    open var requestType: NSPersistentStoreRequestType { .fetchRequestType }

    /// Makes an empty request.
    public override init() {
        super.init()
    }

    /// A copy of the request.
    ///
    /// - Parameter zone: Not used.
    /// - Returns: The copy.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSPersistentStoreRequest()
        copy.affectedStores = affectedStores
        return copy
    }
}

/// The results that a fetch can return: managed objects, their identifiers, dictionaries, counts.
public protocol NSFetchRequestResult {}

extension NSDictionary: NSFetchRequestResult {}
extension NSNumber: NSFetchRequestResult {}
extension Dictionary: NSFetchRequestResult where Key == String {}

/// The kind of results of a fetch; raw values are Apple's.
public struct NSFetchRequestResultType: OptionSet, Sendable {
    /// Apple's bits.
    public let rawValue: UInt

    /// Makes a type from Apple's bits.
    ///
    /// - Parameter rawValue: The bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Managed objects.
    public static let managedObjectResultType: NSFetchRequestResultType = []
    /// Identifiers.
    public static let managedObjectIDResultType = NSFetchRequestResultType(rawValue: 1)
    /// Dictionaries of the properties to fetch.
    public static let dictionaryResultType = NSFetchRequestResultType(rawValue: 2)
    /// A single number.
    public static let countResultType = NSFetchRequestResultType(rawValue: 4)
}
