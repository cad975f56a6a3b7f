// One object of an atomic store as the store holds it. Made by the store's class, read when the store is opened, brought up
// to date by saves.
import Foundation

/// An object of an atomic store in memory.
///
/// See [NSAtomicStoreCacheNode](https://developer.apple.com/documentation/coredata/nsatomicstorecachenode).
open class NSAtomicStoreCacheNode: NSObject {
    /// The identifier of the object.
    public final let objectID: NSManagedObjectID
    /// The values by property name: attributes as key-value coding shows them, relationships as other nodes, or sets or
    /// ordered sets of them (identifiers serve too).
    open var propertyCache: NSMutableDictionary?

    /// Makes a node without values.
    ///
    /// - Parameter moid: The identifier, from the store's `objectID(for:withReferenceObject:)`.
    public init(objectID moid: NSManagedObjectID) {
        objectID = moid
        super.init()
    }

    /// The value of a property.
    ///
    /// - Parameter key: The property's name.
    /// - Returns: The value, or nil.
    open func value(forKey key: String) -> Any? {
        propertyCache?.object(forKey: key)
    }

    /// Sets the value of a property.
    ///
    /// - Parameters:
    ///   - value: The value, or nil.
    ///   - key: The property's name.
    open func setValue(_ value: Any?, forKey key: String) {
        let cache = propertyCache ?? NSMutableDictionary()
        propertyCache = cache
        if let value { cache[key] = value } else { cache.removeObject(forKey: key) }
    }
}
