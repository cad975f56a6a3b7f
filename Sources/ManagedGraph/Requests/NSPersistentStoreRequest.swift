import Foundation

/// What a request asks of the stores; raw values are Apple's.
public enum NSPersistentStoreRequestType: UInt, Sendable {
    /// To fetch.
    case fetchRequestType = 1
    /// To save.
    case saveRequestType = 2
    /// To insert rows without objects.
    case batchInsertRequestType = 5
    /// To update rows without objects.
    case batchUpdateRequestType = 6
    /// To delete rows without objects.
    case batchDeleteRequestType = 7
}

/// The base of everything that is asked of stores.
open class NSPersistentStoreRequest: NSObject, NSCopying {
    /// The stores to ask; nil for all of the coordinator's.
    open var affectedStores: [NSPersistentStore]?

    /// What the request asks.
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

/// What a fetch can return: managed objects, their identifiers, dictionaries, counts.
public protocol NSFetchRequestResult {}

extension NSDictionary: NSFetchRequestResult {}
extension NSNumber: NSFetchRequestResult {}
extension Dictionary: NSFetchRequestResult where Key == String {}

/// What a fetch returns; raw values are Apple's.
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
    /// One number.
    public static let countResultType = NSFetchRequestResultType(rawValue: 4)
}
