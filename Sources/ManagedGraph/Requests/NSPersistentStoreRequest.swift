import Foundation

/// The base class of requests to stores.
open class NSPersistentStoreRequest: NSObject, NSCopying {
    /// The stores to use; nil for all stores of the coordinator.
    @exclusivity(unchecked) open var affectedStores: [NSPersistentStore]?

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
