// An incremental store's values of one object. Created by the store's class when a fault is fulfilled.
import Foundation

/// A snapshot of an object's values, with a version.
///
/// See [NSIncrementalStoreNode](https://developer.apple.com/documentation/coredata/nsincrementalstorenode).
open class NSIncrementalStoreNode: NSObject {
    /// The identifier of the object.
    public final let objectID: NSManagedObjectID
    /// The version of the values; a higher one is newer.
    open private(set) var version: UInt64
    private var values: [String: Any]

    /// Creates a node.
    ///
    /// - Parameters:
    ///   - objectID: The object's identifier.
    ///   - values: Attributes by name; to-one relationships as identifiers or `NSNull`, if available.
    ///   - version: The version of the values.
    public init(objectID: NSManagedObjectID, withValues values: [String: Any], version: UInt64) {
        self.objectID = objectID
        self.values = values
        self.version = version
        super.init()
    }

    /// Replaces the values.
    ///
    /// - Parameters:
    ///   - values: The new values, in the same form as for the initializer.
    ///   - version: The version of the new values.
    open func update(withValues values: [String: Any], version: UInt64) {
        self.values = values
        self.version = version
    }

    /// Returns the value of a property.
    ///
    /// - Parameter prop: An attribute or a to-one relationship.
    /// - Returns: The value; nil if the node has none, `NSNull` for an empty relationship.
    open func value(for prop: NSPropertyDescription) -> Any? { values[prop.name] }
}
