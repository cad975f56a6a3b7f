// An atomic store's representation of one object. Created by the store's class, read when the store is opened, updated
// by saves.
import Foundation

/// An object of an atomic store in memory.
///
/// See [NSAtomicStoreCacheNode](https://developer.apple.com/documentation/coredata/nsatomicstorecachenode).
open class NSAtomicStoreCacheNode: NSObject {
    /// The identifier of the object.
    public final let objectID: NSManagedObjectID
    /// The values by property name: attributes as key-value coding returns them, relationships as other nodes, or sets
    /// or ordered sets of nodes (identifiers are also accepted).
    open var propertyCache: NSMutableDictionary?

    /// Creates a node without values.
    ///
    /// - Parameter moid: The identifier, from the store's `objectID(for:withReferenceObject:)`.
    public init(objectID moid: NSManagedObjectID) {
        objectID = moid
        super.init()
    }

    /// Returns the value of a property.
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

    /// Returns the values of several properties, `NSNull` for those that have none.
    ///
    /// - Parameter keys: The properties' names.
    /// - Returns: The values by name.
    open func dictionaryWithValues(forKeys keys: [String]) -> [String: Any] {
        Dictionary(keys.map { ($0, value(forKey: $0) ?? NSNull()) }, uniquingKeysWith: { first, _ in first })
    }

    /// Sets the values of several properties; `NSNull` clears one.
    ///
    /// - Parameter keyedValues: The values by name.
    open func setValuesForKeys(_ keyedValues: [String: Any]) {
        for (key, value) in keyedValues { setValue(value is NSNull ? nil : value, forKey: key) }
    }

    /// Returns a function that gives the node its present values back.
    func restoringValues() -> () -> Void {
        let former = propertyCache?.mutableCopy() as? NSMutableDictionary
        return { self.propertyCache = former }
    }
}
